// The plan over the tree: what Python resolved, spread out to one number per module for drawing. It comes as runs
// (explorer/messages.py says what they hold); the page never works out a status or a unit itself. Names, orders and the
// words of remarks are left packed here: extras/plan.ts unpacks them.
import type { Group } from "./fold";
import type { Tree } from "./payload";
import { spreadNumbers, unroll, type Column, type Numbers, type Run } from "./runs";

export interface PlanPayload {
  v: number;
  rev: number;
  areas: Run[]; // key: size, code
  units: {
    num: number;
    nparams: Numbers;
    numel: Numbers;
    handle: Numbers;
    init_c: Numbers;
    init_w: Numbers;
    local_root: Numbers;
    apart?: Column;
    within?: Column;
    setting?: Column;
    settings: [strategy: string, options: Record<string, string>][];
  };
  conflicts: RemarkPayload[];
  findings: RemarkPayload[];
  totals: Record<string, number>;
  code: string;
  last: string;
  undo: boolean;
  redo: boolean;
}

export interface RemarkPayload {
  kind: string;
  severity?: string; // of a finding; conflicts have none
  message: string;
  fix?: string;
  advice?: string;
  at: Run[]; // key: attribute of the parameter, "" for the module
}

export interface UnitPlaces {
  n: number;
  index: number; // of its first module
  members: number[]; // the modules it was made of
  setting: number; // place in the settings of the payload
  nparams: number;
  numel: number;
  handle: number | null;
  init_c: number | null;
  init_w: number | null;
  local_root: number; // number of the unit
}

export interface Plan {
  readonly payload: PlanPayload;
  readonly status: Uint8Array; // position in STATUSES
  readonly unitOf: Int32Array; // unit number, -1 for none
  readonly head: Int32Array; // index of the unit's first module, -1 for none
  readonly unitAt: Map<number, UnitPlaces>; // by the index of its first module, ascending
  readonly alarm: Uint8Array; // 0 nothing, 1 info, 2 warning, 3 error or conflict
  readonly groups: Map<number, Group[]>; // folded children, by parent: kept by fold.ts
  readonly texts: Map<string, string>; // places in orders, by row: kept by columns.ts
}

export const STATUSES = "uFfRrIi";
export const PLAN_VERSION = 2;
const SEVERITIES = ["", "info", "warn", "error"];
const NO_PLAN = { v: PLAN_VERSION, rev: 0, areas: [], units: { num: 0, settings: [] }, conflicts: [], findings: [], totals: {} };

export function parsePlan(text: string, { size }: Tree): Plan {
  const payload = (text ? JSON.parse(text) : NO_PLAN) as PlanPayload;
  if (payload.v !== PLAN_VERSION) throw new Error(`The plan has format ${payload.v}, this page reads ${PLAN_VERSION}. Restart the kernel.`);
  const plan: Plan = {
    payload,
    status: new Uint8Array(size),
    unitOf: new Int32Array(size).fill(-1),
    head: new Int32Array(size).fill(-1),
    unitAt: new Map(),
    alarm: new Uint8Array(size),
    groups: new Map(),
    texts: new Map(),
  };
  for (const area of unroll(payload.areas, 2)) paint(plan, ...(area as [number, number, string]));
  tellUnits([...plan.unitAt.values()], payload.units);
  for (const { at, severity } of [...payload.findings, ...payload.conflicts]) {
    const level = severity === undefined ? 3 : SEVERITIES.indexOf(severity);
    for (const [index] of unroll(at, 1)) plan.alarm[index] = Math.max(plan.alarm[index], level);
  }
  return plan;
}

/** An area inside another one begins later, so it is painted over it. Its code: the status of its first module, and how
 *  far before it the first module of its unit lies. */
function paint({ status, unitOf, head, unitAt }: Plan, start: number, num: number, code: string): void {
  const first = /f/i.test(code) ? start - Number(code.slice(1)) : -1;
  const known = unitAt.get(first);
  if (known && code[0] === "F") known.members.push(start);
  else if (code[0] === "F") unitAt.set(first, { n: unitAt.size, index: first, members: [start] } as unknown as UnitPlaces);
  status.fill(STATUSES.indexOf(code[0].toLowerCase()), start, start + num);
  status[start] = STATUSES.indexOf(code[0]);
  head.fill(first, start, start + num);
  unitOf.fill(unitAt.get(first)?.n ?? -1, start, start + num);
}

function tellUnits(units: UnitPlaces[], { num, setting, settings: _, apart: __, within: ___, ...numbers }: PlanPayload["units"]): void {
  const columns = { ...numbers, setting: [0, setting ?? [0]] as Numbers };
  for (const [name, column] of Object.entries(columns)) {
    spreadNumbers(column, num).forEach((value, n) => Object.assign(units[n], { [name]: value }));
  }
}

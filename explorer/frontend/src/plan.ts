// The plan over the tree: what Python resolved, spread out to one number per module for drawing. It comes as runs
// (explorer/messages.py says what they hold); the page never works out a status or a unit itself. Names, orders and the
// words of remarks are left packed here: extras/plan.ts unpacks them.
import type { Group } from "./fold";
import type { Tree } from "./payload";
import { spread, spreadNumbers, unroll, type Column, type Numbers, type Run } from "./runs";

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

export interface Plan {
  readonly payload: PlanPayload;
  readonly status: Uint8Array; // position in STATUSES
  readonly unitOf: Int32Array; // unit number, -1 for none
  readonly head: Int32Array; // index of the unit's first module, -1 for none
  readonly members: Map<number, number[]>; // modules a unit was made of, by the first of them; units count in this order
  readonly made: string[]; // by unit: what it was made with; equal texts mean alike
  readonly alarm: Uint8Array; // 0 nothing, 1 info, 2 warning, 3 error or conflict
  readonly groups: Map<number, Group[]>; // folded children, by parent: kept by fold.ts
}

export const STATUSES = "uFfRrIi";
export const PLAN_VERSION = 2;
const SEVERITIES = ["", "info", "warn", "error"];
const NO_PLAN = { v: PLAN_VERSION, rev: 0, areas: [], units: { num: 0, nparams: [0, [0]] }, conflicts: [], findings: [] };

export function parsePlan(text: string, { size }: Tree): Plan {
  const payload = (text ? JSON.parse(text) : NO_PLAN) as unknown as PlanPayload;
  if (payload.v !== PLAN_VERSION) throw new Error(`The plan has format ${payload.v}, this page reads ${PLAN_VERSION}. Restart the kernel.`);
  const { num, nparams, setting = [0] } = payload.units;
  const counts = spreadNumbers(nparams, num);
  const plan: Plan = {
    payload,
    status: new Uint8Array(size),
    unitOf: new Int32Array(size).fill(-1),
    head: new Int32Array(size).fill(-1),
    members: new Map(),
    made: spread(setting, num).map((made, n) => `setting ${made}, ${counts[n]} parameters`),
    alarm: new Uint8Array(size),
    groups: new Map(),
  };
  for (const area of unroll(payload.areas, 2)) paint(plan, ...(area as [number, number, string]));
  for (const { at, severity } of [...payload.findings, ...payload.conflicts]) {
    const level = severity === undefined ? 3 : SEVERITIES.indexOf(severity);
    for (const [index] of unroll(at, 1)) plan.alarm[index] = Math.max(plan.alarm[index], level);
  }
  return plan;
}

/** An area inside another one begins later, so it is painted over it. Its code: the status of its first module, and how
 *  far before it the first module of its unit lies. */
function paint({ status, unitOf, head, members }: Plan, start: number, num: number, code: string): void {
  const [letter] = code;
  const first = /f/i.test(letter) ? start - Number(code.slice(1)) : -1;
  if (start === first) members.set(first, []);
  if (letter === "F") members.get(first)!.push(start);
  status.fill(STATUSES.indexOf(letter.toLowerCase()), start, start + num);
  status[start] = STATUSES.indexOf(letter);
  head.fill(first, start, start + num);
  unitOf.fill(start === first ? members.size - 1 : (unitOf[first] ?? -1), start, start + num);
}

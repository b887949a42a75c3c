// The plan layer over the tree: what Python resolved, spread out to one number per module for drawing.
// It comes as runs (explorer/messages.py says what they hold); the page never works out a status or a unit itself.
import { fqnOf, type Tree } from "./payload";
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

interface RemarkPayload {
  kind: string;
  severity?: string;
  message: string;
  fix?: string;
  advice?: string;
  at: Run[]; // key: attribute of the parameter, "" for the module
}

export interface Unit {
  n: number;
  index: number;
  fqns: string[];
  nparams: number;
  numel: number;
  is_root: boolean;
  local_root: number; // number of the unit
  apart: number; // 1: its orders are those of its local root
  within: string | null;
  handle: number | null;
  init_c: number | null;
  init_w: number | null;
  strategy: string;
  options: Record<string, string>; // settings that differ from the defaults
}

export interface Remark extends Omit<RemarkPayload, "at"> {
  fqns: string[];
  indices: number[];
}

export interface PlanState extends Omit<PlanPayload, "areas" | "units" | "conflicts" | "findings"> {
  units: Unit[];
  orders: Record<string, string[]>; // "handles", "init_composable", "init_wrapper", and those of roots apart, "handles:h.0"
  conflicts: Remark[];
  findings: Remark[];
}

export interface Plan {
  readonly state: PlanState;
  readonly status: Uint8Array; // position in STATUSES
  readonly unitOf: Int32Array; // unit number, -1 for none
  readonly head: Int32Array; // index of the unit's first module, -1 for none
  readonly unitAt: Map<number, Unit>; // by the index of its first module
  readonly alarm: Uint8Array; // 0 nothing, 1 info, 2 warning, 3 error or conflict
}

export const STATUSES = "uFfRrIi";
export const PLAN_VERSION = 2;
const SEVERITIES = ["", "info", "warn", "error"];
const NONE: Numbers = [0, [null]];

export const NO_PLAN: PlanPayload = {
  v: PLAN_VERSION, rev: 0, areas: [], conflicts: [], findings: [], totals: {}, code: "", last: "", undo: false, redo: false,
  units: { num: 0, nparams: NONE, numel: NONE, handle: NONE, init_c: NONE, init_w: NONE, local_root: NONE, settings: [] },
};

export function parsePlan(text: string, tree: Tree): Plan {
  const payload = text ? (JSON.parse(text) as PlanPayload) : NO_PLAN;
  if (payload.v !== PLAN_VERSION) throw new Error(`The plan has format ${payload.v}, this page reads ${PLAN_VERSION}. Restart the kernel.`);
  const areas = unroll(payload.areas, 2) as [number, number, string][];
  const members = membersOf(areas);
  const units = unitsOf(payload.units, members, tree);
  const conflicts = payload.conflicts.map((remark) => placed(remark, tree));
  const findings = payload.findings.map((remark) => placed(remark, tree));
  return {
    ...paint(areas, new Map(units.map(({ index, n }) => [index, n])), tree.size),
    state: { ...payload, units, orders: ordersOf(units), conflicts, findings },
    unitAt: new Map(units.map((unit) => [unit.index, unit])),
    alarm: alarms(conflicts, findings, tree.size),
  };
}

/** How far before an area its unit's first module lies; nothing where there is no unit. */
const firstOf = (start: number, code: string) => (/f/i.test(code) ? start - Number(code.slice(1)) : -1);

/** The modules of each unit by the first of them, in pre-order. */
function membersOf(areas: [number, number, string][]): Map<number, number[]> {
  const members = new Map<number, number[]>();
  for (const [start, , code] of areas) {
    if (code[0] !== "F") continue;
    const first = firstOf(start, code);
    members.set(first, [...(members.get(first) ?? []), start]);
  }
  return members;
}

/** An area inside another one begins later, so it is painted over it. */
function paint(areas: [number, number, string][], numbers: Map<number, number>, size: number) {
  const status = new Uint8Array(size);
  const unitOf = new Int32Array(size).fill(-1);
  const head = unitOf.slice();
  for (const [start, num, code] of areas) {
    const first = firstOf(start, code);
    status.fill(STATUSES.indexOf(code[0].toLowerCase()), start, start + num);
    status[start] = STATUSES.indexOf(code[0]);
    head.fill(first, start, start + num);
    unitOf.fill(numbers.get(first) ?? -1, start, start + num);
  }
  return { status, unitOf, head };
}

function unitsOf({ num, settings, apart, within, setting, ...numbers }: PlanPayload["units"], members: Map<number, number[]>, tree: Tree): Unit[] {
  const columns = Object.entries(numbers).map(([name, column]) => [name, spreadNumbers(column, num)] as const);
  const [roots, places, chosen] = [spread(apart ?? [0], num), spread(within ?? [null], num), spread(setting ?? [0], num)];
  return [...members.keys()].sort((a, b) => a - b).map((index, n) => {
    const facts = Object.fromEntries(columns.map(([name, values]) => [name, values[n]])) as unknown as Unit;
    const [strategy, options] = settings[chosen[n] as number];
    const fqns = members.get(index)!.map((each) => fqnOf(tree, each));
    return { ...facts, n, index, fqns, is_root: facts.local_root === n, apart: roots[n] as number, within: places[n] as string | null, strategy, options };
  });
}

/** The places of the units in the orders, turned round: lists of names. */
function ordersOf(units: Unit[]): Record<string, string[]> {
  const orders: Record<string, string[]> = { handles: [], init_composable: [], init_wrapper: [] };
  for (const { fqns, init_c, init_w, apart, local_root } of units) {
    if (init_c === null) continue;
    const root = apart ? `:${units[local_root].fqns[0]}` : "";
    (orders[`init_composable${root}`] ??= [])[init_c] = fqns[0];
    (orders[`init_wrapper${root}`] ??= [])[init_w!] = fqns[0];
    orders[`handles${root}`] = orders[`init_composable${root}`];
  }
  for (const name in orders) if (name.startsWith("handles")) orders[name] = orders[name].slice().reverse();
  return orders;
}

function placed(remark: RemarkPayload, tree: Tree): Remark {
  const places = unroll(remark.at, 1) as [number, string][];
  const name = ([index, attr]: [number, string]) => [fqnOf(tree, index), attr].filter(Boolean).join(".");
  return { ...remark, indices: places.map(([index]) => index), fqns: places.map(name) };
}

function alarms(conflicts: Remark[], findings: Remark[], size: number): Uint8Array {
  const alarm = new Uint8Array(size);
  const raise = (remark: Remark, level: number) => {
    for (const index of remark.indices) alarm[index] = Math.max(alarm[index], level);
  };
  for (const finding of findings) raise(finding, Math.max(1, SEVERITIES.indexOf(finding.severity ?? "warn")));
  for (const conflict of conflicts) raise(conflict, 3);
  return alarm;
}

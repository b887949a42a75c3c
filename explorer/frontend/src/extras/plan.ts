// The whole plan: what the first module draws, and what it leaves packed, because only panels read it: names of units,
// the orders, the words of conflicts and findings.
import { fqnOf, type Tree } from "../payload";
import type { Plan as Drawn, PlanPayload, RemarkPayload } from "../plan";
import { spread, spreadNumbers, unroll } from "../runs";

export interface Unit {
  n: number;
  index: number; // of its first module
  fqns: string[]; // of the modules it was made of
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

export interface Plan extends Drawn {
  readonly state: PlanState;
  readonly unitAt: Map<number, Unit>; // by the index of its first module
}

const NOTHING = { code: "", last: "", undo: false, redo: false, totals: {} }; // before Python has sent a plan
const known = new WeakMap<Drawn, Plan>();

/** Worked out once a plan. */
export function wholePlan(tree: Tree, drawn: Drawn): Plan {
  const plan = known.get(drawn) ?? unpack(tree, drawn);
  known.set(drawn, plan);
  return plan;
}

function unpack(tree: Tree, drawn: Drawn): Plan {
  const { payload } = drawn;
  const units = unitsOf(tree, drawn);
  const state: PlanState = {
    ...NOTHING, ...payload, units, orders: ordersOf(units),
    conflicts: payload.conflicts.map((remark) => placed(remark, tree)),
    findings: payload.findings.map((remark) => placed(remark, tree)),
  };
  return { ...drawn, state, unitAt: new Map(units.map((unit) => [unit.index, unit])) };
}

function unitsOf(tree: Tree, { payload, members }: Drawn): Unit[] {
  const { num, settings, apart, within, setting, ...numbers } = payload.units;
  const columns = Object.entries(numbers).map(([name, column]) => [name, spreadNumbers(column, num)] as const);
  const [roots, places, made] = [spread(apart ?? [0], num), spread(within ?? [null], num), spread(setting ?? [0], num)];
  return [...members].map(([index, nodes], n) => {
    const facts = Object.fromEntries(columns.map(([name, values]) => [name, values[n]])) as unknown as Unit;
    const [strategy, options] = settings[made[n] as number];
    const fqns = nodes.map((each) => fqnOf(tree, each));
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

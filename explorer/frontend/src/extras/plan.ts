// The whole plan: what the first module draws, and what it leaves packed, because only panels read it: names of units,
// the orders, the words of conflicts and findings.
import { fqnOf, type Tree } from "../payload";
import type { Plan as Drawn, PlanPayload, RemarkPayload, UnitPlaces } from "../plan";
import { spread, unroll } from "../runs";

export interface Unit extends UnitPlaces {
  fqns: string[];
  is_root: boolean;
  apart: number; // 1: its orders are those of its local root
  within: string | null;
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
  readonly unitAt: Map<number, Unit>;
}

const NOTHING = { code: "", last: "", undo: false, redo: false }; // before Python has sent a plan
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

function unitsOf(tree: Tree, { payload, unitAt }: Drawn): Unit[] {
  const { num, apart, within, settings } = payload.units;
  const [roots, places] = [spread(apart ?? [0], num), spread(within ?? [null], num)];
  return [...unitAt.values()].map((unit) => {
    const [strategy, options] = settings[unit.setting];
    const fqns = unit.members.map((each) => fqnOf(tree, each));
    return { ...unit, fqns, is_root: unit.local_root === unit.n, apart: roots[unit.n] as number, within: places[unit.n] as string | null, strategy, options };
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

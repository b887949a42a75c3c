// When equal siblings may share one row: same class, and the same plan on every module of the block.
import type { Plan } from "./plan";
import type { Tree } from "./payload";

export type Group = [first: number, times: number];

const known = new WeakMap<Plan, Map<number, Group[]>>();

/** The children of a module, equal neighbours with consecutive integer names gathered; kept as long as the plan is. */
export function groupsOf(tree: Tree, plan: Plan, parent: number, split: boolean): Group[] {
  if (split) return gather(tree, plan, parent, true);
  const found = known.get(plan) ?? new Map<number, Group[]>();
  known.set(plan, found);
  const groups = found.get(parent) ?? gather(tree, plan, parent, false);
  found.set(parent, groups);
  return groups;
}

function gather(tree: Tree, plan: Plan, parent: number, split: boolean): Group[] {
  const groups: Group[] = [];
  let last = -1;
  for (let kid = parent + 1; kid < tree.end[parent]; kid = tree.end[kid]) {
    if (!split && last >= 0 && follows(tree, last, kid) && sameBlock(tree, plan, last, kid)) groups[groups.length - 1][1]++;
    else groups.push([kid, 1]);
    last = kid;
  }
  return groups;
}

const INTEGER = /^\d+$/;

function follows(tree: Tree, a: number, b: number): boolean {
  return INTEGER.test(tree.names[a]) && Number(tree.names[a]) + 1 === Number(tree.names[b]);
}

/** Owners are compared by their place in the block when they lie in it, by identity when they lie outside. */
export function sameBlock(tree: Tree, plan: Plan, a: number, b: number): boolean {
  if (tree.cls[a] !== tree.cls[b]) return false;
  const size = tree.end[a] - a;
  const place = (head: number, start: number) => (head >= start && head < start + size ? head - start : -2 - head);
  for (let k = 0; k < size; k++) {
    if (plan.status[a + k] !== plan.status[b + k] || plan.alarm[a + k] !== plan.alarm[b + k]) return false;
    if (place(plan.head[a + k], a) !== place(plan.head[b + k], b)) return false;
    if (!sameUnit(plan, a + k, b + k) || !sameReferences(tree, a, b, k, size)) return false;
  }
  return true;
}

function sameUnit(plan: Plan, a: number, b: number): boolean {
  if (plan.head[a] !== a && plan.head[b] !== b) return true;
  const settings = (index: number) => {
    const unit = plan.unitAt.get(index);
    return unit && JSON.stringify([unit.strategy, unit.options, unit.nparams, unit.fqns.length]);
  };
  return settings(a) === settings(b);
}

function sameReferences(tree: Tree, a: number, b: number, k: number, size: number): boolean {
  if (tree.refs.length === 0) return true;
  const one = tree.refsOf.get(a + k) ?? [];
  const other = tree.refsOf.get(b + k) ?? [];
  const inside = (target: number, start: number) => (target >= start && target < start + size ? target - start : -1 - target);
  return one.length === other.length && one.every((ref, nth) => {
    const [, attr, target] = tree.refs[ref];
    const [, otherAttr, otherTarget] = tree.refs[other[nth]];
    return attr === otherAttr && inside(target, a) === inside(otherTarget, b);
  });
}

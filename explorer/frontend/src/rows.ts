// The visible rows: which modules, folded runs and references stand one under the other, for a tree, a plan and what is open.
import { groupsOf, holds, type Group } from "./fold";
import type { Plan } from "./plan";
import type { Tree } from "./payload";

/** What the reader opened. `split` holds parents whose repeated children are shown one by one. */
export interface Folds {
  open: Uint8Array;
  split: Set<number>;
}

/** A folded run around some rows: `times` blocks, `period` places and `stride` indices apart, the first one at `first`. */
export interface Scope {
  outer: Scope | null;
  first: number;
  times: number;
  period: number;
  stride: number;
}

export interface Row {
  node: number; // first module it stands for; the target for a reference
  ref: number; // position in tree.refs, -1 for a module
  times: number; // modules in the folded run, 1 for a single one
  period: number; // places between them among their siblings
  beside: number; // first of the fold that a single one is the exception of, -1 for none
  scope: Scope | null; // folded runs it lies in, itself included
  above: number; // row of the module around it, -1 for the root
  level: number;
  position: number; // among the rows of its parent, from 1
  siblings: number;
  members?: number[]; // kept by membersOf
}

export function newFolds(tree: Tree): Folds {
  return { open: new Uint8Array(tree.size), split: new Set() };
}

interface Frame {
  groups: Group[];
  refs: number[]; // positions in tree.refs; they come after the modules
  next: number;
  scope: Scope | null;
  above: number;
}

export function visibleRows(tree: Tree, plan: Plan, folds: Folds): Row[] {
  const rows: Row[] = [];
  const root: Group = { first: 0, times: 1, period: 1, stride: tree.size, beside: -1 };
  const stack: Frame[] = [{ groups: [root], refs: [], next: 0, scope: null, above: -1 }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const { groups, refs } = frame;
    if (frame.next === groups.length + refs.length) {
      stack.pop();
      continue;
    }
    const at = frame.next++;
    const place = { above: frame.above, level: stack.length, position: frame.next, siblings: groups.length + refs.length };
    if (at >= groups.length) {
      const ref = refs[at - groups.length];
      rows.push({ node: tree.refs[ref][2], ref, times: 1, period: 1, beside: -1, scope: frame.scope, ...place });
      continue;
    }
    const { first, times, period, stride, beside } = groups[at];
    const scope = times > 1 ? { outer: frame.scope, first, times, period, stride } : frame.scope;
    rows.push({ node: first, ref: -1, times, period, beside, scope, ...place });
    if (folds.open[first]) {
      const split = folds.split.has(first);
      stack.push({ groups: groupsOf(tree, plan, first, split), refs: tree.refsOf.get(first) ?? [], next: 0, scope, above: rows.length - 1 });
    }
  }
  return rows;
}

export const hasChildren = (tree: Tree, node: number) => tree.end[node] > node + 1 || tree.refsOf.has(node);

/** How many modules a row stands for, all blocks of the folded runs around it. */
export function countOf(row: Row): number {
  let count = 1;
  for (let scope = row.scope; scope; scope = scope.outer) count *= scope.times;
  return count;
}

/** The last of them in pre-order; the first is `row.node`. */
export function lastOf(row: Row): number {
  let last = row.node;
  for (let scope = row.scope; scope; scope = scope.outer) last += (scope.times - 1) * scope.stride;
  return last;
}

/** All of them, in pre-order. Thousands, for experts in layers: ask `countOf`, `lastOf` or `stepOf` where those will do. */
export function membersOf(row: Row): number[] {
  if (row.members) return row.members;
  let members = [row.node];
  for (let scope = row.scope; scope; scope = scope.outer) {
    const { times, stride } = scope;
    members = Array.from({ length: times }, (_, k) => members.map((index) => index + k * stride)).flat();
  }
  return (row.members = members);
}

/** The distance from each of them to the next; 0 for a single one, -1 where it is not always the same. */
export function stepOf(row: Row): number {
  let [step, span] = [0, 0];
  for (let scope = row.scope; scope; scope = scope.outer) {
    if (step === 0) step = scope.stride;
    else if (scope.stride !== span) return -1;
    span = scope.stride * scope.times;
  }
  return step;
}

/** The FQN as read on the row: folded runs appear as ranges, `h.0–11.attn`. */
export function labelOf(tree: Tree, row: Row): string {
  const parts: string[] = row.ref < 0 ? [] : [tree.refs[row.ref][1]];
  let at = row.ref < 0 ? row.node : tree.refs[row.ref][0];
  let scope = row.scope;
  for (; at > 0; at = tree.parent[at]) {
    const folded = scope !== null && scope.first === at;
    parts.push(folded ? rangeName(tree, scope!) : tree.names[at]);
    if (folded) scope = scope!.outer;
  }
  return parts.reverse().join(".");
}

/** `3`, `0–11`, or `(0–58)/2` for every second one. */
export function rangeName(tree: Tree, { first, times, period }: Pick<Group, "first" | "times" | "period">): string {
  const name = tree.names[first];
  if (times === 1) return name;
  const range = `${name}–${Number(name) + (times - 1) * period}`;
  return period === 1 ? range : `(${range})/${period}`;
}

/** Opens what hides a module and answers with the module whose row shows it (the first of its folded run). */
export const reveal = (tree: Tree, plan: Plan, folds: Folds, node: number) => descend(tree, plan, folds, node, true);

/** The module whose row shows a module as things stand: the first of its folded run, or the closed one around it. */
export const shownAt = (tree: Tree, plan: Plan, folds: Folds, node: number) => descend(tree, plan, folds, node, false);

function descend(tree: Tree, plan: Plan, folds: Folds, node: number, opening: boolean): number {
  const path: number[] = [];
  for (let at = node; at > 0; at = tree.parent[at]) path.push(at);
  let shift = 0;
  let shown = 0;
  for (const at of path.reverse()) {
    if (opening) folds.open[shown] = 1;
    else if (!folds.open[shown]) return shown;
    const wanted = at - shift;
    const group = groupsOf(tree, plan, shown, folds.split.has(shown)).find((each) => holds(tree, each, wanted))!;
    const block = Math.floor((wanted - group.first) / group.stride) * group.stride;
    shift += block;
    shown = wanted - block;
  }
  return shown;
}

/** Opens everything when that stays readable, else as many levels as do. */
export function openFirstLevels(tree: Tree, plan: Plan, folds: Folds, limit = 40): void {
  folds.open[0] = 1;
  for (;;) {
    const before = folds.open.slice();
    const rows = visibleRows(tree, plan, folds);
    const closed = rows.filter((row) => row.ref < 0 && !folds.open[row.node] && hasChildren(tree, row.node));
    if (closed.length === 0) return;
    for (const row of closed) folds.open[row.node] = 1;
    if (visibleRows(tree, plan, folds).length > limit) {
      folds.open.set(before);
      return;
    }
  }
}

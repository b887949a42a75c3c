// The visible rows: which modules, folded runs and references stand one under the other, for a tree, a plan and what is open.
import { groupsOf, type Group } from "./fold";
import type { Plan } from "./plan";
import type { Tree } from "./payload";

/** What the reader opened. `split` holds parents whose repeated children are shown one by one. */
export interface Folds {
  open: Uint8Array;
  split: Set<number>;
}

/** A folded run around some rows: `times` blocks, `stride` indices apart, the first one at `first`. */
export interface Scope {
  outer: Scope | null;
  first: number;
  times: number;
  stride: number;
}

export interface Row {
  node: number; // first module it stands for; the target for a reference
  ref: number; // position in tree.refs, -1 for a module
  times: number; // modules in the folded run, 1 for a single one
  scope: Scope | null; // folded runs it lies in, itself included
  level: number;
  position: number; // among the rows of its parent, from 1
  siblings: number;
  members?: number[]; // kept by membersOf
}

export function newFolds(tree: Tree): Folds {
  return { open: new Uint8Array(tree.size), split: new Set() };
}

/** Keys name a row across rebuilds: the index of its module, or the complement of its reference. */
export const keyOf = (row: Row) => (row.ref < 0 ? row.node : ~row.ref);

interface Frame {
  items: Group[]; // modules; then references as [~ref, 1]
  next: number;
  scope: Scope | null;
}

export function visibleRows(tree: Tree, plan: Plan, folds: Folds): Row[] {
  const rows: Row[] = [];
  const stack: Frame[] = [{ items: [[0, 1]], next: 0, scope: null }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    if (frame.next === frame.items.length) {
      stack.pop();
      continue;
    }
    const [item, times] = frame.items[frame.next++];
    const place = { level: stack.length, position: frame.next, siblings: frame.items.length };
    if (item < 0) {
      rows.push({ node: tree.refs[~item][2], ref: ~item, times: 1, scope: frame.scope, ...place });
      continue;
    }
    const stride = tree.end[item] - item;
    const scope = times > 1 ? { outer: frame.scope, first: item, times, stride } : frame.scope;
    rows.push({ node: item, ref: -1, times, scope, ...place });
    if (folds.open[item]) stack.push({ items: itemsOf(tree, plan, folds, item), next: 0, scope });
  }
  return rows;
}

function itemsOf(tree: Tree, plan: Plan, folds: Folds, node: number): Group[] {
  const refs = (tree.refsOf.get(node) ?? []).map((ref): Group => [~ref, 1]);
  return [...groupsOf(tree, plan, node, folds.split.has(node)), ...refs];
}

export const hasChildren = (tree: Tree, node: number) => tree.end[node] > node + 1 || tree.refsOf.has(node);

/** Every module a row stands for, in pre-order: all blocks of the folded runs around it. */
export function membersOf(row: Row): number[] {
  if (row.members) return row.members;
  let members = [row.node];
  for (let scope = row.scope; scope; scope = scope.outer) {
    const { times, stride } = scope;
    members = Array.from({ length: times }, (_, k) => members.map((index) => index + k * stride)).flat();
  }
  return (row.members = members);
}

/** The FQN as read on the row: folded runs appear as ranges, `h.0–11.attn`. */
export function labelOf(tree: Tree, row: Row): string {
  const parts: string[] = row.ref < 0 ? [] : [tree.refs[row.ref][1]];
  let at = row.ref < 0 ? row.node : tree.refs[row.ref][0];
  let scope = row.scope;
  for (; at > 0; at = tree.parent[at]) {
    const folded = scope !== null && scope.first === at;
    parts.push(folded ? rangeName(tree, at, scope!.times) : tree.names[at]);
    if (folded) scope = scope!.outer;
  }
  return parts.reverse().join(".");
}

export const rangeName = (tree: Tree, first: number, times: number) =>
  times > 1 ? `${tree.names[first]}–${Number(tree.names[first]) + times - 1}` : tree.names[first];

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
    const group = groupsOf(tree, plan, shown, folds.split.has(shown)).find(
      ([first, times]) => wanted >= first && wanted < first + times * (tree.end[first] - first),
    );
    shown = group![0];
    shift += wanted - shown;
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

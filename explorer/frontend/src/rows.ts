// The visible rows: which modules, folded runs and references stand one under the other, for a tree, a plan and what is open.
import { groupsOf, holds, type Group } from "./fold";
import type { Plan } from "./plan";
import type { Tree } from "./payload";

/** What the reader opened. `split` holds parents whose repeated children are shown one by one. */
export interface Folds {
  open: Uint8Array;
  split: Set<number>;
}

export interface Row {
  at: number; // its place among the rows
  node: number; // first module it stands for; the target for a reference
  ref: number; // position in tree.refs, -1 for a module
  times: number; // modules in the folded run, 1 for a single one
  period: number; // places between them among their siblings
  stride: number; // indices between them
  parent: Row | null;
  level: number;
  position: number; // among the rows of its parent, from 1
  siblings: number;
  members?: number[]; // kept by membersOf
}

export const newFolds = (tree: Tree): Folds => ({ open: new Uint8Array(tree.size), split: new Set() });

const NONE: number[] = [];

interface Frame {
  groups: Group[];
  refs: number[]; // positions in tree.refs; they come after the modules
  next: number;
  parent: Row | null;
}

export function visibleRows(tree: Tree, plan: Plan, folds: Folds): Row[] {
  const rows: Row[] = [];
  const root: Group = { first: 0, times: 1, period: 1, stride: tree.size };
  const stack: Frame[] = [{ groups: [root], refs: [], next: 0, parent: null }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const { groups, refs, next, parent } = frame;
    const siblings = groups.length + refs.length;
    if (next === siblings) {
      stack.pop();
      continue;
    }
    const ref = next < groups.length ? -1 : refs[next - groups.length];
    const { first, times, period, stride } = ref < 0 ? groups[next] : root;
    const node = ref < 0 ? first : tree.refs[ref][2];
    const row: Row = { at: rows.length, node, ref, times, period, stride, parent, level: stack.length, position: ++frame.next, siblings };
    rows.push(row);
    if (ref < 0 && folds.open[node]) {
      stack.push({ groups: groupsOf(tree, plan, node, folds.split.has(node)), refs: tree.refsOf.get(node) ?? NONE, next: 0, parent: row });
    }
  }
  return rows;
}

export const hasChildren = (tree: Tree, node: number) => tree.end[node] > node + 1 || tree.refsOf.has(node);

/** A row and those around it, innermost first. */
export function upwards(row: Row): Row[] {
  const all: Row[] = [];
  for (let each: Row | null = row; each; each = each.parent) all.push(each);
  return all;
}

/** How many modules a row stands for, all blocks of the folded runs around it. */
export const countOf = (row: Row) => upwards(row).reduce((count, { times }) => count * times, 1);

/** The last of them in pre-order; the first is `row.node`. */
export const lastOf = (row: Row) => upwards(row).reduce((last, { times, stride }) => last + (times - 1) * stride, row.node);

/** The FQN as read on the row: folded runs appear as ranges, `h.0–11.attn`. */
export const labelOf = (tree: Tree, row: Row) => upwards(row).slice(0, -1).map((each) => nameOf(tree, each)).reverse().join(".");

/** `3`, `0–11`, or `(0–58)/2` for every second one; of a reference its attribute. */
export function nameOf(tree: Tree, { node, ref, times, period }: Row): string {
  const name = ref < 0 ? tree.names[node] : tree.refs[ref][1];
  if (times === 1) return name;
  const range = `${name}–${Number(name) + (times - 1) * period}`;
  return period === 1 ? range : `(${range})/${period}`;
}

/** The module whose row shows a module: the first of its folded run, or the closed one around it; `opening` opens that. */
export function shownAt(tree: Tree, plan: Plan, folds: Folds, node: number, opening = false): number {
  const path: number[] = [];
  for (let at = node; at > 0; at = tree.parent[at]) path.push(at);
  let shift = 0;
  let shown = 0;
  for (const at of path.reverse()) {
    if (opening) folds.open[shown] = 1;
    else if (!folds.open[shown]) return shown;
    const { first, stride } = groupsOf(tree, plan, shown, folds.split.has(shown)).find((group) => holds(tree, group, at - shift))!;
    shown = first + ((at - shift - first) % stride);
    shift = at - shown;
  }
  return shown;
}

/** Opens everything when that stays readable, else as many levels as do. */
export function openFirstLevels(tree: Tree, plan: Plan, folds: Folds, limit = 40): void {
  folds.open[0] = 1;
  for (;;) {
    const closed = visibleRows(tree, plan, folds).filter(({ ref, node }) => ref < 0 && !folds.open[node] && hasChildren(tree, node));
    for (const { node } of closed) folds.open[node] = 1;
    if (closed.length === 0) return;
    if (visibleRows(tree, plan, folds).length > limit) {
      for (const { node } of closed) folds.open[node] = 0;
      return;
    }
  }
}

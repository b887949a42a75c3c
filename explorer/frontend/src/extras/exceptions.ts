// A lone child that counts on from a fold, or towards one, is its exception: it says in what it differs.
import { difference, groupsOf, INTEGER, type Group } from "../fold";
import type { Outline } from "../outline";
import type { Tree } from "../payload";
import type { Plan } from "../plan";
import type { Row } from "../rows";

/** In what a row differs from the fold it is the exception of, "" if it is none. */
export function exceptionOf({ tree, plan, folds }: Pick<Outline, "tree" | "plan" | "folds">, { node, ref, times }: Row): string {
  const parent = tree.parent[node];
  if (ref >= 0 || times > 1 || parent < 0 || folds.split.has(parent)) return "";
  const beside = besideOf(tree, plan, parent, node);
  return beside < 0 ? "" : difference(tree, plan, beside, node);
}

/** The first module of the longer fold beside a lone child; -1 for none. */
export function besideOf(tree: Tree, plan: Plan, parent: number, node: number): number {
  if (!INTEGER.test(tree.names[node])) return -1;
  const groups = groupsOf(tree, plan, parent, false);
  const at = placeOf(groups, node);
  const times = (group?: Group) => (group && INTEGER.test(tree.names[group.first]) ? group.times : 0);
  if (groups[at].times > 1) return -1;
  const longer = times(groups[at + 1]) > times(groups[at - 1]) ? groups[at + 1] : groups[at - 1];
  return times(longer) > 1 ? longer.first : -1;
}

/** By halves: a list of 10,000 children that nothing folds is drawn too. */
function placeOf(groups: Group[], node: number): number {
  let [low, high] = [0, groups.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (groups[middle].first < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Which neighbours share a row: the page's half of the one fold rule (the other is explorer/folding.py, the cases of both
// are in tests/explorer/folds.json). Neighbours with consecutive integer names fold when their blocks look alike module by
// module with a period of 1 to 4: `0–79` is eighty equal blocks, `(0–58)/2` every second one.
import type { Plan } from "./plan";
import type { Tree } from "./payload";

/** Some neighbours shown as one: `times` of them, `period` places and `stride` indices apart, from `first` on. */
export interface Group {
  first: number;
  times: number;
  period: number;
  stride: number;
}

const MAX_PERIOD = 4;

/** The children of a module, folded; kept as long as the plan is. */
export function groupsOf(tree: Tree, plan: Plan, parent: number, split: boolean): Group[] {
  if (split) return kidsOf(tree, parent).map((kid) => single(tree, kid));
  const groups = plan.groups.get(parent) ?? gather(tree, plan, parent);
  plan.groups.set(parent, groups);
  return groups;
}

/** Whether one of the group's blocks holds that module. */
export const holds = ({ end }: Tree, { first, times, stride }: Group, node: number) =>
  node >= first && node < first + times * stride && (node - first) % stride < end[first] - first;

function kidsOf(tree: Tree, parent: number): number[] {
  const kids: number[] = [];
  for (let kid = parent + 1; kid < tree.end[parent]; kid = tree.end[kid]) kids.push(kid);
  return kids;
}

const single = (tree: Tree, first: number): Group => ({ first, times: 1, period: 1, stride: tree.end[first] - first });

function gather(tree: Tree, plan: Plan, parent: number): Group[] {
  const kids = kidsOf(tree, parent);
  const groups: Group[] = [];
  let end = 0;
  for (let start = 0; start < kids.length; ) {
    if (start >= end) for (end = start + 1; end < kids.length && follows(tree, kids[end - 1], kids[end]); ) end++;
    const [period, reach] = longest(tree, plan, kids, start, end);
    for (let k = 0; k < Math.min(period, reach); k++) {
      const times = Math.ceil((reach - k) / period);
      const group = single(tree, kids[start + k]);
      groups.push(times === 1 ? group : { ...group, times, period, stride: kids[start + k + period] - group.first });
    }
    start += reach;
  }
  return groups;
}

export const INTEGER = /^(0|[1-9]\d*)$/;

const follows = (tree: Tree, a: number, b: number) => INTEGER.test(tree.names[a]) && String(Number(tree.names[a]) + 1) === tree.names[b];

/** Period and reach of the repetition that begins at `start`; [1, 1] if none does. The smaller of equal periods wins. */
function longest(tree: Tree, plan: Plan, kids: number[], start: number, end: number): [period: number, reach: number] {
  let best: [number, number] = [1, 1];
  for (let period = 1; period <= MAX_PERIOD && best[1] < end - start; period++) {
    let stop = start + period;
    while (stop < end && difference(tree, plan, kids[stop - period], kids[stop]) === "") stop++;
    const reach = stop - start;
    if (stop <= end && reach >= 2 * period && reach > best[1]) best = [period, reach];
  }
  return best;
}

/** In what two blocks differ first, in a word, "" if in nothing. Owners are compared by their place in the block when
 *  they lie in it, by identity when they lie outside. */
export function difference(tree: Tree, plan: Plan, a: number, b: number): string {
  if (tree.cls[a] !== tree.cls[b]) return tree.classes[tree.cls[a]][0] === tree.classes[tree.cls[b]][0] ? "structure" : "type";
  const { status, head, alarm } = plan;
  const size = tree.end[a] - a;
  const place = (node: number, start: number) => (node >= start && node < start + size ? node - start : -2 - node);
  for (let k = 0; k < size; k++) {
    if (status[a + k] !== status[b + k]) return "status";
    if (place(head[a + k], a) !== place(head[b + k], b)) return "owner";
    if (settingsOf(plan, a + k) !== settingsOf(plan, b + k)) return "unit settings";
    if (alarm[a + k] !== alarm[b + k]) return "findings";
    const unlike = unlikeLink(tree, a, b, k, place);
    if (unlike) return unlike;
  }
  return "";
}

/** Of the first module of a unit: what it was made with. */
function settingsOf(plan: Plan, index: number): string {
  return plan.head[index] === index ? `${plan.made[plan.unitOf[index]]}, ${plan.members.get(index)?.length} modules` : "";
}

/** The kind of the first link of two modules that leads elsewhere, "" where all lead alike; ties come last. */
function unlikeLink({ links }: Tree, a: number, b: number, k: number, place: (node: number, start: number) => number): string {
  if (links.size === 0) return "";
  const [one, other] = [links.get(a + k) ?? [], links.get(b + k) ?? []];
  for (let nth = 0; nth < one.length || nth < other.length; nth++) {
    const [mine, its] = [one[nth], other[nth]];
    if (!mine || !its || mine.label !== its.label || place(mine.target, a) !== place(its.target, b)) {
      return mine?.kind === "shared modules" ? mine.kind : (its ?? mine).kind;
    }
  }
  return "";
}

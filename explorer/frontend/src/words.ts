// Numbers and statuses in words: what rows and screen readers say.
import { STATUSES, type Plan } from "./plan";
import { countOf, labelOf, lastOf, type Row } from "./rows";
import { fqnOf, type Tree } from "./payload";

/** By the letter of the payload, which is in the swatch and in `data-status` too; capital for what is marked itself. */
export const STATUS_WORDS: Record<string, string> = {
  u: "unmanaged",
  F: "fully sharded",
  f: "in a sharded unit",
  R: "replicated",
  r: "inside a replicated module",
  I: "ignored",
  i: "inside an ignored module",
};

/** What the swatch of a status holds. */
export const glyphOf = (letter: string) => (letter === "u" ? "" : letter);

const SCALES: [scale: number, letter: string][] = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]];

export function shortNumel(numel: number): string {
  const found = numel >= 10_000 && SCALES.find(([scale]) => numel >= scale);
  return found ? `${(numel / found[0]).toFixed(1)} ${found[1]}` : numel.toLocaleString("en");
}

/** `u7`, or `u7–18` when the members of a folded row have units of their own. */
export function unitText({ unitOf }: Plan, row: Row): string {
  const [first, last] = [unitOf[row.node], unitOf[lastOf(row)]];
  return first < 0 ? "" : first === last ? `u${first}` : `u${first}–${last}`;
}

/** The whole row in words, for its accessible name and the line under the tree. */
export function describe(tree: Tree, plan: Plan, row: Row): string {
  const name = labelOf(tree, row) || "the root module";
  const { node, times } = row;
  if (row.ref >= 0) return `${name}: the same module as ${fqnOf(tree, node) || "the root"}, number ${node}`;
  const total = tree.total[tree.cls[node]];
  const count = countOf(row);
  const parts = [
    name,
    tree.classes[tree.cls[node]][0],
    times > 1 && `${times} alike`,
    STATUS_WORDS[STATUSES[plan.status[node]]],
    unitText(plan, row).replace("u", "unit "),
    `${shortNumel(total)} parameters${count > 1 ? ` each, ${shortNumel(total * count)} together` : ""}`,
    ["", "has a finding", "has a finding", "has a conflict"][plan.alarm[node]],
  ];
  return parts.filter(Boolean).join(", ");
}

// Numbers and statuses in words: what rows, tooltips and screen readers say.
import { difference } from "./fold";
import { STATUSES, type Plan } from "./plan";
import { countOf, labelOf, lastOf, type Row } from "./rows";
import { fqnOf, type Tree } from "./payload";

export interface StatusWord {
  letter: string; // in the payload and in data-status
  glyph: string; // in the swatch
  hue: "shard" | "replicate" | "ignore" | "none";
  word: string;
}

const WORDS: Record<string, Omit<StatusWord, "letter">> = {
  u: { glyph: "", hue: "none", word: "unmanaged" },
  F: { glyph: "F", hue: "shard", word: "fully sharded" },
  f: { glyph: "f", hue: "shard", word: "in a sharded unit" },
  R: { glyph: "R", hue: "replicate", word: "replicated" },
  r: { glyph: "r", hue: "replicate", word: "inside a replicated module" },
  I: { glyph: "I", hue: "ignore", word: "ignored" },
  i: { glyph: "i", hue: "ignore", word: "inside an ignored module" },
};

export const STATUS_WORDS: StatusWord[] = [...STATUSES].map((letter) => ({ letter, ...WORDS[letter] }));

const SCALES: [number, string][] = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]];

export function shortNumel(numel: number): string {
  for (const [scale, letter] of SCALES) {
    if (numel >= scale && numel >= 10_000) return `${(numel / scale).toFixed(1)} ${letter}`;
  }
  return numel.toLocaleString("en");
}

/** One number for all members of a row: itself, a progression `13+13k`, or the least and `…` when irregular. */
export function progression(values: number[]): string {
  if (values.length === 0 || values.some((value) => value < 0)) return "";
  const step = (values[1] ?? values[0]) - values[0];
  if (!values.every((value, k) => value === values[0] + k * step)) return `${values.reduce((a, b) => Math.min(a, b))}…`;
  return steps(values[0], step);
}

/** `13`, `13+13k`, `12−k`. */
export function steps(first: number, step: number): string {
  const times = Math.abs(step) === 1 ? "" : Math.abs(step);
  return step === 0 ? String(first) : `${first}${step < 0 ? "−" : "+"}${times}k`;
}

/** `u7`, or `u7–18` when the members of a folded row have units of their own. */
export function unitText(plan: Plan, row: Row): string {
  const first = plan.unitOf[row.node];
  const last = plan.unitOf[lastOf(row)];
  if (first < 0) return "";
  return first === last ? `u${first}` : `u${first}–${last}`;
}

export function statusOf(plan: Plan, row: Row): StatusWord {
  return STATUS_WORDS[plan.status[row.node]];
}

/** The whole row in words, for its accessible name and the line under the tree. */
export function describe(tree: Tree, plan: Plan, row: Row): string {
  const name = labelOf(tree, row) || "the root module";
  if (row.ref >= 0) return `${name}: the same module as ${fqnOf(tree, row.node) || "the root"}, number ${row.node}`;
  const [type] = tree.classes[tree.cls[row.node]];
  const total = tree.total[tree.cls[row.node]];
  const numel = shortNumel(total);
  const count = countOf(row);
  const unit = plan.unitAt.get(row.node);
  const parts = [
    `${name}, ${type}${row.times > 1 ? `, ${row.times} alike` : ""}`,
    statusOf(plan, row).word,
    unitText(plan, row).replace("u", "unit "),
    count > 1 ? `${numel} parameters each, ${shortNumel(total * count)} together` : `${numel} parameters`,
    unit && unit.handle !== null ? `handle ${unit.handle}` : "",
    row.beside < 0 ? "" : `differs from its neighbours in ${difference(tree, plan, row.beside, row.node)}`,
    plan.alarm[row.node] === 3 ? "has a conflict" : plan.alarm[row.node] ? "has a finding" : "",
  ];
  return parts.filter(Boolean).join(", ");
}

export function ownParameters(tree: Tree, node: number): string {
  const [, own] = tree.classes[tree.cls[node]];
  return own.map(([name, shape, dtype, flags]) => `${name} [${shape.join(", ")}] ${dtype}${flagWords(flags)}`).join("; ");
}

const flagWords = (flags: string) =>
  (flags.includes("b") ? " buffer" : "") + (flags.includes("f") ? " frozen" : "") + (/[ts]/.test(flags) ? " tied" : "");

/** The sentence over the tree. */
export function totalsText(modules: number, { payload: { totals, rev }, unitAt }: Plan): string {
  const parts = ["sharded", "replicated", "ignored", "unmanaged"].filter((kind) => totals[kind]);
  const split = parts.map((kind) => `${shortNumel(totals[kind])} ${kind}`).join(", ");
  const numel = totals.numel === undefined ? "" : ` · ${shortNumel(totals.numel)} parameters`;
  const many = (count: number, word: string) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  return `${many(modules, "module")}${numel}${split ? `: ${split}` : ""} · ${many(unitAt.size, "unit")} · revision ${rev}`;
}

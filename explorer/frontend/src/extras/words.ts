// What only the second module says: numbers of folded rows, parameters, the sentence over the tree.
import type { Outline } from "../outline";
import type { Tree } from "../payload";
import type { Row } from "../rows";
import { describe, shortNumel } from "../words";
import { CUT_WORDS, cutsOf } from "./cuts";
import { exceptionOf } from "./exceptions";
import { wholePlan, type Plan } from "./plan";

/** A row in words: what the first module says of it, its handle, and in what it differs from the fold beside it. */
export function inFull(outline: Outline, row: Row): string {
  const differs = exceptionOf(outline, row);
  const handle = row.ref < 0 ? wholePlan(outline.tree, outline.plan).unitAt.get(row.node)?.handle : null;
  const cut = row.ref < 0 ? cutsOf(outline.tree, row.node, true).map((chip) => CUT_WORDS[chip]).join(" and ") : "";
  const checkpointed = row.ref < 0 && isCheckpointed(outline.tree, row.node) ? "checkpointed" : "";
  const parts = [describe(outline.tree, outline.plan, row), cut, checkpointed, handle == null ? "" : `handle ${handle}`, differs && `differs from its neighbours in ${differs}`];
  return parts.filter(Boolean).join(", ");
}

/** Whether the activations inside a module are made again in backward. */
export const isCheckpointed = (tree: Tree, node: number): boolean => tree.classes[tree.cls[node]][3]?.includes("c") ?? false;

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

export function ownParameters(tree: Tree, node: number): string {
  const said = (flags: string) => `${flags.includes("b") ? " buffer" : ""}${flags.includes("f") ? " frozen" : ""}${/[ts]/.test(flags) ? " tied" : ""}`;
  return tree.classes[tree.cls[node]][1].map(([name, shape, dtype, flags]) => `${name} [${shape.join(", ")}] ${dtype}${said(flags)}`).join("; ");
}

/** The sentence over the tree. */
export function totalsText(modules: number, { state: { totals, rev, units } }: Plan): string {
  const many = (count: number, word: string) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  const parts = ["sharded", "replicated", "ignored", "unmanaged"].filter((kind) => totals[kind]).map((kind) => `${shortNumel(totals[kind])} ${kind}`);
  const numel = totals.numel === undefined ? "" : ` · ${shortNumel(totals.numel)} parameters${parts.length ? ": " : ""}${parts.join(", ")}`;
  return `${many(modules, "module")}${numel} · ${many(units.length, "unit")} · revision ${rev}`;
}

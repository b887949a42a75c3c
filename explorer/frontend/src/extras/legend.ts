// The legend: every status with its swatch, letter and word, and the marks that are not statuses.
import { h } from "../dom";
import { STATUSES } from "../plan";
import { glyphOf, STATUS_WORDS } from "../words";

const MARKS: [sign: string, word: string][] = [
  ["u7", "unit"],
  ["H I₁ I₂", "handles: listed, made by fully_shard, by the wrapper"],
  ["5+10k", "k-th of a ×n row"],
  ["↪", "same module again"],
  ["tie a", "tied parameters"],
  ["fz", "frozen"],
  ["TP PP EP", "cut by another parallelism"],
  ["⧈", "checkpointed: a double border"],
  ["▲", "finding"],
  ["!", "conflict"],
];

export function legend(): HTMLElement {
  const statuses = [...STATUSES].map((letter) =>
    h("span", { class: "key", "data-status": letter }, h("span", { "data-cell": "swatch" }, glyphOf(letter)), STATUS_WORDS[letter]),
  );
  const marks = MARKS.map(([sign, word]) => h("span", { class: "key" }, h("b", {}, sign), word));
  return h("div", { class: "legend", role: "group", "aria-label": "Legend" }, ...statuses, ...marks);
}

// The legend: every status with its swatch, letter and word, and the marks that are not statuses.
import { h } from "../dom";
import { STATUS_WORDS } from "../words";

const MARKS: [sign: string, word: string][] = [
  ["u7", "unit"],
  ["H I₁ I₂", "handles: listed, made by fully_shard, by the wrapper"],
  ["5+10k", "k-th of a ×n row"],
  ["↪", "same module again"],
  ["tie a", "tied parameters"],
  ["fz", "frozen"],
  ["▲", "finding"],
  ["!", "conflict"],
];

export function legend(): HTMLElement {
  const statuses = STATUS_WORDS.map(({ letter, glyph, hue, word }) =>
    h("span", { class: "key", "data-status": letter, "data-hue": hue }, h("span", { "data-cell": "swatch" }, glyph), word),
  );
  const marks = MARKS.map(([sign, word]) => h("span", { class: "key" }, h("b", {}, sign), word));
  return h("div", { class: "legend", role: "group", "aria-label": "Legend" }, ...statuses, ...marks);
}

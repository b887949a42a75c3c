import { describe, expect, it } from "vitest";
import { materialise } from "../src/payload";
import { decodePlan } from "./shapes";
import { inFull, progression } from "../src/extras/words";
import { Outline } from "../src/outline";
import { parsePlan, STATUSES } from "../src/plan";
import { glyphOf, shortNumel, STATUS_WORDS, unitText } from "../src/words";
import { payloadOf, stack, unitPerBlock } from "./shapes";

describe("numbers", () => {
  it.each([[0, "0"], [1536, "1,536"], [9999, "9,999"], [38_597_376, "38.6 M"], [68.5e9, "68.5 B"], [1.2e12, "1.2 T"]])("%d", (numel, text) =>
    expect(shortNumel(numel)).toBe(text),
  );

  it.each([[[7], "7"], [[13, 26, 39], "13+13k"], [[1, 2, 3], "1+k"], [[9, 8], "9−k"], [[9, 7, 5], "9−2k"], [[4, 4], "4"], [[1, 5, 6], "1…"], [[-1], ""], [[], ""]])("%o", (values, text) =>
    expect(progression(values)).toBe(text),
  );
});

describe("statuses", () => {
  it("differ by glyph and word, never by hue alone", () => {
    expect(new Set([...STATUSES].map(glyphOf)).size).toBe(7);
    expect(new Set([...STATUSES].map((letter) => STATUS_WORDS[letter])).size).toBe(7);
  });
});

describe("a row in words", () => {
  const tree = materialise({ ...stack(12), refs: [[0, "again", 1, "shared"]] });
  const plan = parsePlan(JSON.stringify(payloadOf(unitPerBlock(12), tree.size)), tree);
  const outline = new Outline(tree, plan);
  const { rows } = outline;

  it("names status, unit, size and place", () => {
    expect(inFull(outline, rows[0])).toBe("the root module, Stack, fully sharded, unit 0, 414 parameters, handle 0");
    expect(inFull(outline, rows[3])).toBe("h.0–11, Block, 12 alike, fully sharded, unit 1–12, 32 parameters each, 384 together, handle 1");
  });

  it("of a reference says what it is the same as", () => {
    expect(inFull(outline, rows.at(-1)!)).toBe("again: the same module as wte, number 1");
  });

  it("has no unit text where nobody owns", () => {
    expect(unitText(decodePlan({ ...unitPerBlock(12), unit_of: [] }, tree.size), rows[0])).toBe("");
  });
});

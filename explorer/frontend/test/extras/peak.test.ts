import { describe, expect, it } from "vitest";
import { pathOf, termsOf } from "../../src/extras/peak";

describe("the peak", () => {
  it("terms keep their order and shares; empty ones are left out", () => {
    expect(termsOf([["parameters", 75], ["gradients", 25], ["buffers", 0]])).toEqual([
      { label: "parameters", nbytes: 75, share: 0.75 }, { label: "gradients", nbytes: 25, share: 0.25 },
    ]);
  });

  it("many terms end in one that holds the rest, and nothing is lost", () => {
    const terms = termsOf(Array.from({ length: 30 }, (_, at) => [`unit ${at}`, 100 - at]));
    expect([terms.length, terms.at(-1)!.label]).toEqual([9, "22 smaller terms"]);
    expect(terms.reduce((sum, { nbytes }) => sum + nbytes, 0)).toBe(30 * 100 - 435);
    expect(terms.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it("the path spans the box, and the mark stands on its highest point", () => {
    expect(pathOf([["start", 50], ["backward", 100], ["end", 25]], 100, 40)).toEqual({ path: "M0.0 20.0L50.0 0.0L100.0 30.0", x: 50, y: 0 });
    expect(pathOf([], 100, 40).path).toBe("");
  });
});

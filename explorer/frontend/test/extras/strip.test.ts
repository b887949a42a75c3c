import { describe, expect, it } from "vitest";
import { blocksOf, moduleAt } from "../../src/extras/strip";
import { materialise, type ModuleClass } from "../../src/payload";
import { stack } from "../shapes";

const weight = (numel: number): ModuleClass[1] => [["weight", [numel], "float32", ""]];

/** A root with 100 elements of its own, a big child of 800 and a list of 1,000 experts that hold 100 together. */
const classes: ModuleClass[] = [
  ["Big", weight(800), []],
  ["Expert", [["weight", [1], "float32", ""]], []],
  ["Experts", [], [["0", "99", 1]]],
  ["Root", weight(100), [["big", null, 0], ["experts", null, 2]]],
];
const tree = materialise({ v: 1, name: "Root", classes, root: 3, refs: [], ties: [] });

describe("the icicle", () => {
  it("gives every module the width of its parameters, after what its parent holds itself", () => {
    const blocks = blocksOf(tree, 1000, 3).filter(({ level }) => level === 1);
    expect(blocks.map(({ node, left, width }) => [node, left, width])).toEqual([[1, 100, 800], [2, 900, 100]]);
  });

  it("draws modules narrower than a pixel as one rectangle, and finds each of them under the pointer", () => {
    const shared = blocksOf(tree, 500, 3).filter(({ level }) => level === 2);
    expect(shared).toEqual([{ node: 3, many: 100, stride: 1, level: 2, left: 450, width: 50 }]);
    const blocks = blocksOf(tree, 500, 3);
    expect(moduleAt(blocks, 450, 2)).toBe(3);
    expect(moduleAt(blocks, 499.9, 2)).toBe(102);
  });

  it("leaves out what does not fill a pixel at all", () => {
    expect(blocksOf(tree, 5, 3).map(({ node }) => node)).toEqual([0, 1]);
  });

  it("a point over a parent's own parameters, or below the deepest rectangle, is the parent", () => {
    const blocks = blocksOf(tree, 1000, 3);
    expect([moduleAt(blocks, 50, 2), moduleAt(blocks, 300, 2), moduleAt(blocks, 1000, 2)]).toEqual([0, 1, -1]);
  });

  it("rectangles of one level never overlap and lie within their parent, for repeated blocks too", () => {
    const gpt = materialise(stack(12));
    const blocks = blocksOf(gpt, 700, 4);
    for (const level of [1, 2, 3]) {
      let right = 0;
      for (const block of blocks.filter((each) => each.level === level)) {
        expect(block.left).toBeGreaterThanOrEqual(right - 1e-6);
        right = block.left + block.width;
        const parent = blocks.find((each) => each.node === gpt.parent[block.node])!;
        expect(right).toBeLessThanOrEqual(parent.left + parent.width + 1e-6);
      }
    }
  });

  it("looks at as much of 1,000,000 modules as fits the strip", () => {
    const experts: ModuleClass[] = [classes[1], ["List", [], [["0", "999", 0]]], ["Root", [], [["0", "999", 1]]]];
    const large = materialise({ v: 1, name: "Root", classes: experts, root: 2, refs: [], ties: [] });
    expect(blocksOf(large, 900, 4).length).toBeLessThan(1000);
  });

  it("a model without parameters has nothing to show", () => {
    expect(blocksOf(materialise({ v: 1, name: "Empty", classes: [["Empty", [], []]], root: 0, refs: [], ties: [] }), 500, 3)).toEqual([]);
  });
});

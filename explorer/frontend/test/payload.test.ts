import { describe, expect, it } from "vitest";
import { tiesOf } from "../src/extras/ties";
import { find, fqnOf, materialise, parseTree, type ModuleClass } from "../src/payload";
import { stack } from "./shapes";

describe("materialise", () => {
  it("numbers every instance in pre-order", () => {
    const tree = materialise(stack(2));
    expect(tree.size).toBe(10);
    expect([...tree.names]).toEqual(["", "wte", "h", "0", "a", "b", "1", "a", "b", "head"]);
    expect([...tree.end]).toEqual([10, 2, 9, 6, 5, 6, 9, 8, 9, 10]);
    expect([...tree.parent]).toEqual([-1, 0, 0, 2, 3, 3, 2, 6, 6, 0]);
    expect([...tree.depth]).toEqual([0, 1, 1, 2, 3, 3, 2, 3, 3, 1]);
  });

  it("counts a tied tensor once and no buffer", () => {
    const tree = materialise(stack(2));
    expect(tree.own[tree.cls[1]]).toBe(30); // the cache of 99 is a buffer
    expect(tree.own[tree.cls[9]]).toBe(0); // the head's weight is the embedding's
    expect(tree.total[tree.cls[0]]).toBe(30 + 4 * 16);
  });

  it("puts one letter on all modules of a tie", () => {
    expect([...tiesOf(materialise(stack(2))).lettersOf]).toEqual([[1, ["a"]], [9, ["a"]]]);
  });

  it("holds a hundred thousand modules and a chain of ten thousand", () => {
    expect(materialise(stack(33_333)).size).toBe(100_003);
    const chain: ModuleClass[] = [["Leaf", [], []]];
    for (let k = 0; k < 10_000; k++) chain.push(["Link", [], [["next", null, k]]]);
    const tree = materialise({ v: 1, name: "Chain", classes: chain, root: 10_000, refs: [], ties: [] });
    expect(tree.depth[tree.size - 1]).toBe(10_000);
    expect(fqnOf(tree, tree.size - 1).split(".").length).toBe(10_000);
  });

  it("finds modules by FQN and names them back", () => {
    const tree = materialise(stack(3));
    for (const fqn of ["", "wte", "h", "h.2", "h.1.b", "head"]) expect(fqnOf(tree, find(tree, fqn))).toBe(fqn);
    expect(find(tree, "h.3")).toBe(-1);
    expect(find(tree, "h.1.b.c")).toBe(-1);
  });

  it("says which format it reads when it gets another", () => {
    expect(() => parseTree('{"v":2}')).toThrow("The tree has format 2; this page reads format 1.");
  });

  it("refuses classes that come before their children", () => {
    const broken = { ...stack(1), classes: [["Loop", [], [["x", null, 0]]]] as ModuleClass[], root: 0 };
    expect(() => materialise(broken)).toThrow("class 0 (Loop) comes before its child x");
  });
});

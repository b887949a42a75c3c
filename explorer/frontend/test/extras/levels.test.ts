import { describe, expect, it } from "vitest";
import { editOf } from "../../src/extras/keys";
import { cutsOf } from "../../src/extras/cuts";
import { targetsOf } from "../../src/extras/levels";
import { materialise } from "../../src/payload";
import { stack } from "../shapes";

const tree = materialise(stack(2)); // 0, wte 1, h 2, blocks 3 6 of two, head 9

describe("a boundary moved one level", () => {
  it("goes up past a list that can be no unit, and each parent is meant once", () => {
    expect(targetsOf(tree, [3, 6], "up")).toEqual([0]);
    expect(targetsOf(tree, [4, 5, 7, 8], "up")).toEqual([3, 6]);
    expect(targetsOf(tree, [0], "up")).toEqual([]);
  });

  it("goes down to the children that have parameters, through such a list", () => {
    expect(targetsOf(tree, [0], "down")).toEqual([1, 3, 6]); // head is tied to wte: its elements are wte's
    expect(targetsOf(tree, [3, 6], "down")).toEqual([4, 5, 7, 8]);
    expect(targetsOf(tree, [4], "down")).toEqual([]);
  });

  it("is Alt with an arrow, and = shows what changed", () => {
    const key = (name: string, altKey = false) => editOf({ key: name, altKey, shiftKey: false, ctrlKey: false, metaKey: false });
    expect(key("ArrowUp", true)).toEqual({ do: "boundary", way: "up" });
    expect(key("ArrowDown", true)).toEqual({ do: "boundary", way: "down" });
    expect(key("ArrowUp")).toBeNull();
    expect(key("f", true)).toBeNull();
    expect(key("=")).toEqual({ do: "review" });
  });
});

describe("parameters cut by another parallelism", () => {
  it("have two letters on their module, and on the closed ones around it", () => {
    const payload = stack(2);
    payload.classes[0][1][0][3] = "fT"; // weight of every Linear in a block
    payload.classes[0][1][1][3] = "D";
    const cut = materialise(payload);
    expect(cutsOf(cut, 4, false)).toEqual(["TP", "DT"]);
    expect(cutsOf(cut, 3, false)).toEqual([]);
    expect(cutsOf(cut, 2, true)).toEqual(["TP", "DT"]);
    expect(cutsOf(cut, 1, true)).toEqual([]);
  });
});

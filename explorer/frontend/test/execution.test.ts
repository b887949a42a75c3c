import { describe, expect, it } from "vitest";
import { executed } from "../src/extras/columns";
import { executionOf } from "../src/extras/execution";
import type { RunEvent } from "../src/extras/run";
import { materialise } from "../src/payload";
import { newFolds, visibleRows } from "../src/rows";
import { decodePlan, stack, unitPerBlock } from "./shapes";

const step = (again: boolean): RunEvent[] => {
  const unshard = (phase: string, unit: string): RunEvent[] => [[phase, "G", unit, 128], [phase, "U", unit, 128]];
  const forward = ["0", "3", "6", ...(again ? ["3"] : []), "9"].flatMap((unit) => unshard("F", unit));
  const backward = ["9", "6", "3"].flatMap((unit): RunEvent[] => [...unshard("B", unit), ["B", "S", unit, 64]]);
  return [...forward, ...backward, ["O", "A", "", 4]];
};

describe("the observed order", () => {
  it("is that of the last step, re-entries included", () => {
    expect(Object.fromEntries(executionOf([...step(false), ...step(true)]))).toEqual({
      "0": { forward: [0], backward: [] },
      "3": { forward: [1, 3], backward: [7] },
      "6": { forward: [2], backward: [6] },
      "9": { forward: [4], backward: [5] },
    });
  });

  it("is nothing without events", () => expect(executionOf([]).size).toBe(0));

  it("reads as places, and as progressions in folded rows", () => {
    const tree = materialise(stack(3));
    const plan = decodePlan(unitPerBlock(3), tree.size);
    const rows = visibleRows(tree, plan, { open: newFolds(tree).open.fill(1), split: new Set() });
    const text = (run: RunEvent[], row: number) => executed(plan.unitAt, rows[row], executionOf(run));
    expect(text(step(false), 3)).toBe("→1+k ←6−k");
    expect(text(step(false), 0)).toBe("→0");
    const single = visibleRows(tree, plan, { open: newFolds(tree).open.fill(1), split: new Set([2]) });
    expect(executed(plan.unitAt, single[3], executionOf(step(true)))).toBe("→1,3 ←7");
    expect(text([], 3)).toBe("");
  });
});

import { describe, expect, it } from "vitest";
import { bucketsOf, rowAt, spreadOut, windowOf } from "../../src/extras/buckets";
import { materialise } from "../../src/payload";
import { STATUSES } from "../../src/plan";
import { decodePlan } from "../shapes";
import { newFolds, visibleRows } from "../../src/rows";
import { stack, unitPerBlock } from "../shapes";

const tree = materialise(stack(12));
const plan = decodePlan({ ...unitPerBlock(12), findings: [{ kind: "k", severity: "warn", fqns: ["wte"], indices: [1], message: "" }] }, tree.size);
const rows = visibleRows(tree, plan, { ...newFolds(tree), open: newFolds(tree).open.fill(1), split: new Set([2]) });
const letters = (bits: number) => [...STATUSES].filter((_, at) => bits & (1 << at)).join("");

describe("the minimap", () => {
  it("a few rows get thick lines, one each", () => {
    const buckets = bucketsOf(rows, plan, [], 400);
    expect([buckets.count, buckets.thick, buckets.rows]).toEqual([rows.length, 4, 40]);
    expect([...buckets.statuses].map(letters).join("")).toBe("Fff" + "Fff".repeat(12) + "f");
  });

  it("more rows than pixels share lines, and nothing in a shared line is lost", () => {
    const buckets = bucketsOf(rows, plan, [39, 0], 10);
    expect([buckets.count, buckets.thick]).toEqual([10, 1]);
    expect([...buckets.statuses].map(letters)).toEqual(Array.from({ length: 10 }, () => "Ff"));
    expect([...buckets.alarm]).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect([...buckets.hit]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it("every row lies in exactly one line, for odd heights too", () => {
    for (const height of [1, 3, 7, 11, 39, 40, 41, 120]) {
      const buckets = bucketsOf(rows, plan, rows.keys(), height);
      expect(buckets.count * buckets.thick).toBeLessThanOrEqual(Math.max(height, 1));
      expect(buckets.hit.every((hit) => hit === 1)).toBe(true);
      expect(buckets.statuses.every((bits) => bits !== 0)).toBe(true);
    }
  });

  it("shows what is on the screen, and a click goes where it points", () => {
    const buckets = bucketsOf(rows, plan, [], 160);
    expect(windowOf(buckets, 10, 20)).toEqual({ top: 40, height: 80 });
    expect(windowOf(buckets, 39, 20)).toEqual({ top: 80, height: 80 });
    expect([rowAt(buckets, -5), rowAt(buckets, 41), rowAt(buckets, 9999)]).toEqual([0, 10, 39]);
    expect(windowOf(bucketsOf([], plan, [], 100), 0, 20).height).toBe(0);
  });

  it("ten thousand hits become as many ticks as can be told apart", () => {
    const hits = Array.from({ length: 10_000 }, (_, at) => 3 * at);
    const few = spreadOut(hits, 500);
    expect([few.length, few[0], few[499]]).toEqual([500, 0, 29_940]);
    expect(spreadOut([4, 5], 500)).toEqual([4, 5]);
  });
});

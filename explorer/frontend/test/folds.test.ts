// The cases that the page and Python answer alike: tests/explorer/folds.json.
import { describe, expect, it } from "vitest";
import json from "../../../tests/explorer/folds.json";
import { fqnOf, materialise, type TreePayload } from "../src/payload";
import { membersOf } from "../src/extras/members";
import { parsePlan, type PlanPayload } from "../src/plan";
import { labelOf, newFolds, visibleRows } from "../src/rows";

interface Case {
  model: string;
  rows: [label: string, times: number][];
  members?: Record<string, string[]>;
}

const table = json as unknown as {
  cases: Case[];
  models: Record<string, { tree: TreePayload; plan: PlanPayload }>;
};

describe("folding as Python folds", () => {
  it("has cases to answer", () => expect(table.cases.length).toBeGreaterThan(20));

  it.each(table.cases)("$model", ({ model, rows, members }) => {
    const { tree: payload, plan: state } = table.models[model];
    const tree = materialise(payload);
    const folds = { open: newFolds(tree).open.fill(1), split: new Set<number>() };
    const found = visibleRows(tree, parsePlan(JSON.stringify(state), tree), folds);
    expect(found.map((row) => [labelOf(tree, row), row.times])).toEqual(rows);
    for (const [label, fqns] of Object.entries(members ?? {})) {
      const row = found.find((each) => labelOf(tree, each) === label)!;
      expect(membersOf(row).sort((a, b) => a - b).map((index) => fqnOf(tree, index))).toEqual(fqns);
    }
  });
});

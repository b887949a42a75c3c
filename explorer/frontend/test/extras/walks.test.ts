// The same file of cases that Python answers (tests/explorer/test_walks.py): the player walks as layouts are ordered.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { groundOf } from "../../src/extras/narration";
import { recordWalk, type WalkKind } from "../../src/extras/walk";
import { materialise } from "../../src/payload";
import { wholePlan } from "../../src/extras/plan";
import { parsePlan } from "../../src/plan";

const CASES = JSON.parse(readFileSync(new URL("../../../../tests/explorer/walks.json", import.meta.url), "utf8"));
const ORDERS: [WalkKind, string][] = [["modules", "dfs"], ["rightToLeft", "right_to_left"], ["handles", "handles"], ["composable", "init_composable"], ["wrapper", "init_wrapper"]];

describe.each(ORDERS)("%s", (kind, order) => {
  it("is what Python gives, on random models and plans", () => {
    for (const { seed, tree, plan, orders } of CASES) {
      const model = materialise(tree);
      const ground = groundOf(model, wholePlan(model, parsePlan(JSON.stringify(plan), model)), [0]);
      expect([...recordWalk(ground, kind).produced], `seed ${seed}`).toEqual(orders[order]);
    }
  });
});

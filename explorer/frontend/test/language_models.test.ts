// Language models in their published shapes fold to a screenful: the payloads are those of Python, checked there.
import { describe, expect, it } from "vitest";
import json from "../../../tests/explorer/llm_payloads.json";
import { selectedModules } from "../src/extras/selection";
import { Outline } from "../src/outline";
import { materialise, type TreePayload } from "../src/payload";
import { parsePlan } from "../src/plan";

const models = Object.entries(json as unknown as Record<string, { rows: number; modules: number; tree: TreePayload; plan: object }>);

function outlineOf(tree: TreePayload, plan: object): Outline {
  const whole = materialise(tree);
  return new Outline(whole, parsePlan(JSON.stringify(plan), whole));
}

describe("everything open", () => {
  it.each(models)("%s", (_, { rows, modules, tree, plan }) => {
    const outline = outlineOf(tree, plan);
    expect(outline.tree.size).toBe(modules);
    outline.openAll();
    expect(outline.rows).toHaveLength(rows);
  });
});

describe("one layer apart", () => {
  const [, { tree, plan }] = models.find(([name]) => name === "llama70b, a unit a layer")!;

  it("every module is still shown by exactly one row", () => {
    const outline = outlineOf(tree, plan);
    outline.openAll();
    const shown = outline.rows.flatMap((_, at) => (outline.select(at), selectedModules(outline)));
    expect(shown.sort((a, b) => a - b)).toEqual([...Array(outline.tree.size).keys()]);
    for (const node of [0, 5, 700, outline.tree.size - 1]) {
      outline.select(outline.rowOf(node));
      expect(selectedModules(outline)).toContain(node);
    }
  });

  it("splits and folds by hand", () => {
    const outline = outlineOf(tree, plan);
    outline.closeAll();
    outline.jump(4);
    outline.split();
    expect(outline.rows).toHaveLength(87);
    outline.split();
    expect(outline.rows).toHaveLength(8);
  });
});

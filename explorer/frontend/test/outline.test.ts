import { beforeEach, describe, expect, it } from "vitest";
import { selectedModules } from "../src/extras/selection";
import { Outline } from "../src/outline";
import { materialise } from "../src/payload";
import { parsePlan } from "../src/plan";
import { decodePlan } from "./shapes";
import { labelOf } from "../src/rows";
import { planState, stack } from "./shapes";

let outline: Outline;
const labels = () => outline.rows.map((row) => labelOf(outline.tree, row));
const focused = () => labels()[outline.focus];

beforeEach(() => {
  const tree = materialise({ ...stack(12), refs: [[0, "again", 4, "shared"]] });
  outline = new Outline(tree, parsePlan("", tree));
});

describe("outline", () => {
  it("opens everything that stays readable", () => {
    expect(labels()).toEqual(["", "wte", "h", "h.0–11", "h.0–11.a", "h.0–11.b", "head", "again"]);
  });

  it("moves within the rows and no further", () => {
    outline.select(99);
    expect(focused()).toBe("again");
    outline.select(-3);
    expect(focused()).toBe("");
  });

  it("selects a range and answers with its modules, each once and in order", () => {
    outline.select(6);
    outline.select(4, true);
    expect(selectedModules(outline)).toEqual([...Array.from({ length: 12 }, (_, k) => [4 + 3 * k, 5 + 3 * k]).flat(), 39]);
  });

  it("leaves references out of what is marked", () => {
    outline.select(7);
    expect(selectedModules(outline)).toEqual([]);
  });

  it("steps in to the right and out to the left", () => {
    outline.select(3);
    outline.close();
    expect(outline.isOpen(outline.rows[3])).toBe(false);
    outline.close();
    expect(focused()).toBe("h");
    outline.open();
    expect(focused()).toBe("h.0–11");
    outline.open();
    outline.open();
    expect(focused()).toBe("h.0–11.a");
  });

  it("moves the focus to what was closed over it", () => {
    outline.select(5);
    outline.closeAll();
    expect(labels()).toEqual(["", "wte", "h", "head", "again"]);
    expect(focused()).toBe("h");
  });

  it("keeps the focus on the module when a plan splits its run", () => {
    outline.select(3);
    outline.plan = decodePlan(planState({ status: [[9, 10, 1, "F"]] }), outline.tree.size);
    outline.rebuild();
    expect(labels().filter((name) => /^h\.[\d–]+$/.test(name))).toEqual(["h.0–1", "h.2", "h.3–11"]);
    expect(focused()).toBe("h.0–1");
  });

  it("jumps from a reference to the row of its module", () => {
    outline.closeAll();
    outline.select(4);
    outline.enter();
    expect(focused()).toBe("h.0–11.a");
  });

  it("splits a run and gathers it again", () => {
    outline.split(outline.rows[3]);
    expect(labels().filter((name) => /^h\.\d+$/.test(name))).toHaveLength(12);
    outline.split(outline.rows[3]);
    expect(labels()).toContain("h.0–11");
    outline.split(outline.rows[4]); // inside the run: the run around it
    expect(labels()).toContain("h.11");
  });

  it("has nothing to split at the root or a reference", () => {
    const before = labels();
    outline.split(outline.rows[0]);
    outline.split(outline.rows[7]);
    expect(labels()).toEqual(before);
    expect([...outline.folds.split]).toEqual([]);
  });

  it("comes back as it was saved", () => {
    outline.restore([0], []);
    outline.jump(4);
    expect(focused()).toBe("h.0–11.a");
    outline.restore([0], [2]);
    expect(labels()).toEqual(["", "wte", "h", "head", "again"]);
  });
});

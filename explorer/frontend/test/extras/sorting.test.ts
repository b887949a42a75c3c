import { describe, expect, it } from "vitest";
import { Measured } from "../../src/extras/columns";
import { pressed, sorted } from "../../src/extras/sorting";
import { Outline } from "../../src/outline";
import { materialise, type ModuleClass } from "../../src/payload";
import { parsePlan } from "../../src/plan";
import { labelOf } from "../../src/rows";
import { payloadOf, stack, unitPerBlock } from "../shapes";

function outlineOf(blocks: number): Outline {
  const tree = materialise(stack(blocks));
  return new Outline(tree, parsePlan(JSON.stringify(payloadOf(unitPerBlock(blocks), tree.size)), tree));
}

const measured = new Measured();

function names(outline: Outline, key: string, down: boolean): string[] {
  outline.rebuild(); // fresh rows: sorting takes them over
  return sorted(outline, outline.rows, measured.valueOf(key), down).map((row) => labelOf(outline.tree, row));
}

describe("a press on a head", () => {
  it("sorts, turns round, and gives the tree back; amounts begin with the largest", () => {
    const first = pressed(null, "total");
    expect(first).toEqual({ key: "total", down: true });
    expect(pressed(first, "total")).toEqual({ key: "total", down: false });
    expect(pressed(pressed(first, "total"), "total")).toBeNull();
    expect(pressed(first, "handle")).toEqual({ key: "handle", down: false });
  });
});

describe("sorted rows", () => {
  it("are in the order of the column, equal ones as in the tree", () => {
    const outline = outlineOf(2);
    expect(names(outline, "total", true)).toEqual(["", "h", "h.0–1", "wte", "h.0–1.a", "h.0–1.b", "head"]); // head's only weight is wte's
    expect(names(outline, "dfs", true).at(-1)).toBe("");
  });

  it("put rows without a value last either way", () => {
    const outline = outlineOf(2);
    expect(names(outline, "init_w", false).slice(0, 2)).toEqual(["h.0–1", ""]);
    expect(names(outline, "init_w", true).slice(0, 2)).toEqual(["", "h.0–1"]);
  });

  it("are one level, know their places, and still lead to the row of their parent", () => {
    const outline = outlineOf(3);
    const rows = sorted(outline, outline.rows, measured.valueOf("dfs"), true);
    rows.forEach((row, at) => {
      expect([row.at, row.position, row.level, row.siblings]).toEqual([at, at + 1, 1, rows.length]);
      if (row.parent) expect(rows[row.parent.at]).toBe(row.parent);
    });
  });

  it("orders 75,396 rows as a plain sort does", () => {
    const size = 75_395;
    const kids: [string, null, number][] = Array.from({ length: size }, (_, at) => [`m${at}`, null, at % 97]);
    const classes: ModuleClass[] = Array.from({ length: 97 }, (_, k) => ["L", [["w", [(k * 31) % 97, 2], "float32", ""]], []]);
    const tree = materialise({ v: 1, name: "Wide", classes: [...classes, ["Wide", [], kids]], root: 97, refs: [], ties: [] });
    const outline = new Outline(tree, parsePlan("", tree));
    expect(outline.rows.length).toBe(1 + size);
    const valueOf = measured.valueOf("total");
    const value = (at: number) => valueOf(outline, outline.rows[at]);
    const plain = outline.rows.map(({ at }) => at).sort((a, b) => (value(a) < 0 ? 1 : 0) - (value(b) < 0 ? 1 : 0) || value(b) - value(a) || a - b);
    expect(sorted(outline, outline.rows, valueOf, true).map(({ node }) => node)).toEqual(plain.map((at) => outline.rows[at].node));
  });
});

describe("a sorted outline", () => {
  it("keeps its focus, and finds the row of a module", () => {
    const outline = outlineOf(3);
    outline.jump(1);
    outline.arrange = (rows) => sorted(outline, rows, measured.valueOf("dfs"), true);
    outline.rebuild();
    expect(outline.focused.node).toBe(1);
    expect(outline.rows[outline.rowOf(2)].node).toBe(2);
    outline.jump(4);
    expect(outline.focused.node).toBe(4);
  });
});

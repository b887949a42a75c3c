import { describe, expect, it } from "vitest";
import { materialise, type Tree, type TreePayload } from "../src/payload";
import { membersOf } from "../src/extras/members";
import { parsePlan, type Plan } from "../src/plan";
import { decodePlan, type PlanState } from "./shapes";
import { labelOf, newFolds, shownAt, visibleRows } from "../src/rows";
import { payloadOf, planState, stack, unit, unitPerBlock } from "./shapes";

function allOpen(tree: Tree, plan: Plan, split: number[] = []): string[] {
  const folds = { open: newFolds(tree).open.fill(1), split: new Set(split) };
  return visibleRows(tree, plan, folds).map((row) => `${labelOf(tree, row)}${row.times > 1 ? ` ×${row.times}` : ""}`);
}

const rowsOf = (payload: TreePayload, state?: PlanState, split?: number[]) => {
  const tree = materialise(payload);
  return allOpen(tree, state ? decodePlan(state, tree.size) : parsePlan("", tree), split);
};

describe("plan layer", () => {
  it("spreads runs of statuses and owners over the modules", () => {
    const plan = decodePlan(unitPerBlock(2), 10);
    expect([...plan.status].map((at) => "uFfRrIi"[at]).join("")).toBe("FffFffFfff");
    expect([...plan.unitOf]).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 0]);
    expect([...plan.head]).toEqual([0, 0, 0, 3, 3, 3, 6, 6, 6, 0]);
  });

  it("keeps the gravest remark of a module", () => {
    const remark = { kind: "k", fqns: [""], indices: [0], message: "" };
    const state = planState({ findings: [{ ...remark, severity: "info" }, { ...remark, severity: "warn", indices: [1] }], conflicts: [remark] });
    expect([...parsePlan(JSON.stringify(payloadOf(state, 34)), materialise(stack(10))).alarm].slice(0, 3)).toEqual([3, 2, 0]);
  });

  it("without a plan nothing is managed", () => {
    expect([...new Set(parsePlan("", materialise(stack(12))).status)]).toEqual([0]);
  });
});

describe("folding", () => {
  it("shows equal neighbours as one row, opened once", () => {
    expect(rowsOf(stack(12))).toEqual(["", "wte", "h", "h.0–11 ×12", "h.0–11.a", "h.0–11.b", "head"]);
  });

  it("keeps a run whose blocks are units of their own", () => {
    expect(rowsOf(stack(12), unitPerBlock(12))[3]).toBe("h.0–11 ×12");
  });

  it("splits a run where a status inside differs", () => {
    const state = planState({ status: [[0, 40, 1, "u"], [7, 8, 1, "I"]] });
    expect(rowsOf(stack(12), state).filter((name) => /^h\.[\d–]+( |$)/.test(name))).toEqual(["h.0", "h.1", "h.2–11 ×10"]);
  });

  it("splits a run where owners differ though statuses do not", () => {
    const state = planState({ status: [[0, 16, 1, "f"]], units: [unit(0, 0), unit(1, 1)], unit_of: [[0, 9, 1, 0], [9, 12, 1, 1], [12, 16, 1, 0]] });
    expect(rowsOf(stack(4), state).filter((name) => /^h\.[\d–]+( |$)/.test(name))).toEqual(["h.0–1 ×2", "h.2", "h.3"]);
  });

  it("splits a run where a unit's strategy, a finding or a reference differs", () => {
    const other = unitPerBlock(4);
    other.units[2].strategy = "shard_grad_op";
    expect(rowsOf(stack(4), other)).toContain("h.1");
    const kept = unitPerBlock(4);
    kept.units[1].options = { cpu_offload: "True" };
    expect(rowsOf(stack(4), kept)).toContain("h.1–3 ×3");
    const found = { ...unitPerBlock(4), findings: [{ kind: "k", severity: "info", fqns: ["h.3"], indices: [12], message: "" }] };
    expect(rowsOf(stack(4), found)).toContain("h.0–2 ×3");
    const shared: TreePayload = { ...stack(4), refs: [[3, "again", 1, "shared"]] };
    expect(rowsOf(shared)).toContain("h.1–3 ×3");
  });

  it("keeps a run whose references point alike, inside the block or at one module outside", () => {
    const refs: TreePayload["refs"] = [];
    for (let k = 0; k < 4; k++) refs.push([3 + 3 * k, "first", 4 + 3 * k, "shared"], [3 + 3 * k, "emb", 1, "shared"]);
    expect(rowsOf({ ...stack(4), refs })).toEqual(["", "wte", "h", "h.0–3 ×4", "h.0–3.a", "h.0–3.b", "h.0–3.first", "h.0–3.emb", "head"]);
  });

  it("shows siblings one by one where the reader split them", () => {
    expect(rowsOf(stack(3), undefined, [2]).filter((name) => /^h\.\d$/.test(name))).toEqual(["h.0", "h.1", "h.2"]);
  });
});

describe("rows", () => {
  const tree = materialise(stack(12));
  const plan = parsePlan("", tree);
  const folds = newFolds(tree);
  folds.open.fill(1);
  const rows = visibleRows(tree, plan, folds);

  it("stand for all their modules", () => {
    expect(membersOf(rows[3])).toEqual(Array.from({ length: 12 }, (_, k) => 3 + 3 * k));
    expect(membersOf(rows[5])).toEqual(Array.from({ length: 12 }, (_, k) => 5 + 3 * k));
    expect(membersOf(rows[1])).toEqual([1]);
  });

  it("know their place among their siblings", () => {
    expect(rows.map(({ level, position, siblings }) => [level, position, siblings])).toEqual([
      [1, 1, 1], [2, 1, 3], [2, 2, 3], [3, 1, 1], [4, 1, 2], [4, 2, 2], [2, 3, 3],
    ]);
  });

  it("are found for a module inside a folded run, opening what hides it", () => {
    const closed = newFolds(tree);
    expect(shownAt(tree, plan, closed, 20, true)).toBe(5); // h.5.b is shown by the row of h.0–11.b
    expect(visibleRows(tree, plan, closed)).toHaveLength(7);
  });

  it("of nested runs multiply", () => {
    const nested: TreePayload = {
      v: 1, name: "Nest", root: 3, refs: [], ties: [],
      classes: [["Leaf", [], []], ["Inner", [], [["0", "2", 0]]], ["Outer", [], [["0", "1", 1]]], ["Nest", [], [["x", null, 2]]]],
    };
    const small = materialise(nested);
    const opened = { open: newFolds(small).open.fill(1), split: new Set<number>() };
    const leaf = visibleRows(small, parsePlan("", small), opened).at(-1)!;
    expect(labelOf(small, leaf)).toBe("x.0–1.0–2");
    expect(membersOf(leaf).sort((a, b) => a - b)).toEqual([3, 4, 5, 7, 8, 9]);
  });
});

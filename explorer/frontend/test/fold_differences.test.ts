import { describe, expect, it } from "vitest";
import { besideOf, exceptionOf } from "../src/extras/exceptions";
import { Outline } from "../src/outline";
import { difference, groupsOf } from "../src/fold";
import { materialise, type TreePayload } from "../src/payload";
import { decodePlan, type PlanState } from "./shapes";
import { planState, stack, unit, unitPerBlock } from "./shapes";

/** What the exception among the blocks of `stack` says, and beside which block it says so. */
function exception(payload: TreePayload, state: PlanState) {
  const tree = materialise(payload);
  const plan = decodePlan(state, tree.size);
  const beside = (node: number) => besideOf(tree, plan, 2, node);
  const { first } = groupsOf(tree, plan, 2, false).find((each) => each.times === 1 && beside(each.first) >= 0)!;
  return [first, beside(first), difference(tree, plan, beside(first), first)];
}

describe("an exception splits a run in three", () => {
  it("and stands beside the longer rest", () => {
    const ignored = planState({ status: [[12, 13, 1, "I"]] });
    expect(exception(stack(8), ignored)).toEqual([12, 15, "status"]);
  });

  it.each<[string, TreePayload, PlanState]>([
    ["unit settings", stack(8), { ...unitPerBlock(8), units: unitPerBlock(8).units.map((each) => (each.n === 4 ? { ...each, strategy: "no_shard" } : each)) }],
    ["findings", stack(8), { ...unitPerBlock(8), findings: [{ kind: "k", severity: "info", fqns: ["h.3"], indices: [13], message: "" }] }],
    ["owner", stack(8), planState({ status: [[0, 28, 1, "f"]], units: [unit(0, 0), unit(1, 1)], unit_of: [[0, 28, 1, 0], [12, 15, 1, 1]] })],
    ["shared modules", { ...stack(8), refs: [[12, "again", 1, "shared"]] }, planState()],
    ["ties", { ...stack(8), ties: [["wte.weight", "h.3.a.weight"]] }, planState()],
  ])("that differs in %s", (word, payload, state) => {
    expect(exception(payload, state)[2]).toBe(word);
  });

  it("but a lone block beside another lone one is no exception", () => {
    const tree = materialise(stack(2));
    const plan = decodePlan(planState({ status: [[3, 4, 1, "I"]] }), tree.size);
    expect(groupsOf(tree, plan, 2, false).map(({ first }) => besideOf(tree, plan, 2, first))).toEqual([-1, -1]);
  });

  it("and blocks split by hand say nothing", () => {
    const tree = materialise(stack(4));
    const outline = new Outline(tree, decodePlan(planState({ status: [[12, 13, 1, "I"]] }), tree.size));
    const said = () => outline.rows.map((row) => exceptionOf(outline, row)).filter(Boolean);
    expect(said()).toEqual(["status"]);
    outline.split(outline.rows.find(({ times }) => times > 1));
    expect(said()).toEqual([]);
  });
});

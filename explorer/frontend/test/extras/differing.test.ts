import { describe, expect, it } from "vitest";
import { Baselines } from "../../src/extras/baselines";
import { codeChanges, differenceOf, KINDS, linesOf } from "../../src/extras/differing";
import { wholePlan } from "../../src/extras/plan";
import { materialise } from "../../src/payload";
import { parsePlan } from "../../src/plan";
import { payloadOf, planState, stack, unit, unitPerBlock, type PlanState } from "../shapes";

const tree = materialise(stack(3)); // 0, wte 1, h 2, blocks 3 6 9 of two, head 12
const planOf = (state: PlanState) => wholePlan(tree, parsePlan(JSON.stringify(payloadOf(state, tree.size)), tree));
const nothing = planOf(planState({ status: [[0, tree.size, 1, "u"]] }));
const perBlock = planOf(unitPerBlock(3));
const kindsOf = (difference: { kinds: Uint8Array }) => [...difference.kinds].map((kind) => KINDS[kind]);

describe("the difference of two plans", () => {
  it("tells marks that came from modules that only follow", () => {
    const difference = differenceOf(tree, nothing, perBlock);
    expect(kindsOf(difference).map((kind) => kind[0])).toEqual([..."affaffaffafff"]);
    expect(difference.counts).toMatchObject({ added: 4, removed: 0, changed: 0, follows: 9 });
  });

  it("is the same the other way round, with removed for added", () => {
    const { counts } = differenceOf(tree, perBlock, nothing);
    expect(counts).toMatchObject({ added: 0, removed: 4, follows: 9 });
  });

  it("is empty between equal plans", () => {
    expect(kindsOf(differenceOf(tree, perBlock, planOf(unitPerBlock(3)))).join("")).toBe("");
  });

  it("calls a mark changed that is another one, or a unit made with other settings", () => {
    const status: PlanState["status"] = [[0, 1, 1, "F"], [1, 2, 1, "R"], [2, tree.size, 1, "f"]];
    const state = (changes: Partial<PlanState>) => planState({ status, unit_of: [[0, 1, 1, 0], [2, tree.size, 1, 0]], units: [unit(0, 0, { is_root: true })], ...changes });
    const one = planOf(state({}));
    const ignored = planOf(state({ status: [[0, 1, 1, "F"], [1, 2, 1, "I"], [2, tree.size, 1, "f"]] }));
    expect(kindsOf(differenceOf(tree, one, ignored)).slice(0, 3)).toEqual(["", "changed", ""]);
    const other = planOf(state({ units: [unit(0, 0, { is_root: true, strategy: "no_shard" })] }));
    expect(kindsOf(differenceOf(tree, one, other)).slice(0, 3)).toEqual(["changed", "", ""]);
  });

  it("lists changes alike in all but numbers as one line", () => {
    const lines = linesOf(tree, differenceOf(tree, nothing, perBlock), perBlock);
    expect(lines.map(({ kind, name, was, is, nodes }) => [kind, name, was, is, nodes])).toEqual([["added", "", "u", "F", [0]], ["added", "h.*", "u", "F", [3, 6, 9]]]);
  });
});

describe("code", () => {
  it("shows lines that are gone and new, not those that stay, however often", () => {
    expect(codeChanges("a\nb\nb\n", "b\na\nc\n")).toEqual({ gone: ["b"], fresh: ["c"] });
  });
});

describe("baselines", () => {
  const plan = (rev: number) => planOf(planState({ rev, status: [[0, tree.size, 1, "u"]] }));

  it("are the first plan seen, the one a run began with, and the one before the last edit", () => {
    const kept = new Baselines();
    kept.run("");
    const plans = [1, 2, 3].map(plan);
    kept.plan(plans[0]);
    expect(kept.of("edit")).toBeNull();
    kept.plan(plans[1]);
    expect(kept.run("1")).toBe(true);
    expect(kept.run("1")).toBe(false);
    kept.plan(plans[2]);
    expect([kept.of("opened"), kept.of("run"), kept.of("edit")]).toEqual([plans[0], plans[1], plans[1]]);
  });

  it("knows nothing of a run that began before the page", () => {
    const kept = new Baselines();
    kept.plan(plan(5));
    expect(kept.run("7")).toBe(false);
    expect(kept.of("run")).toBeNull();
  });
});

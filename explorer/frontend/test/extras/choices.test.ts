import { describe, expect, it } from "vitest";
import { localRoots, orderOf } from "../../src/extras/choices";
import { materialise } from "../../src/payload";
import { decodePlan } from "../shapes";
import { NO_RUN } from "../../src/extras/run";
import { stack, unitPerBlock } from "../shapes";

const tree = materialise(stack(2)); // 0, wte 1, h 2, h.0 3 4 5, h.1 6 7 8, head 9
const state = unitPerBlock(2);
state.units.forEach((unit) => (unit.fqns = [["", "h.0", "h.1"][unit.n]]));
state.orders = { handles: ["", "h.0", "h.1"], init_composable: ["h.1", "h.0", ""], init_wrapper: ["h.0", "h.1", ""], "handles:head": ["head"] };
const plan = decodePlan(state, tree.size);
const order = (key: string, run: object = {}, root = "") => orderOf(key, tree, plan, { ...NO_RUN, ...run }, root);

describe("orders to compare", () => {
  it("those of the plan, as module indices", () => {
    expect([order("handles"), order("init_composable"), order("init_wrapper")]).toEqual([[0, 3, 6], [6, 3, 0], [3, 6, 0]]);
  });

  it("those of a local root that the root's walk does not reach", () => {
    expect(localRoots(plan)).toEqual(["head"]);
    expect(order("handles", {}, "head")).toEqual([9]);
    expect(order("init_wrapper", {}, "head")).toEqual([]);
  });

  it("modules() from both sides", () => {
    expect(order("modules")).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(order("rightToLeft")).toEqual([0, 9, 2, 6, 8, 7, 3, 5, 4, 1]);
  });

  it("what a run gathered, once a unit and pass; nothing before the first run", () => {
    const events = [["F", "U", "", 8], ["F", "U", "h.0", 8], ["F", "G", "h.0", 8], ["F", "R", "h.0", 8], ["F", "U", "h.1", 8], ["F", "U", "h.0", 8], ["B", "U", "h.1", 8], ["B", "U", "gone", 8]];
    expect(order("forward", { events })).toEqual([0, 3, 6]);
    expect(order("backward", { events })).toEqual([6]);
    expect(order("forward")).toEqual([]);
  });
});

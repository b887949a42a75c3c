// Payloads of Python, and what its layouts say: tests/explorer/plans.json.
import { describe, expect, it } from "vitest";
import json from "../../../tests/explorer/plans.json";
import { wholePlan } from "../src/extras/plan";
import { materialise, type TreePayload } from "../src/payload";
import { parsePlan, STATUSES } from "../src/plan";
import { spreadNumbers, unroll } from "../src/runs";
import { stack } from "./shapes";

type Seen = (typeof json.models)["group"]["seen"];
const cases = Object.entries(json.models) as unknown as [string, { tree: TreePayload; plan: object; seen: Seen }][];

describe.each(cases)("the plan of %s", (_, { tree: payload, plan: sent, seen }) => {
  const tree = materialise(payload);
  const plan = wholePlan(tree, parsePlan(JSON.stringify(sent), tree));

  it("has the status and the unit of every module", () => {
    expect(Array.from(plan.status, (at) => STATUSES[at]).join("")).toBe(seen.status);
    expect([...plan.unitOf]).toEqual(seen.unit_of);
    expect([...plan.head]).toEqual(seen.unit_of.map((n) => plan.state.units[n]?.index ?? -1));
  });

  it("has the facts of every unit", () => {
    expect(plan.state.units).toMatchObject(seen.units);
    for (const unit of plan.state.units) expect(plan.unitAt.get(unit.index)).toBe(unit);
  });

  it("has every order", () => expect(plan.state.orders).toEqual(seen.orders));

  it("has the places of conflicts and findings", () => {
    const { conflicts, findings } = plan.state;
    expect([...new Set([...conflicts, ...findings].flatMap(({ fqns }) => fqns))].sort()).toEqual(seen.places);
  });
});

describe("runs", () => {
  it("repeat blocks in blocks, in ascending order", () => {
    expect(unroll([[5, "b", 2, 10], [1, "a", 2, 1, 2, 10]], 1)).toEqual([[1, "a"], [2, "a"], [5, "b"], [11, "a"], [12, "a"], [15, "b"]]);
  });

  it("of numbers climb and keep what is missing", () => {
    expect(spreadNumbers([-1, [4, [1, null]]], 4)).toEqual([4, null, 2, 1]);
  });
});

it("a plan of another format says so", () => {
  expect(() => parsePlan('{"v":1}', materialise(stack(2)))).toThrow("format 1, this page reads 2");
});

// The cases that the page and Python answer alike: tests/explorer/selectors.json.
import { describe, expect, it } from "vitest";
import json from "../../../../tests/explorer/selectors.json";
import { matcher } from "../../src/extras/patterns";
import { readSelector, select, SelectorError } from "../../src/extras/selectors";
import { fqnOf, materialise, type TreePayload } from "../../src/payload";
import { wholePlan } from "../../src/extras/plan";
import { parsePlan } from "../../src/plan";
import { stack } from "../shapes";

const table = json as unknown as {
  cases: { model: string; selector: string; fqns: string[] }[];
  errors: { selector: string; part: string }[];
  models: Record<string, { tree: TreePayload; plan: object }>;
};

describe("selectors as Python reads them", () => {
  it("has cases to answer", () => expect(table.cases.length).toBeGreaterThan(40));

  it.each(table.cases)("$model: $selector", ({ model, selector, fqns }) => {
    const tree = materialise(table.models[model].tree);
    const plan = wholePlan(tree, parsePlan(JSON.stringify(table.models[model].plan), tree));
    expect(select(tree, plan, selector).map((index) => fqnOf(tree, index))).toEqual(fqns);
  });

  it.each(table.errors)("$selector cannot be read", ({ selector, part }) => {
    let error: unknown;
    try {
      readSelector(selector);
    } catch (raised) {
      error = raised;
    }
    expect(error).toBeInstanceOf(SelectorError);
    expect((error as SelectorError).part).toBe(part);
  });
});

it.each([["a.b", "a.b", true], ["a.b", "axb", false], ["[-a]", "-", true], ["[a-z]", "q", false], ["[^a]", "b", false], ["(x)+", "(x)+", true], ["a**b", "a.x.b", true]])(
  "pattern %s, word %s", (pattern, word, matches) => expect(matcher(pattern)(word)).toBe(matches),
);

it("is quick on a hundred thousand modules, whatever `**` stands for", () => {
  const tree = materialise(stack(33_000));
  expect(select(tree, wholePlan(tree, parsePlan("", tree)), "**.a").length).toBe(33_000);
});

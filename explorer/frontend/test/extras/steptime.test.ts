// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { barsOf, secondsText, StepTimeView } from "../../src/extras/steptime";

const TIME = {
  phases: [{ phase: "forward", compute_s: 0.002, communication_s: 0.004 }, { phase: "backward", compute_s: null, communication_s: 0.001 }],
  missing: ["compute: a trace, which counts the operations"],
};

describe("time of a step", () => {
  it("two bars a phase at one scale; what is not known has none", () => {
    expect(barsOf(TIME).map(({ phase, what, share }) => [phase, what, share])).toEqual([
      ["forward", "compute", 0.5], ["forward", "communication", 1], ["backward", "compute", 0], ["backward", "communication", 0.25],
    ]);
    expect(barsOf({ phases: [{ phase: "forward", compute_s: 0, communication_s: null }], missing: [] }).map(({ share }) => share)).toEqual([0, 0]);
  });

  it("seconds with three figures", () => {
    expect([null, 0, 0.00001234, 0.0123456, 1.23456].map(secondsText)).toEqual(["not known", "0 ms", "0.0123 ms", "12.3 ms", "1.23 s"]);
  });

  it("every bar has its name and its number in words, and what is missing is said", () => {
    const view = new StepTimeView();
    view.show(TIME);
    expect([...view.element.querySelectorAll("li")].map((row) => row.textContent)).toEqual([
      "forward, compute 2 ms", "forward, communication 4 ms", "backward, compute not known", "backward, communication 1 ms",
    ]);
    expect(view.element.textContent).toContain("Missing for compute: a trace");
    expect([...view.element.querySelectorAll<HTMLElement>(".time-bar")].map((bar) => bar.style.width)).toEqual(["30%", "60%", "0%", "15%"]);
  });
});

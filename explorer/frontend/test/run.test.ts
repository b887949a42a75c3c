import { describe, expect, it } from "vitest";
import { chartOf, lossText } from "../src/extras/losses";
import { isLive, merge, NO_RUN, parseRun, phaseText, type RunState } from "../src/extras/run";

const started = merge(NO_RUN, { id: "r1", seq: 1, phase: "running", nprocs: 2, steps: 4, backend: "gloo", step: 1, losses: [[1, 4, 3]] });

describe("merge", () => {
  it("replaces what a batch names and adds losses and log lines", () => {
    const run = merge(started, { id: "r1", seq: 2, step: 2, losses: [[2, 2, 1]], log: [[0, "hi"]] });
    expect(run).toMatchObject({ phase: "running", step: 2, losses: [[1, 4, 3], [2, 2, 1]], log: [[0, "hi"]] });
  });

  it("drops a batch that the state already holds", () => {
    expect(merge(started, { id: "r1", seq: 1, losses: [[1, 4, 3]] })).toBe(started);
  });

  it("starts over with a new run", () => {
    expect(merge(started, { id: "r2", seq: 1, phase: "starting" })).toMatchObject({ id: "r2", losses: [], step: 0 });
  });

  it("keeps only the last lines of the log", () => {
    const lines = Array.from({ length: 900 }, (_, k): [number, string] => [0, String(k)]);
    expect(merge(started, { log: lines }).log.map(([, text]) => text)[0]).toBe("400");
  });
});

describe("texts", () => {
  it("say where a run is", () => {
    expect(phaseText(started)).toBe("Running on 2 workers (gloo), step 1 of 4");
    expect(phaseText(NO_RUN)).toBe("Not run yet.");
    expect(phaseText({ ...NO_RUN, phase: "done", nprocs: 1, seconds: 1.24 })).toBe("Done on 1 worker, 1.2 s");
  });

  it("give the last loss of every rank, and of the unsharded model at the same step", () => {
    expect(lossText(NO_RUN)).toBe("");
    expect(lossText({ ...started, reference: [3.5, 9] })).toBe("step 1: rank 0 4.0000, rank 1 3.0000; unsharded 3.5000");
    expect(lossText({ ...started, losses: [[1, null, 3]] })).toContain("rank 0 not finite");
  });

  it("know a live run", () => {
    expect(["starting", "running", "done", "failed", "stopped", "idle"].map((phase) => isLive({ ...NO_RUN, phase: phase as RunState["phase"] }))).toEqual([true, true, false, false, false, false]);
    expect(parseRun("")).toBe(NO_RUN);
  });
});

describe("chart", () => {
  it("spans the planned steps and the finite values", () => {
    const run = merge(started, { id: "r1", seq: 2, losses: [[2, 2, 1]], reference: [4, 2, 1.5, 1] });
    const chart = chartOf(run, 300, 90)!;
    expect(chart).toMatchObject({ low: 1, high: 4 });
    expect(chart.lines).toEqual(["M0.0 0.0L100.0 60.0", "M0.0 30.0L100.0 90.0"]);
    expect(chart.reference).toBe("M0.0 0.0L100.0 60.0L200.0 75.0L300.0 90.0");
  });

  it("breaks a line at a value that is not finite", () => {
    expect(chartOf({ ...NO_RUN, losses: [[1, 1], [2, null], [3, 3]] }, 2, 2)!.lines).toEqual(["M0.0 2.0M2.0 0.0"]);
  });

  it("is absent without a finite value, and flat with one", () => {
    expect(chartOf({ ...NO_RUN, losses: [[1, null]] }, 2, 2)).toBeNull();
    expect(chartOf({ ...NO_RUN, losses: [[1, 5]] }, 2, 2)!.lines).toEqual(["M0.0 1.0"]);
  });
});

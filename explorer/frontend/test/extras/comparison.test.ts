// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { ENGINE_COLUMNS, progressText, type Comparison, type EngineRow } from "../../src/extras/comparison";
import { $, model, panelsCame, role, viewPerTest } from "../page";

viewPerTest();

const FLAT: EngineRow = {
  engine: "flat", outcome: "ran", why: "", remarks: ["slow day"], loss_difference: 2.5e-7, ratio: [1, 1, 1], peak_nbytes: [1000, 2048],
  collectives: [["all_gather", 5, 2848], ["reduce_scatter", 3, 1552]],
};
const DDP: EngineRow = { ...FLAT, engine: "ddp", outcome: "failed", why: "no luck", remarks: [], loss_difference: null, ratio: null, peak_nbytes: [], collectives: [] };
const NONE: EngineRow = { ...FLAT, engine: "none", remarks: [], loss_difference: 0, ratio: [0.25, 0.2, 0.3], collectives: [] };
const STATE: Comparison = {
  id: "c1", phase: "running", nprocs: 2, backend: "gloo", devices: "cpu", engines: ["flat", "ddp", "none"], steps: 5, done: 3, total: 24,
  doing: "flat alone", base: null, rows: [], error: null, seconds: 1,
};

describe("a comparison of engines", () => {
  it("reads in words", () => {
    const read = (row: EngineRow) => ENGINE_COLUMNS.map(({ text }) => text(row));
    expect(read(FLAT)).toEqual(["flat", "2.5e-7", "1.00 (1.00-1.00)", "2.0 KiB", "5, 2.8 KiB", "3, 1.5 KiB", "0", "slow day"]);
    expect(read(DDP)).toEqual(["ddp", "failed", "-", "-", "-", "-", "-", "no luck"]);
    expect(read(NONE).slice(0, 3)).toEqual(["none", "reference", "0.25 (0.20-0.30)"]);
    expect(progressText(STATE)).toBe("flat alone: 3 of 24");
    expect(progressText({ ...STATE, phase: "done", seconds: 4.25 })).toBe("Done in 4.3 s on 2 workers over gloo (cpu).");
    expect(progressText({ ...STATE, phase: "stopped" })).toBe("Stopped.");
  });

  it("is asked for with the engines chosen, once for two quick clicks", async () => {
    await panelsCame();
    $('[data-tab="engines"]').click();
    expect(role("engines-phase").textContent).toBe("Not compared yet.");
    $('[data-engine="torch"]').click();
    $('[data-engine="ddp"]').click();
    const start = $('[data-cmd="compare"]') as HTMLButtonElement;
    start.click();
    start.click();
    expect(model.sent.filter(({ cmd }) => cmd === "compare")).toHaveLength(1);
    expect(model.sent.at(-1)).toMatchObject({ cmd: "compare", nprocs: 2, steps: 5, engines: ["flat", "ddp"] });
  });

  it("is followed: progress, rows as they come, an error", async () => {
    await panelsCame();
    $('[data-tab="engines"]').click();
    model.publish("comparison", { ...STATE, rows: [FLAT] });
    await vi.waitFor(() => expect(role("engines-phase").textContent).toBe("flat alone: 3 of 24"));
    expect(role("engines-progress").getAttribute("max")).toBe("24");
    expect(($('[data-cmd="compare"]') as HTMLButtonElement).disabled).toBe(true);
    expect(role("engines-table").textContent).toContain("slow day");
    $('[data-cmd="stop_compare"]').click();
    expect(model.sent.at(-1)).toMatchObject({ cmd: "stop" });
    model.publish("comparison", { ...STATE, phase: "failed", error: { title: "ValueError", detail: "<i>no data</i>" } });
    await vi.waitFor(() => expect(role("engines-error").textContent).toBe("ValueError<i>no data</i>"));
    expect(($('[data-cmd="compare"]') as HTMLButtonElement).disabled).toBe(false);
  });
});

// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { $, model, panelsCame, press, remove, role, row, show, viewPerTest } from "../page";
import { stack, unitPerBlock } from "../shapes";

viewPerTest();

describe("panels", () => {
  it("come with the second module, once the rows are there", async () => {
    remove();
    show();
    expect($('[data-cmd="run"]')).toBeNull();
    await panelsCame();
    expect($(".shx").dataset.ready).toBe("1");
    expect(role("phase").textContent).toBe("Not run yet.");
  });

  it("say where they come from while no kernel answers, and tell no silence", async () => {
    remove();
    show(stack(2), "", false);
    await vi.waitFor(() => expect($(".shx").dataset.ready).toBe("1"));
    expect($(".slot.tab").textContent).toContain("come from the kernel");
    expect($(".shx").dataset.kernel).toBe("alive");
    press("ArrowDown");
    expect(row("wte").getAttribute("aria-selected")).toBe("true");
  });

  it("lists the orders and goes to the module of a click", async () => {
    await panelsCame();
    $('[data-tab="orders"]').click();
    const cell = $('[data-order="handles"][data-target="h.0"]');
    expect(cell.textContent).toBe("h.0");
    cell.click();
    expect(row("h.0–11").getAttribute("aria-selected")).toBe("true");
    expect($('[data-order="init_wrapper"][data-target="h.0"]').dataset.differs).toBe("1");
  });

  it("lists conflicts first and goes to their modules", async () => {
    await panelsCame();
    const conflict = { kind: "tied", fqns: ["wte"], indices: [1], message: "tied across units", fix: "group them" };
    model.publish("plan", { ...unitPerBlock(12), conflicts: [conflict] });
    expect($('[data-tab="findings"]').textContent).toBe("Findings (1)");
    $('[data-tab="findings"]').click();
    expect(role("findings").textContent).toContain("tied across unitsgroup them");
    $('[data-jump="1"]').click();
    expect(row("wte").getAttribute("aria-selected")).toBe("true");
    expect(row("wte").dataset.alarm).toBe("3");
  });

  it("runs with the numbers given and follows the batches", async () => {
    await panelsCame();
    $('[data-cmd="run"]').click();
    expect(model.sent[0]).toMatchObject({ cmd: "run", nprocs: 2, steps: 10 });
    await model.answer();
    model.emit("msg:custom", { type: "run", seq: 1, id: "r", phase: "running", nprocs: 2, steps: 10, step: 1, losses: [[1, 2, 3]] });
    await vi.waitFor(() => expect(role("losses").textContent).toBe("step 1: rank 0 2.0000, rank 1 3.0000"));
    expect(role("progress").getAttribute("value")).toBe("1");
    model.publish("run", { id: "r", phase: "failed", error: { title: "WorkerError", detail: "rank 1" }, log: [[0, "<i>x</i>\n"]] });
    await vi.waitFor(() => expect(role("run-error").textContent).toBe("WorkerErrorrank 1"));
    expect(role("log").textContent).toBe("[rank 0] <i>x</i>");
  });

  it("sends one run for two quick clicks, and offers Run again when it was refused", async () => {
    await panelsCame();
    const run = $('[data-cmd="run"]') as HTMLButtonElement;
    run.click();
    run.click();
    expect(model.sent).toHaveLength(1);
    expect(run.disabled).toBe(true);
    await model.answer({ ok: false, error: { title: "No", detail: "workers must be 1 or more" } });
    await vi.waitFor(() => expect(run.disabled).toBe(false));
  });

  it("keeps saying that a run was stopped when the answer to Stop comes last", async () => {
    await panelsCame();
    model.publish("run", { id: "r", phase: "running", nprocs: 2, steps: 3 });
    await vi.waitFor(() => expect($('[data-cmd="stop"]:enabled')).not.toBeNull());
    $('[data-cmd="stop"]').click();
    model.publish("run", { id: "r", phase: "stopped", nprocs: 2, step: 1, steps: 3 });
    await model.answer();
    expect(role("status").textContent).toBe("Stopped on 2 workers, step 1 of 3");
  });
});

// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { ramp } from "../../src/extras/colouring";
import { $, host, model, press, role, row, viewPerTest } from "../page";
import { unitPerBlock } from "../shapes";

viewPerTest();

const box = () => role("find") as HTMLInputElement;

function type(text: string) {
  box().value = text;
  box().dispatchEvent(new Event("input"));
}

/** The box of a column, in the opened menu. */
async function columnBox(key: string) {
  ($(".menu") as HTMLDetailsElement).open = true;
  await vi.waitFor(() => expect($(`.sheet input[value="${key}"]`)).not.toBeNull());
  return $(`.sheet input[value="${key}"]`) as HTMLInputElement;
}

const change = (element: HTMLElement) => element.dispatchEvent(new Event("change", { bubbles: true }));

describe("finding", () => {
  it("highlights and counts what a selector finds before anything is applied", () => {
    type("type:Linear !head");
    expect(role("found").textContent).toBe("24 modules");
    expect(row("h.0–11.a").dataset.hit).toBe("on");
    expect(row("h.0–11").dataset.hit).toBeUndefined();
    expect(model.sent).toEqual([]);
    row("h").querySelector<HTMLElement>('[data-cell="fold"]')!.click();
    expect(row("h").dataset.hit).toBe("in");
  });

  it("marks all that was found by the selector itself, painted at once", async () => {
    type("**.b");
    $('[data-cmd="found_replicate"]').click();
    expect(model.sent.at(-1)).toMatchObject({ cmd: "mark", verb: "replicate", selector: "**.b" });
    expect(row("h.0–11.b").dataset).toMatchObject({ status: "R", pending: "true" });
    await model.answer({ ok: false, error: { title: "No", detail: "not now" } });
    expect(row("h.0–11.b").dataset).toMatchObject({ status: "f", refused: "true" });
  });

  it("falls back to pieces of names, and marks those by number", () => {
    type("HEA");
    expect(role("found").textContent).toBe("1 module with that in the name");
    $('[data-cmd="found_ignore"]').click();
    expect(model.sent.at(-1)).toMatchObject({ cmd: "mark", verb: "ignore", indices: [39] });
  });

  it("says what cannot be read, and finds nothing then", () => {
    type("params>ten");
    expect(role("found").textContent).toContain("params>ten: a comparison is");
    expect(($('[data-cmd="found_fully_shard"]') as HTMLButtonElement).disabled).toBe(true);
    type("");
    expect(role("found").textContent).toBe("");
  });

  it("goes to it with a key, through the finds with Enter, and back to the tree with Escape", () => {
    press("/");
    expect(host.shadowRoot!.activeElement).toBe(box());
    type("h.*");
    const enter = (shiftKey: boolean) => box().dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", shiftKey, bubbles: true }));
    enter(false);
    expect(row("h.0–11").getAttribute("aria-selected")).toBe("true");
    expect(host.shadowRoot!.activeElement).toBe(box());
    box().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    expect(box().value).toBe("");
    expect(host.shadowRoot!.activeElement).toBe($(".rows"));
  });

  it("finds anew when the plan changes", async () => {
    type("status:R");
    expect(role("found").textContent).toBe("nothing found");
    const state = unitPerBlock(12);
    model.publish("plan", { ...state, status: [...state.status, [1, 2, 1, "R"]] });
    await vi.waitFor(() => expect(role("found").textContent).toBe("1 module"));
  });
});

describe("all alike", () => {
  it("are selected together and marked together", () => {
    row("h.0–11").querySelector<HTMLElement>('[data-cell="times"]')!.click();
    row("h.3").click();
    press("l");
    expect(role("detail").textContent).toContain("12 alike selected");
    expect(row("h.7").getAttribute("aria-selected")).toBe("true");
    press("i");
    expect(model.sent.at(-1)).toMatchObject({ verb: "ignore", indices: [[3, 12, 3]] });
  });
});

describe("appearance", () => {
  it("colours by DFS position with numbers, the status staying in the letter", async () => {
    const by = role("colour-by") as HTMLSelectElement;
    by.value = "dfs";
    change(by);
    expect(role("scale").textContent).toBe("#0#10#20#29#39");
    expect(row("wte").dataset).toMatchObject({ painted: "true", status: "f" });
    expect(row("wte").style.getPropertyValue("--hue")).toBe(ramp(1 / 39).colour);
    expect(row("h.0–11").style.getPropertyValue("--lane")).toContain("linear-gradient");
    await vi.waitFor(() => expect(JSON.parse(model.state.view)).toMatchObject({ colour: "dfs" }));
    by.value = "status";
    change(by);
    expect(row("wte").dataset.painted).toBeUndefined();
    expect(row("wte").style.getPropertyValue("--hue")).toBe("");
  });

  it("asks once for the costs when bytes are wanted, and shows them when they come", async () => {
    const by = role("colour-by") as HTMLSelectElement;
    by.value = "bytes";
    change(by);
    change(by);
    expect(model.sent.filter(({ cmd }) => cmd === "what_if")).toHaveLength(1);
    const bytes = await columnBox("bytes");
    bytes.checked = true;
    change(bytes);
    const units = [{ runs: [[0, 13, 1]], numel: 32, shard_nbytes: 64 }];
    model.publish("costs", { v: 1, units });
    await vi.waitFor(() => expect(row("h.0–11").querySelector('[data-cell="bytes"]')!.textContent).toBe("64 B"));
  });

  it("hides columns, and keeps that with the view", async () => {
    const handles = await columnBox("handle");
    expect(row("").querySelector('[data-cell="handle"]')!.textContent).toBe("0");
    handles.checked = false;
    change(handles);
    expect(row("").querySelector('[data-cell="handle"]')).toBeNull();
    await vi.waitFor(() => expect(JSON.parse(model.state.view).hidden).toContain("handle"));
  });
});

describe("the toolbar", () => {
  it("is one stop for Tab and walked with arrows, past what cannot be pressed", () => {
    const stops = () => [...host.shadowRoot!.querySelectorAll<HTMLElement>('[role="toolbar"] button')].filter(({ tabIndex }) => tabIndex === 0).map(({ dataset }) => dataset.cmd);
    const walk = (key: string) => host.shadowRoot!.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    expect(stops()).toEqual(["fully_shard"]);
    $('[data-cmd="group"]').focus();
    walk("ArrowRight");
    expect(stops()).toEqual(["boundary_up"]); // undo and redo have nothing to do
    walk("End");
    walk("ArrowRight");
    expect(stops()).toEqual(["fully_shard"]);
  });
});

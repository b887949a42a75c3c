// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { hostTheme } from "../src/theme";
import { $, host, model, panelsCame, press, remove, role, row, show, viewPerTest } from "./page";
import { planState, stack } from "./shapes";

viewPerTest();

describe("widget", () => {
  it("is ready after its first paint, with a row for each fold and the words of the plan", async () => {
    await vi.waitFor(() => expect($(".shx").dataset.ready).toBe("1"));
    expect(row("h.0–11").dataset).toMatchObject({ status: "F", index: "3", count: "12" });
    expect(row("h.0–11").textContent).toContain("×12");
    expect(row("h.0–11").textContent).toContain("u1–12");
    expect(row("wte").dataset.status).toBe("f");
    expect(role("totals").textContent).toContain("40 modules");
  });

  it("marks what is selected, once: painted at once as asked for, confirmed when the plan arrives", async () => {
    row("wte").click();
    $('[data-cmd="replicate"]').click();
    expect(model.sent).toEqual([expect.objectContaining({ cmd: "mark", verb: "replicate", indices: [1] })]);
    expect(row("wte").dataset).toMatchObject({ status: "R", pending: "true" });
    model.publish("plan", planState({ rev: 2, status: [[1, 2, 1, "R"]], last: "ex.replicate('wte')" }));
    await model.answer({ rev: 2 });
    expect(row("wte").dataset.status).toBe("R");
    expect(row("wte").dataset.pending).toBeUndefined();
    expect(role("status").textContent).toBe("ex.replicate('wte')");
  });

  it("takes back what was refused, says why, as text, and marks the row until the next edit", async () => {
    row("h").click();
    press("i");
    expect(row("h").dataset).toMatchObject({ status: "I", pending: "true" });
    await model.answer({ ok: false, error: { title: "PlanError", detail: "<b>no</b>" } });
    expect(role("status").dataset.kind).toBe("error");
    expect(role("status").textContent).toBe("PlanError<b>no</b>");
    expect(row("h").dataset).toMatchObject({ status: "f", refused: "true" });
    expect(row("h").dataset.pending).toBeUndefined();
    press("f");
    expect(row("h").dataset.refused).toBeUndefined();
  });

  it("shows what was refused in Python too", () => {
    model.emit("msg:custom", { type: "notice", rev: 0, error: { title: "This cannot be done here", detail: "no module named 'x'" } });
    expect(role("status").dataset.kind).toBe("error");
    expect(role("status").textContent).toBe("This cannot be done hereno module named 'x'");
  });

  it("sends no edit of a reference alone, and says where its module is", async () => {
    remove();
    show({ ...stack(2), refs: [[0, "again", 1, "shared"]] }, "");
    await panelsCame();
    press("End");
    press("f");
    expect(model.sent).toEqual([]);
    expect(role("status").textContent).toContain("Enter goes there");
    press("Enter");
    press("f");
    expect(model.sent).toEqual([expect.objectContaining({ cmd: "mark", verb: "fully_shard", indices: [1] })]);
  });

  it("keeps its keys", () => {
    const leaked = vi.fn();
    document.addEventListener("keydown", leaked);
    for (const key of ["f", "b", "d", "Enter", "ArrowDown"]) press(key);
    document.removeEventListener("keydown", leaked);
    expect(leaked).not.toHaveBeenCalled();
    expect(host.hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
  });

  it("pins the ancestors of what is seen first at the upper edge, for the eye alone", () => {
    $(".rows").scrollTop = 24 * 4;
    $(".rows").dispatchEvent(new Event("scroll"));
    const pins = [...host.shadowRoot!.querySelectorAll<HTMLElement>(".pin")];
    expect(pins.map((pin) => pin.querySelector('[data-cell="name"]')!.textContent)).toEqual(["Stack", "h"]);
    expect($(".pins").getAttribute("aria-hidden")).toBe("true");
    pins[1].click();
    expect(row("h").getAttribute("aria-selected")).toBe("true");
    $(".rows").scrollTop = 0;
    $(".rows").dispatchEvent(new Event("scroll"));
    expect($(".pin")).toBeNull();
  });

  it("dims what does not share the tied parameter that is pointed at", () => {
    const chip = row("wte").querySelector('[data-cell="ties"]')!;
    expect(chip.textContent).toBe("tie a");
    chip.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
    expect(row("head").dataset.dim).toBeUndefined();
    expect(row("h").dataset.dim).toBe("true");
    $(".rows").dispatchEvent(new MouseEvent("mouseleave"));
    expect(row("h").dataset.dim).toBeUndefined();
  });

  it("counts in a closed row the modules inside that hold tied parameters", () => {
    row("").querySelector<HTMLElement>('[data-cell="fold"]')!.click();
    expect(row("").querySelector('[data-cell="inside"]')!.textContent).toBe("2 tied inside");
  });

  it("opens siblings with *, and goes on to names with letters", () => {
    press("-");
    press("ArrowDown");
    press("*");
    expect(row("h.0–11")).not.toBeNull();
    press("h");
    expect(row("h").getAttribute("aria-selected")).toBe("true");
    press("h");
    expect(row("head").getAttribute("aria-selected")).toBe("true");
    press("0");
    expect(row("h.0–11").getAttribute("aria-selected")).toBe("true");
  });

  it("gives the keyboard back to what is around it at Escape", () => {
    const cell = document.createElement("div");
    cell.tabIndex = -1;
    document.body.append(cell);
    cell.append(host);
    $(".rows").focus();
    expect(host.shadowRoot!.activeElement).toBe($(".rows"));
    press("Escape");
    expect(document.activeElement).toBe(cell);
  });

  it("points the tree at the focused row", () => {
    press("ArrowDown");
    const active = $(`#${$(".rows").getAttribute("aria-activedescendant")}`);
    expect(active.dataset.fqn).toBe("wte");
    expect(active.getAttribute("aria-selected")).toBe("true");
    expect(active.getAttribute("aria-level")).toBe("2");
  });

  it("selects a range with Shift", () => {
    row("wte").click();
    row("h").dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }));
    expect(role("detail").textContent).toContain("2 rows selected");
    press("u");
    expect(model.sent[0]).toMatchObject({ cmd: "mark", verb: "clear", indices: [1, 2] });
  });

  it("opens and closes at the triangle without moving the selection", () => {
    row("wte").click();
    row("h").querySelector<HTMLElement>('[data-cell="fold"]')!.click();
    expect(row("h.0–11")).toBeNull();
    expect(row("wte").getAttribute("aria-selected")).toBe("true");
  });

  it("tells start and end of a run that Python started", () => {
    model.publish("run", { id: "r", phase: "running", nprocs: 2, steps: 3 });
    expect(role("status").textContent).toBe("The run has started.");
    model.publish("run", { id: "r", phase: "done", nprocs: 2, step: 3, steps: 3, seconds: 1.5 });
    expect(role("status").textContent).toBe("Done on 2 workers, step 3 of 3, 1.5 s");
  });

  it("keeps a refusal to be read while a run ends, and drops it when the plan changes", () => {
    model.publish("run", { id: "r", phase: "running", nprocs: 2, steps: 3 });
    model.emit("msg:custom", { type: "notice", rev: 0, error: { title: "No", detail: "no module named 'x'" } });
    model.publish("run", { id: "r", phase: "done", nprocs: 2, steps: 3 });
    expect(role("status").textContent).toContain("no module named 'x'");
    model.publish("plan", planState({ rev: 9 }));
    expect(role("status").dataset.kind).toBe("told");
    expect(role("status").textContent).toBe("The plan has changed.");
  });

  it("tells of a kernel that does not answer, until it does", () => {
    vi.useFakeTimers();
    $('[data-cmd="undo"]').removeAttribute("disabled");
    $('[data-cmd="undo"]').click();
    vi.advanceTimersByTime(10_000);
    expect($(".shx").dataset.kernel).toBe("gone");
    expect(role("gone").hidden).toBe(false);
    void model.answer();
    expect(role("gone").hidden).toBe(true);
    vi.useRealTimers();
  });

  it("saves what is open and selected, and follows a selection of Python's", () => {
    vi.useFakeTimers();
    row("h").click();
    vi.advanceTimersByTime(300);
    vi.useRealTimers();
    expect(JSON.parse(model.state.view)).toEqual({ selected: 2, open: [0, 2, 3], split: [] });
    model.emit("change:view");
    model.publish("view", { selected: 39 });
    expect(row("head").getAttribute("aria-selected")).toBe("true");
  });

  it("shows names that are markup as text", () => {
    const tree = stack(2);
    tree.name = "<img src=x>";
    tree.classes[0][0] = "<script>";
    remove();
    show(tree, "");
    expect(role("title").textContent).toBe("<img src=x>");
    expect(host.shadowRoot!.querySelector("img, script")).toBeNull();
  });

  it("says that a tree cannot be drawn", () => {
    remove();
    show({ ...stack(1), v: 9 });
    expect(role("status").textContent).toContain("this page reads format 1");
  });

  it("shows few elements of a hundred thousand modules, and their end", () => {
    remove();
    show(stack(33_000), "");
    row("h.0–32999").querySelector<HTMLElement>('[data-cell="times"]')!.click();
    press("End");
    expect(row("h.32999").dataset.index).toBe("99000");
    expect(row("head").getAttribute("aria-selected")).toBe("true");
    expect(host.shadowRoot!.querySelectorAll("*").length).toBeLessThan(600);
  });

  it("leaves nothing listening", () => {
    expect(model.listeners()).toBeGreaterThan(4);
    remove();
    expect(model.listeners()).toBe(0);
  });
});

describe("theme", () => {
  it("follows Jupyter, then VS Code, then the system", () => {
    const body = document.createElement("body");
    expect(hostTheme(body)).toBeNull();
    body.className = "vscode-dark";
    expect(hostTheme(body)).toBe("dark");
    body.dataset.jpThemeLight = "true";
    expect(hostTheme(body)).toBe("light");
    document.body.dataset.jpThemeLight = "false";
    return vi.waitFor(() => expect($(".shx").dataset.theme).toBe("dark")).finally(() => delete document.body.dataset.jpThemeLight);
  });
});

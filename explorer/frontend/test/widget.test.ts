// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TreePayload } from "../src/payload";
import { hostTheme } from "../src/theme";
import widget from "../src/widget";
import { planState, stack, unitPerBlock } from "./shapes";

class FakeModel {
  sent: { id: string; cmd: string }[] = [];
  private heard = new Map<string, ((message: never) => void)[]>();
  save_changes = vi.fn();
  constructor(public state: Record<string, string>) {}
  get = (name: string) => this.state[name];
  set = (name: string, value: unknown) => void (this.state[name] = String(value));
  send = (message: object) => void this.sent.push(message as { id: string; cmd: string });
  on = (event: string, callback: (message: never) => void) => void this.heard.set(event, [...(this.heard.get(event) ?? []), callback]);
  off = (event: string, callback: unknown) => void this.heard.set(event, (this.heard.get(event) ?? []).filter((one) => one !== callback));
  emit = (event: string, message: unknown = undefined) => this.heard.get(event)?.forEach((callback) => callback(message as never));
  listeners = () => [...this.heard.values()].flat().length;
  publish(name: string, value: object) {
    this.state[name] = JSON.stringify(value);
    this.emit(`change:${name}`);
  }
  answer(more: object = {}) {
    this.emit("msg:custom", { type: "reply", id: this.sent.at(-1)!.id, ok: true, ...more });
    return vi.waitFor(() => expect($(".shx").dataset.waiting).toBeUndefined());
  }
}

let host: HTMLElement;
let model: FakeModel;
let remove: () => void;

const $ = (selector: string) => host.shadowRoot!.querySelector<HTMLElement>(selector)!;
const row = (fqn: string) => $(`.row[data-fqn="${fqn}"]:not([hidden])`);
const role = (name: string) => $(`[data-role="${name}"]`);
const press = (key: string, more: object = {}) => $(".rows").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more }));

function show(tree: TreePayload = stack(12), plan: object | "" = unitPerBlock(12)) {
  model = new FakeModel({ tree: JSON.stringify(tree), plan: plan && JSON.stringify(plan), run: "", view: "" });
  host = document.createElement("div");
  document.body.replaceChildren(host);
  remove = widget.render({ model, el: host });
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockImplementation(function (this: HTMLElement) {
    return this.className === "rows" ? 432 : 176; // jsdom has no layout
  });
  show();
});
afterEach(() => {
  remove();
  vi.restoreAllMocks();
});

describe("widget", () => {
  it("is ready after its first paint, with a row for each fold and the words of the plan", async () => {
    await vi.waitFor(() => expect($(".shx").dataset.ready).toBe("1"));
    expect(row("h.0–11").dataset).toMatchObject({ status: "F", index: "3", count: "12" });
    expect(row("h.0–11").textContent).toContain("×12");
    expect(row("h.0–11").textContent).toContain("u1–12");
    expect(row("wte").dataset.status).toBe("f");
    expect(role("totals").textContent).toContain("40 modules");
  });

  it("marks what is selected, once, and paints when the plan arrives", async () => {
    row("wte").click();
    $('[data-cmd="replicate"]').click();
    expect(model.sent).toEqual([expect.objectContaining({ cmd: "mark", verb: "replicate", indices: [1] })]);
    expect(row("wte").dataset.status).toBe("f");
    model.publish("plan", planState({ rev: 2, status: [[1, 2, 1, "R"]], last: "ex.replicate('wte')" }));
    await model.answer({ rev: 2 });
    expect(row("wte").dataset.status).toBe("R");
    expect(role("status").textContent).toBe("ex.replicate('wte')");
  });

  it("says why an edit was refused, as text, and changes nothing", async () => {
    const before = row("h").outerHTML;
    row("h").click();
    row("").click();
    press("i");
    await model.answer({ ok: false, error: { title: "PlanError", detail: "<b>no</b>" } });
    expect(role("status").dataset.kind).toBe("error");
    expect(role("status").textContent).toBe("PlanError<b>no</b>");
    expect(row("h").outerHTML).toBe(before);
  });

  it("shows what was refused in Python too", () => {
    model.emit("msg:custom", { type: "notice", rev: 0, error: { title: "This cannot be done here", detail: "no module named 'x'" } });
    expect(role("status").dataset.kind).toBe("error");
    expect(role("status").textContent).toBe("This cannot be done hereno module named 'x'");
  });

  it("sends no edit of a reference alone, and says where its module is", () => {
    remove();
    show({ ...stack(2), refs: [[0, "again", 1, "shared"]] }, "");
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

  it("lists the orders and goes to the module of a click", () => {
    $('[data-tab="orders"]').click();
    const cell = $('[data-order="handles"][data-target="h.0"]');
    expect(cell.textContent).toBe("h.0");
    cell.click();
    expect(row("h.0–11").getAttribute("aria-selected")).toBe("true");
    expect($('[data-order="init_wrapper"][data-target="h.0"]').dataset.differs).toBe("1");
  });

  it("lists conflicts first and goes to their modules", () => {
    const conflict = { kind: "tied", fqns: ["wte"], indices: [1], message: "tied across units", fix: "group them" };
    model.publish("plan", { ...unitPerBlock(12), conflicts: [conflict] });
    expect($('[data-tab="findings"]').textContent).toBe("Findings (1)");
    expect(role("findings").textContent).toContain("tied across unitsgroup them");
    $('[data-jump="1"]').click();
    expect(row("wte").getAttribute("aria-selected")).toBe("true");
    expect(row("wte").dataset.alarm).toBe("3");
  });

  it("runs with the numbers given and follows the batches", async () => {
    $('[data-cmd="run"]').click();
    expect(model.sent[0]).toMatchObject({ cmd: "run", nprocs: 2, steps: 10 });
    await model.answer();
    model.emit("msg:custom", { type: "run", seq: 1, id: "r", phase: "running", nprocs: 2, steps: 10, step: 1, losses: [[1, 2, 3]] });
    expect(role("losses").textContent).toBe("step 1: rank 0 2.0000, rank 1 3.0000");
    expect(role("progress").getAttribute("value")).toBe("1");
    model.publish("run", { id: "r", phase: "failed", error: { title: "WorkerError", detail: "rank 1" }, log: [[0, "<i>x</i>\n"]] });
    expect(role("run-error").textContent).toBe("WorkerErrorrank 1");
    expect(role("log").textContent).toBe("[rank 0] <i>x</i>");
  });

  it("sends one run for two quick clicks, and offers Run again when it was refused", async () => {
    const run = $('[data-cmd="run"]') as HTMLButtonElement;
    run.click();
    run.click();
    expect(model.sent).toHaveLength(1);
    expect(run.disabled).toBe(true);
    await model.answer({ ok: false, error: { title: "No", detail: "workers must be 1 or more" } });
    expect(run.disabled).toBe(false);
  });

  it("tells start and end of a run that Python started", () => {
    model.publish("run", { id: "r", phase: "running", nprocs: 2, steps: 3 });
    expect(role("status").textContent).toBe("The run has started.");
    model.publish("run", { id: "r", phase: "done", nprocs: 2, step: 3, steps: 3, seconds: 1.5 });
    expect(role("status").textContent).toBe("Done on 2 workers, step 3 of 3, 1.5 s");
  });

  it("keeps saying that a run was stopped when the answer to Stop comes last", async () => {
    model.publish("run", { id: "r", phase: "running", nprocs: 2, steps: 3 });
    $('[data-cmd="stop"]').click();
    model.publish("run", { id: "r", phase: "stopped", nprocs: 2, step: 1, steps: 3 });
    await model.answer();
    expect(role("status").textContent).toBe("Stopped on 2 workers, step 1 of 3");
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
    expect(model.listeners()).toBe(5);
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

// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { $, host, model, press, role, row, viewPerTest } from "../page";
import { planState, unitPerBlock } from "../shapes";

viewPerTest();

const SIZE = 40;
const unmanaged = (rev: number) => planState({ rev, status: [[0, SIZE, 1, "u"]], code: "plan = Plan()" });
const head = (key: string) => $(`.heads [data-sort="${key}"]`);
const labels = () => [...host.shadowRoot!.querySelectorAll<HTMLElement>(".row:not([hidden])")].sort((a, b) => Number(a.dataset.row) - Number(b.dataset.row)).map((each) => each.dataset.fqn);
const on = (element: HTMLElement, key: string) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));

describe("a column head", () => {
  it("sorts the rows as a list, turns them round, and gives the tree back", () => {
    const tree = labels();
    head("dfs").click();
    head("dfs").click();
    expect(labels()).toEqual([...tree].reverse());
    expect(head("dfs").getAttribute("aria-sort")).toBe("descending");
    expect(row("h.0–11.a").querySelector('[data-cell="name"]')!.textContent).toBe("h.0–11.a");
    expect(row("h.0–11").getAttribute("aria-expanded")).toBeNull();
    expect(role("status").textContent).toContain("rows by #, largest first");
    head("dfs").click();
    expect(labels()).toEqual(tree);
    expect(head("dfs").getAttribute("aria-sort")).toBe("none");
  });

  it("is one tab stop of a row of heads, and sorts by Enter", () => {
    const stops = () => [...$(".heads").querySelectorAll<HTMLElement>("[data-sort]")].filter(({ tabIndex }) => tabIndex === 0).map(({ dataset }) => dataset.sort);
    expect(stops()).toEqual(["total"]);
    head("total").focus();
    on(head("total"), "ArrowRight");
    expect(stops()).toEqual(["unit"]);
    on(head("unit"), "Enter");
    expect(head("unit").getAttribute("aria-sort")).toBe("ascending");
    expect(stops()).toEqual(["unit"]);
  });

  it("leaves the list with Enter on a row, at the module of that row", () => {
    head("total").click();
    press("End");
    const { fqn } = $(".row[data-focus]").dataset;
    press("ArrowLeft"); // folds nothing
    expect($(".row[data-focus]").dataset.fqn).toBe(fqn);
    press("Enter");
    expect(head("total").getAttribute("aria-sort")).toBe("none");
    expect($(".row[data-focus]").dataset.fqn).toBe(fqn);
  });

  it("keeps its order when another plan comes", () => {
    head("dfs").click();
    head("dfs").click();
    model.publish("plan", unmanaged(2));
    expect(labels()[0]).toBe("head");
    expect(labels().at(-1)).toBe("");
  });

  it("plays its order by a key", async () => {
    on(head("init_w"), "p");
    await vi.waitFor(() => expect((role("walk") as HTMLSelectElement).value).toBe("wrapper"));
    expect($('[data-cmd="play"]').textContent).toContain("Pause");
    on(head("total"), "p"); // no walk
    expect((role("walk") as HTMLSelectElement).value).toBe("wrapper");
  });
});

describe("what changed", () => {
  it("is said on the rows, in their names and in a list, until the key is pressed again", async () => {
    model.publish("plan", unmanaged(2));
    press("=");
    expect(row("h.0–11").dataset.change).toBe("removed");
    expect(row("h.0–11").querySelector('[data-cell="change"]')!.textContent).toBe("− was fully sharded");
    expect(row("h.0–11").querySelector(".words")!.textContent).toMatch(/removed 12 times, was fully sharded$/);
    await vi.waitFor(() => expect(role("changes-note").textContent).toBe("13 removed since this page was opened (27 follow)."));
    expect([...role("changes").querySelectorAll("button")].map(({ textContent }) => textContent)).toEqual(["− (root) fully sharded → unmanaged", "− h.* ×12 fully sharded → unmanaged"]);
    press("=");
    expect(row("h.0–11").dataset.change).toBeUndefined();
  });

  it("counts what is inside a closed row", () => {
    model.publish("plan", unmanaged(2));
    press("=");
    row("h").querySelector<HTMLElement>('[data-cell="fold"]')!.click();
    expect(row("h").querySelector('[data-cell="changes"]')!.textContent).toBe("−12 inside");
    expect(row("h").querySelector(".words")!.textContent).toContain("changes inside: removed 12");
  });

  it("goes from one change to the next", async () => {
    model.publish("plan", unmanaged(2));
    press("=");
    await vi.waitFor(() => expect(role("changes").children.length).toBe(2));
    const line = () => role("changes").querySelectorAll<HTMLElement>("button")[1];
    line().click();
    expect(role("status").textContent).toBe("h.0: change 1 of 12.");
    line().click();
    expect(role("status").textContent).toBe("h.1: change 2 of 12.");
    expect(row("h.0–11").getAttribute("aria-selected")).toBe("true");
  });

  it("can be by the last edit only, with the lines of code that it changed", async () => {
    model.publish("plan", unmanaged(2));
    model.publish("plan", { ...unitPerBlock(12), rev: 3, code: "plan = Plan()\nplan = plan.fully_shard('h.*')" });
    press("=");
    await vi.waitFor(() => expect(role("changes-note").textContent).toBe("No mark changed since this page was opened."));
    const since = role("since") as HTMLSelectElement;
    since.value = "edit";
    since.dispatchEvent(new Event("change"));
    await vi.waitFor(() => expect(role("changes-note").textContent).toBe("13 added by the last edit (27 follow)."));
    expect(role("changed-code").textContent).toBe("+ plan = plan.fully_shard('h.*')");
  });
});

describe("a unit's boundary", () => {
  const pointer = (type: string, target: HTMLElement, clientY: number) =>
    target.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, button: 0, clientX: 300, clientY }));
  const chip = () => row("h.0–11").querySelector<HTMLElement>(".unit")!;

  it("moves down by keys to the children of all that is selected", () => {
    row("h.0–11").click();
    press("ArrowDown", { altKey: true });
    expect(model.sent.at(-1)).toMatchObject({ cmd: "boundary", way: "down", indices: [[3, 12, 3]] });
    expect(row("h.0–11.a").dataset).toMatchObject({ status: "F", pending: "true" });
  });

  it("is dragged by its chip: what it would mark is outlined, and sent when it is let go", () => {
    pointer("pointerdown", chip(), 100);
    pointer("pointermove", chip(), 80);
    expect(row("").dataset.now).toBe("true");
    expect(role("status").textContent).toContain("move the boundary of h.0–11 up to 1 module");
    pointer("pointermove", chip(), 130);
    expect(row("").dataset.now).toBeUndefined();
    expect(row("h.0–11.a").dataset.now).toBe("true");
    pointer("pointerup", chip(), 130);
    expect(model.sent.at(-1)).toMatchObject({ cmd: "boundary", way: "down" });
    expect(row("h.0–11.a").dataset.now).toBeUndefined();
  });

  it("stays where it is after Escape, or where it was only clicked", () => {
    pointer("pointerdown", chip(), 100);
    pointer("pointermove", chip(), 80);
    press("Escape");
    pointer("pointerup", chip(), 80);
    pointer("pointerdown", chip(), 100);
    pointer("pointerup", chip(), 102);
    pointer("pointerdown", row("wte").querySelector<HTMLElement>(".unit")!, 100); // no unit of its own
    pointer("pointermove", chip(), 80);
    pointer("pointerup", chip(), 80);
    expect(model.sent).toEqual([]);
  });

  it("says why it cannot be moved, and takes the paint back", async () => {
    press("ArrowUp", { altKey: true });
    expect(model.sent.at(-1)).toMatchObject({ cmd: "boundary", way: "up", indices: [0] });
    await model.answer({ ok: false, error: { title: "This cannot be done here", detail: "as high as it goes" } });
    expect(role("status").textContent).toContain("as high as it goes");
  });
});

describe("a tie", () => {
  it("dims the rest while the keyboard is on a row that has it", () => {
    $(".rows").focus();
    expect(row("h").dataset.dim).toBeUndefined();
    row("wte").click();
    expect(row("h").dataset.dim).toBe("true");
    expect(row("head").dataset.dim).toBeUndefined();
    $(".rows").blur();
    expect(row("h").dataset.dim).toBeUndefined();
  });
});

// The tree on the page: recycled rows of an outline with their ancestors pinned above them, its clicks and keys handed on as
// actions.
import { COLUMNS, FIRST_HIDDEN } from "./columns";
import { h, setAttributes } from "./dom";
import type { Execution } from "./extras/execution";
import type { Paint, Viewport } from "./extras/contract";
import { Hits } from "./hits";
import { actionOf, type Action } from "./keys";
import type { Outline } from "./outline";
import { fillRow, makeRow, type Looks } from "./rowview";
import { VirtualList } from "./virtual";
import { STATUS_WORDS } from "./words";

const ROW_HEIGHT = 24;
const COMPACT = 20;
const SEEN = 18; // rows shown at most, before the reader drags the corner
const PINS = 4;

type Tone = "now" | "live";
const HUES = { shard: "shard", replicate: "replicate", ignore: "ignore", none: "line" };

export interface TreeEvents {
  act(action: Action): void;
  select(row: number, extend: boolean): void;
  toggle(row: number): void;
  split(row: number): void;
  scrolled(): void;
}

export class TreeView {
  readonly element: HTMLElement;
  readonly stage = h("div", { class: "stage" }); // the rows, and what stands beside them
  #heads = h("div", { class: "heads", "aria-hidden": "true" });
  #pins = h("div", { class: "pins", "aria-hidden": "true" });
  #list: VirtualList;
  #pointed: Record<Tone, readonly number[]> = { now: [], live: [] };
  #height = ""; // set by us; the reader may have dragged another one
  #looks: Looks = {
    outline: undefined as never, // until the first `show`
    columns: [],
    measured: { execution: new Map(), bytes: null },
    hits: new Hits(),
    paint: null,
    pending: new Map(),
    refused: new Set(),
    tie: "",
    pointed: { now: new Set(), live: new Set() },
  };
  hidden: ReadonlySet<string> = new Set(FIRST_HIDDEN);

  constructor(private events: TreeEvents) {
    const attributes = { class: "rows", role: "tree", tabindex: 0, "aria-multiselectable": "true", "aria-label": "Modules" };
    const makeOne = (slot: number) => makeRow("row", `row-${slot}`);
    this.#list = new VirtualList(ROW_HEIGHT, attributes, makeOne, (element, at) => fillRow(element, at, this.#looks, false));
    const { view } = this.#list;
    view.prepend(this.#pins);
    view.addEventListener("click", (event) => this.#click(event));
    view.addEventListener("mouseover", ({ target }) => this.#lookAtTie(target as HTMLElement));
    view.addEventListener("mouseleave", () => this.#lookAtTie(null));
    view.addEventListener("scroll", () => {
      this.#pin();
      events.scrolled();
    });
    view.addEventListener("keydown", (event) => this.#press(event));
    this.stage.append(view);
    this.element = h("div", { class: "tree" }, this.#heads, this.stage);
    this.hide(this.hidden);
  }

  /** Draws the rows in view; `follow` scrolls to the focused one. */
  show(outline: Outline, follow: boolean): void {
    const looks = this.#looks;
    looks.outline = outline;
    const height = `${Math.min(outline.rows.length, SEEN) * this.#list.rowHeight + 2}px`;
    if (this.#height !== height) this.#list.view.style.height = this.#height = height;
    for (const tone of ["now", "live"] as const) looks.pointed[tone] = new Set(this.#pointed[tone].map((node) => outline.rowOf(node)));
    const lead = follow ? Math.min(PINS, outline.rows[outline.focus].level - 1) : 0;
    this.#list.show(outline.rows.length, follow ? outline.focus : -1, lead);
    this.#pin();
    setAttributes(this.#list.view, { "aria-activedescendant": this.#list.elementOf(outline.focus)?.id ?? null });
  }

  get painted(): boolean {
    return this.#list.view.clientHeight > 0;
  }
  get viewport(): Viewport {
    return { first: this.#list.first, count: this.#list.page, rowHeight: this.#list.rowHeight };
  }
  scrollTo = (row: number) => this.#list.jumpTo(row);

  colourOf(node: number): string {
    const { paint, outline } = this.#looks;
    return paint?.(node)?.colour ?? `var(--${HUES[STATUS_WORDS[outline.plan.status[node]].hue]})`;
  }

  /** Rows that show these modules are outlined until the next call of that tone. */
  point(tone: Tone, nodes: readonly number[]): void {
    this.#pointed[tone] = nodes;
    this.#redraw();
  }

  paint(paint: ((node: number) => Paint | null) | null): void {
    this.#looks.paint = paint;
    this.#redraw();
  }

  find(nodes: readonly number[]): void {
    this.#looks.hits = new Hits(nodes, this.#looks.outline.tree);
    this.#redraw();
  }

  execute(execution: Execution): void {
    this.#looks.measured.execution = execution;
    this.#redraw();
  }

  measure(nbytes: ((node: number) => number) | null): void {
    const { size } = this.#looks.outline.tree;
    const before = nbytes && new Float64Array(size + 1);
    if (before) for (let at = 0; at < size; at++) before[at + 1] = before[at] + nbytes!(at);
    this.#looks.measured.bytes = before;
    this.#redraw();
  }

  /** These modules look as they will if Python agrees; no letter: as they were, their refusal marked until the next edit. */
  pend(nodes: readonly number[], letter?: string): void {
    this.#looks.pending = new Map(letter ? nodes.map((node) => [node, letter]) : []);
    this.#looks.refused = new Set(letter ? [] : nodes);
    this.#redraw();
  }

  hide(keys: Iterable<string>): void {
    this.hidden = new Set(keys);
    this.#looks.columns = COLUMNS.filter(({ key }) => !this.hidden.has(key));
    this.#heads.replaceChildren(h("span", { class: "main" }, "module"), ...this.#looks.columns.map(({ key, label, title }) => h("span", { class: `num ${key}`, title }, label)));
    this.#redraw();
  }

  compact(on: boolean): void {
    this.#list.rowHeight = on ? COMPACT : ROW_HEIGHT;
    this.element.style.setProperty("--row", `${this.#list.rowHeight}px`);
    this.#redraw();
  }

  takeFocus = () => this.#list.view.focus({ preventScroll: true });
  destroy = () => this.#list.destroy();

  #redraw(): void {
    if (this.#looks.outline) this.show(this.#looks.outline, false);
  }

  /** The ancestors of the first rows that are not seen themselves, outermost first, stay at the upper edge. */
  #pin(): void {
    const { outline } = this.#looks;
    const first = Math.floor(this.#list.first);
    const pinned: number[] = [];
    while (pinned.length < PINS && first + pinned.length < outline.rows.length) {
      const place = first + pinned.length;
      const ancestor = outline.ancestorsOf(place)[pinned.length];
      if (ancestor === undefined || ancestor >= place) break;
      pinned.push(ancestor);
    }
    while (this.#pins.children.length > pinned.length) this.#pins.lastElementChild!.remove();
    while (this.#pins.children.length < pinned.length) this.#pins.append(makeRow("pin"));
    pinned.forEach((at, k) => {
      const element = this.#pins.children[k] as HTMLElement;
      element.style.transform = `translateY(${k * this.#list.rowHeight}px)`;
      fillRow(element, at, this.#looks, true);
    });
  }

  #lookAtTie(target: HTMLElement | null): void {
    const tie = target?.dataset.cell === "ties" ? target.textContent!.split(" ")[1] : "";
    if (tie === this.#looks.tie) return;
    this.#looks.tie = tie;
    this.#redraw();
  }

  #click(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>("[data-row]");
    if (!element) return;
    const at = Number(element.dataset.row);
    const { outline } = this.#looks;
    if (target.dataset.cell === "fold" && outline.isParent(outline.rows[at])) this.events.toggle(at);
    else if (target.dataset.cell === "times") this.events.split(at);
    else this.events.select(at, event.shiftKey);
    this.takeFocus();
  }

  #press(event: KeyboardEvent): void {
    const action = actionOf(event, this.#list.page - 1);
    if (!action) return;
    event.preventDefault();
    if (action.do !== "leave") return this.events.act(action);
    const { view } = this.#list;
    view.blur();
    (view.getRootNode() as ShadowRoot).host.closest<HTMLElement>("[tabindex]")?.focus(); // the notebook's cell
    return undefined;
  }
}

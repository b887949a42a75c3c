// The tree on the page: recycled rows of an outline with their ancestors pinned above them, its clicks and keys handed on.
import { COLUMNS, type Column } from "./columns";
import { fit, h, setAttributes } from "./dom";
import type { Outline } from "./outline";
import { drawRow, lookOf, makeRow, type Look } from "./rowview";
import { VirtualList } from "./virtual";

const ROW_HEIGHT = 24;
const COMPACT = 20;
const SEEN = 18; // rows shown at most, before the reader drags the corner
const PINS = 4;

export interface TreeEvents {
  /** Adds to the look of a row before it is drawn. */
  dress(look: Look, at: number): void;
  /** Takes a key, or leaves it to the browser; `page` is the number of rows in view. */
  press(event: KeyboardEvent, page: number): boolean;
  select(row: number, extend: boolean): void;
  toggle(row: number): void;
  split(row: number): void;
  scrolled(): void;
}

export class TreeView {
  readonly element: HTMLElement;
  readonly stage = h("div", { class: "stage" }); // the rows, and what stands beside them
  readonly rows: HTMLElement; // with the keyboard of the tree
  #heads = h("div", { class: "heads", "aria-hidden": "true" });
  #pins = h("div", { class: "pins", "aria-hidden": "true" });
  #list: VirtualList;
  #height = ""; // set by us; the reader may have dragged another one
  #outline?: Outline;
  #columns: readonly Column[] = [];

  constructor(private events: TreeEvents) {
    const attributes = { class: "rows", role: "tree", tabindex: 0, "aria-multiselectable": "true", "aria-label": "Modules",
      click: (event: MouseEvent) => this.#click(event), keydown: (event: KeyboardEvent) => this.#press(event) };
    this.#list = new VirtualList(ROW_HEIGHT, attributes, (slot) => makeRow("row", `row-${slot}`), (element, at) => this.#draw(element, at, false));
    this.rows = this.#list.view;
    this.rows.addEventListener("scroll", () => this.#scrolled());
    this.rows.prepend(this.#pins);
    this.stage.append(this.rows);
    this.element = h("div", { class: "tree" }, this.#heads, this.stage);
    this.show(COLUMNS);
  }

  /** Draws the rows in view; `follow` scrolls to the focused one. */
  draw(outline: Outline, follow: boolean): void {
    this.#outline = outline;
    const { rows, focus } = outline;
    const height = `${Math.min(rows.length, SEEN) * this.#list.rowHeight + 2}px`;
    if (this.#height !== height) this.rows.style.height = this.#height = height;
    this.#list.show(rows.length, follow ? focus : -1, follow ? Math.min(PINS, rows[focus].level - 1) : 0);
    this.#pin();
    setAttributes(this.rows, { "aria-activedescendant": this.#list.elementOf(focus)?.id ?? null });
  }

  redraw(): void {
    if (this.#outline) this.draw(this.#outline, false);
  }

  get painted(): boolean {
    return this.rows.clientHeight > 0;
  }

  /** The rows on the screen: `first` is a fraction while it is partly gone. */
  get viewport() {
    const { first, page, rowHeight } = this.#list;
    return { first, count: page, rowHeight };
  }

  scrollTo = (row: number) => this.#list.jumpTo(row);

  show(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#heads.replaceChildren(h("span", { class: "main" }, "module"), ...columns.map(({ key, label, title }) => h("span", { class: `num ${key}`, title }, label)));
    this.redraw();
  }

  compact(on: boolean): void {
    this.#list.rowHeight = on ? COMPACT : ROW_HEIGHT;
    this.element.style.setProperty("--row", `${this.#list.rowHeight}px`);
    this.redraw();
  }

  takeFocus = () => this.rows.focus({ preventScroll: true });
  destroy = () => this.#list.destroy();

  #draw(element: HTMLElement, at: number, pinned: boolean): void {
    const look = lookOf(this.#outline!, this.#columns, at);
    this.events.dress(look, at);
    drawRow(element, look, pinned);
  }

  #scrolled(): void {
    this.#pin();
    this.events.scrolled();
  }

  /** The ancestors of the first rows that are not seen themselves, outermost first, stay at the upper edge. */
  #pin(): void {
    const outline = this.#outline!;
    const first = Math.floor(this.#list.first);
    const pinned: number[] = [];
    while (pinned.length < PINS && first + pinned.length < outline.rows.length) {
      const place = first + pinned.length;
      const ancestor = outline.ancestorsOf(place)[pinned.length];
      if (ancestor === undefined || ancestor >= place) break;
      pinned.push(ancestor);
    }
    fit(this.#pins, pinned.length, () => makeRow("pin"));
    pinned.forEach((at, k) => {
      const element = this.#pins.children[k] as HTMLElement;
      element.style.transform = `translateY(${k * this.#list.rowHeight}px)`;
      this.#draw(element, at, true);
    });
  }

  #click(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>("[data-row]");
    if (!element) return;
    const at = Number(element.dataset.row);
    if (target.dataset.cell === "fold" && this.#outline!.isParent(this.#outline!.rows[at])) this.events.toggle(at);
    else if (target.dataset.cell === "times") this.events.split(at);
    else this.events.select(at, event.shiftKey);
    this.takeFocus();
  }

  #press(event: KeyboardEvent): void {
    if (this.events.press(event, this.#list.page - 1)) event.preventDefault();
  }
}

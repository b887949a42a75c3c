// The tree on the page: recycled rows of an outline, and their column heads.
import type { Column } from "./columns";
import { h, setAttributes } from "./dom";
import type { Outline } from "./outline";
import type { Started } from "./extras/core";
import { drawRow, lookOf, makeRow } from "./rowview";
import { VirtualList } from "./virtual";

const ROW_HEIGHT = 24;
const COMPACT = 20;
const SEEN = 18; // rows shown at most, before the reader drags the corner

export class TreeView {
  readonly element: HTMLElement;
  readonly stage = h("div", { class: "stage" }); // the rows, and what stands beside them
  readonly list: VirtualList;
  readonly rows: HTMLElement; // the element of the list: it scrolls and has the keyboard
  extras?: Started; // dresses rows, once it is there
  pinned = 0; // rows at the upper edge that hide what is under them
  readonly heads = h("div", { class: "heads", "aria-hidden": "true" });
  #height = ""; // set by us; the reader may have dragged another one
  #outline!: Outline;
  #columns: readonly Column[] = [];

  constructor() {
    const attributes = { class: "rows", role: "tree", tabindex: 0, "aria-multiselectable": "true", "aria-label": "Modules" };
    this.list = new VirtualList(ROW_HEIGHT, attributes, (slot) => makeRow("row", `row-${slot}`), (element, at) => this.fill(element, at));
    this.rows = this.list.view;
    this.stage.append(this.rows);
    this.element = h("div", { class: "tree" }, this.heads, this.stage);
  }

  /** Draws the rows in view; `follow` scrolls to the focused one. */
  draw(outline = this.#outline, follow = false): void {
    this.#outline = outline;
    const { rows, focus } = outline;
    const height = `${Math.min(rows.length, SEEN) * this.list.rowHeight + 2}px`;
    if (this.#height !== height) this.rows.style.height = this.#height = height;
    this.list.show(rows.length, follow ? focus : -1, Math.min(this.pinned, rows[focus].level - 1));
    setAttributes(this.rows, { "aria-activedescendant": this.list.elementOf(focus)?.id ?? null });
    this.extras?.drawn();
  }

  /** Draws one row into an element of `makeRow`. */
  fill(element: HTMLElement, at: number, pinned = false): void {
    const row = this.#outline.rows[at];
    const look = lookOf(this.#outline, this.#columns, row);
    this.extras?.dress(look, row);
    drawRow(element, look, pinned);
  }

  /** Which columns, and how tall rows are, from the next `draw` on. */
  show(columns: readonly Column[], compact: boolean): void {
    this.#columns = columns;
    this.list.rowHeight = compact ? COMPACT : ROW_HEIGHT;
    this.element.style.setProperty("--row", `${this.list.rowHeight}px`);
    this.heads.replaceChildren(h("span", { class: "main" }, "module"), ...columns.map(({ key, label, title }) => h("span", { class: `num ${key}`, title }, label)));
  }

  takeFocus = () => this.rows.focus({ preventScroll: true });
}

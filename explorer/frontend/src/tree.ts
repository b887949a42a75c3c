// The tree on the page: recycled rows of an outline, its clicks and keys handed on as actions.
import { h, setAttributes, setText } from "./dom";
import type { Viewport } from "./extras/contract";
import { actionOf, type Action } from "./keys";
import { difference } from "./fold";
import type { Outline } from "./outline";
import { fqnOf } from "./payload";
import { labelOf, membersOf, rangeName, type Row } from "./rows";
import { VirtualList } from "./virtual";
import { describe, ownParameters, progression, shortNumel, STATUS_WORDS, statusOf, unitText } from "./words";

export const ROW_HEIGHT = 24;
const INDENT = 14;
const SEEN = 18; // rows shown at most, before the reader drags the corner
const CELLS = ["fold", "swatch", "name", "type", "times", "differs", "ties", "alarm"];
const COLUMNS: [key: string, label: string, title: string][] = [
  ["own", "own", "Elements of the module's direct parameters"],
  ["total", "subtree", "Elements of the whole subtree, each tensor once"],
  ["unit", "unit", "The unit that owns the parameters"],
  ["dfs", "#", "Place in the pre-order (DFS) of the modules; k counts the siblings of a ×n row"],
  ["handle", "H", "Place of the unit's handle in get_handles(root)"],
  ["init_c", "I₁", "When its handle is made by fully_shard (composable path)"],
  ["init_w", "I₂", "When its handle is made by FullyShardedDataParallel (wrapper path)"],
];

type Tone = "now" | "live";
const TONES: Tone[] = ["now", "live"];
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
  #list: VirtualList;
  #outline!: Outline;
  #pointed: Record<Tone, readonly number[]> = { now: [], live: [] };
  #pointedRows: Record<Tone, Set<number>> = { now: new Set(), live: new Set() };
  #height = ""; // set by us; the reader may have dragged another one

  constructor(private events: TreeEvents) {
    const attributes = { class: "rows", role: "tree", tabindex: 0, "aria-multiselectable": "true", "aria-label": "Modules" };
    this.#list = new VirtualList(ROW_HEIGHT, attributes, makeRow, (element, at) => this.#fill(element, at));
    this.#list.view.addEventListener("click", (event) => this.#click(event));
    this.#list.view.addEventListener("scroll", () => events.scrolled());
    this.#list.view.addEventListener("keydown", (event) => this.#press(event));
    const heads = COLUMNS.map(([key, label, title]) => h("span", { class: `num ${key}`, title }, label));
    this.element = h("div", { class: "tree" }, h("div", { class: "heads", "aria-hidden": "true" }, h("span", {}, "module"), ...heads), this.stage);
    this.stage.append(this.#list.view);
  }

  /** Draws the rows in view; `follow` scrolls to the focused one. */
  show(outline: Outline, follow: boolean): void {
    this.#outline = outline;
    const height = `${Math.min(outline.rows.length, SEEN) * ROW_HEIGHT + 2}px`;
    if (this.#height !== height) this.#list.view.style.height = this.#height = height;
    for (const tone of TONES) this.#pointedRows[tone] = new Set(this.#pointed[tone].map((node) => outline.rowOf(node)));
    this.#list.show(outline.rows.length, follow ? outline.focus : -1);
    setAttributes(this.#list.view, { "aria-activedescendant": this.#list.elementOf(outline.focus)?.id ?? null });
  }

  get painted(): boolean {
    return this.#list.view.clientHeight > 0;
  }
  get viewport(): Viewport {
    return { first: this.#list.first, count: this.#list.page, rowHeight: ROW_HEIGHT };
  }
  scrollTo = (row: number) => this.#list.jumpTo(row);

  colourOf = (node: number) => `var(--${HUES[STATUS_WORDS[this.#outline.plan.status[node]].hue]})`;

  /** Rows that show these modules are outlined until the next call of that tone. */
  point(tone: Tone, nodes: readonly number[]): void {
    this.#pointed[tone] = nodes;
    if (this.#outline) this.show(this.#outline, false);
  }

  takeFocus = () => this.#list.view.focus({ preventScroll: true });
  destroy = () => this.#list.destroy();

  #click(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>("[data-row]");
    if (!element) return;
    const at = Number(element.dataset.row);
    if (target.dataset.cell === "fold" && this.#outline.isParent(this.#outline.rows[at])) this.events.toggle(at);
    else if (target.dataset.cell === "times") this.events.split(at);
    else this.events.select(at, event.shiftKey);
    this.takeFocus();
  }

  #press(event: KeyboardEvent): void {
    const action = actionOf(event, this.#list.page - 1);
    if (!action) return;
    event.preventDefault();
    if (action.do === "leave") this.#list.view.blur();
    else this.events.act(action);
  }

  #fill(element: HTMLElement, at: number): void {
    const row = this.#outline.rows[at];
    const { tree, plan } = this.#outline;
    const status = statusOf(plan, row);
    const parent = this.#outline.isParent(row);
    setAttributes(element, {
      "data-row": at,
      "data-index": row.node,
      "data-fqn": labelOf(tree, row),
      "data-count": row.times,
      "data-status": row.ref < 0 ? status.letter : "ref",
      "data-hue": row.ref < 0 ? status.hue : "none",
      "data-alarm": row.ref < 0 ? plan.alarm[row.node] : 0,
      "aria-level": row.level,
      "aria-posinset": row.position,
      "aria-setsize": row.siblings,
      "aria-selected": this.#outline.isSelected(at),
      "aria-expanded": parent ? this.#outline.isOpen(row) : null,
      "data-now": this.#pointedRows.now.has(at) || null,
      "data-live": this.#pointedRows.live.has(at) || null,
      "data-focus": at === this.#outline.focus ? "1" : null,
    });
    element.style.setProperty("--indent", `${Math.min(row.level - 1, 24) * INDENT}px`);
    const texts = row.ref < 0 ? this.#moduleTexts(row, parent) : this.#referenceTexts(row);
    texts.words = describe(tree, plan, row);
    for (const cell of element.querySelectorAll<HTMLElement>("[data-cell]")) setText(cell, texts[cell.dataset.cell!] ?? "");
    element.title = row.ref < 0 ? ownParameters(tree, row.node) : "";
  }

  #moduleTexts(row: Row, parent: boolean): Record<string, string> {
    const { tree, plan } = this.#outline;
    const cls = tree.cls[row.node];
    const members = membersOf(row);
    const name = rangeName(tree, { ...row, first: row.node });
    const above = tree.parent[row.node];
    const order = (key: "handle" | "init_c" | "init_w") =>
      progression(members.map((index) => plan.unitAt.get(index)?.[key] ?? -1));
    return {
      fold: parent ? (this.#outline.isOpen(row) ? "▾" : "▸") : "",
      swatch: statusOf(plan, row).glyph,
      name: row.node === 0 ? tree.title : /^\d/.test(name) && above > 0 ? `${tree.names[above]}.${name}` : name,
      type: row.node === 0 && tree.classes[cls][0] === tree.title ? "" : tree.classes[cls][0],
      times: row.times > 1 ? `×${row.times}` : this.#outline.isSplit(row) ? "⊟" : "",
      differs: row.beside < 0 ? "" : `differs in ${difference(tree, plan, row.beside, row.node)}`,
      ties: (tree.tiesOf.get(row.node) ?? []).map((letter) => `tie ${letter}`).join(" "),
      alarm: ["", "i", "▲", "!"][plan.alarm[row.node]],
      own: tree.own[cls] ? shortNumel(tree.own[cls]) : "",
      total: tree.total[cls] ? shortNumel(tree.total[cls]) : "",
      unit: unitText(plan, members),
      dfs: `#${progression(members)}`,
      handle: order("handle"),
      init_c: order("init_c"),
      init_w: order("init_w"),
    };
  }

  #referenceTexts(row: Row): Record<string, string> {
    const { tree } = this.#outline;
    const [, attr, , kind] = tree.refs[row.ref];
    const target = row.node === 0 ? tree.title : fqnOf(tree, row.node);
    return { fold: kind === "back" ? "↺" : "↪", name: attr, type: `same as ${target} (#${row.node})` };
  }
}

/** The accessible name is a sentence of its own; the cells are for the eye. */
function makeRow(slot: number): HTMLElement {
  const cell = (key: string, more: object = {}) => h("span", { "data-cell": key, "aria-hidden": "true", ...more });
  const columns = COLUMNS.map(([key]) =>
    key === "unit" ? h("span", { class: "num unit" }, cell(key)) : cell(key, { class: `num ${key}` }),
  );
  const main = h("span", { class: "main" }, h("span", { "data-cell": "words" }), ...CELLS.map((key) => cell(key)));
  return h("div", { class: "row", role: "treeitem", id: `row-${slot}` }, main, ...columns);
}

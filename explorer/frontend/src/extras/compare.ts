// Compare mode: two orders side by side, straight connectors between the places of one module, and how many differ.
// Equal places are joined, differing ones boxed; only what is on the screen exists.
import { h, setAttributes, setText } from "../dom";
import { fqnOf } from "../payload";
import { VirtualList } from "../virtual";
import { CHOICES, choiceOf, localRoots, orderOf } from "./choices";
import type { Change, Page, Panel } from "./contract";
import { Curtain } from "./curtain";
import { Palette, penFor } from "./paint";
import { connectorsIn, headline, pairOrders, type Pairing } from "./pairing";

const ROW_HEIGHT = 22;
const SEEN = 12;
const NONE = pairOrders([], []);

export class ComparePanel implements Panel {
  readonly element: HTMLElement;
  private curtain: Curtain;
  private left = this.chooser("left", "init_composable");
  private right = this.chooser("right", "init_wrapper");
  private root = h("select", { "data-role": "compare-root", "aria-label": "Local root", change: () => this.pair() });
  private title = h("b", { "data-role": "compare-note" });
  private list: VirtualList;
  private canvas = h("canvas", { class: "connectors", "aria-hidden": "true" });
  private pairing: Pairing = NONE;
  private at: { place: number; side: 0 | 1 } = { place: 0, side: 0 };
  private frame = 0;
  private palette: Palette;

  constructor(private page: Page) {
    this.palette = new Palette(page.root);
    const attributes = { class: "compare-rows", role: "grid", tabindex: 0, "aria-label": "Two orders side by side" };
    this.list = new VirtualList(ROW_HEIGHT, attributes, makeRow, (element, place) => this.fill(element, place));
    const { view } = this.list;
    view.append(this.canvas);
    view.addEventListener("scroll", () => this.drawSoon());
    view.addEventListener("click", (event) => this.click(event));
    view.addEventListener("keydown", (event) => this.press(event));
    const content = h("div", { class: "compare", "data-role": "compare" },
      h("div", { class: "bar" }, this.left, h("span", {}, "vs"), this.right, this.root, this.title),
      h("p", { class: "note" }, "Boxed places differ; lines join the two places of one module. Arrows move, Enter shows the module in the tree."),
      view);
    this.curtain = new Curtain(content, (shown) => shown && this.repaint());
    this.element = this.curtain.element;
  }

  update(changes: ReadonlySet<Change>): void {
    if (changes.has("theme")) this.palette.forget();
    if (["tree", "plan", "run"].some((change) => changes.has(change as Change))) this.pair();
    else if (changes.has("theme") || changes.has("size")) this.repaint();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.curtain.destroy();
    this.list.destroy();
  }

  private chooser(side: string, chosen: string): HTMLSelectElement {
    const options = CHOICES.map(({ key, label }) => h("option", { value: key, ...(key === chosen ? { selected: "" } : {}) }, label));
    return h("select", { "data-role": `compare-${side}`, "aria-label": `Order on the ${side}`, change: () => this.pair() }, ...options);
  }

  private pair(): void {
    const { tree, plan, run } = this.page;
    this.offerRoots();
    const order = (select: HTMLSelectElement) => orderOf(select.value, tree, plan, run, this.root.value);
    this.pairing = pairOrders(order(this.left), order(this.right));
    const [left, right] = [choiceOf(this.left.value).sign, choiceOf(this.right.value).sign];
    setText(this.title, this.pairing.places ? headline(left, right, this.pairing) : "Neither order exists yet: mark a module, or run the plan.");
    this.at = { place: Math.min(this.at.place, Math.max(0, this.pairing.places - 1)), side: this.at.side };
    this.repaint();
  }

  private offerRoots(): void {
    const roots = localRoots(this.page.plan);
    const chosen = this.root.value;
    this.root.replaceChildren(h("option", { value: "" }, "from the root"), ...roots.slice(0, 50).map((fqn) => h("option", { value: fqn }, `from ${fqn}`)));
    this.root.value = roots.includes(chosen) ? chosen : "";
    this.root.hidden = roots.length === 0;
  }

  private repaint(): void {
    const { places } = this.pairing;
    this.list.view.style.height = `${Math.min(Math.max(places, 1), SEEN) * ROW_HEIGHT}px`;
    setAttributes(this.list.view, { "aria-rowcount": places });
    this.list.show(places);
    this.point();
    this.drawSoon();
  }

  private fill(element: HTMLElement, place: number): void {
    const [nth, left, right] = element.children as unknown as HTMLElement[];
    setText(nth, String(place));
    setAttributes(element, { "aria-rowindex": place + 1, "data-place": place });
    const differs = this.pairing.left[place] !== this.pairing.right[place];
    this.fillCell(left, place, 0, differs);
    this.fillCell(right, place, 1, differs);
  }

  private fillCell(cell: HTMLElement, place: number, side: 0 | 1, differs: boolean): void {
    const node = (side ? this.pairing.right : this.pairing.left)[place];
    const other = node === undefined ? -1 : (side ? this.pairing.leftOf : this.pairing.rightOf)[place];
    const name = node === undefined ? "" : fqnOf(this.page.tree, node) || "(root)";
    setText(cell, name);
    setAttributes(cell, {
      "data-node": node ?? null,
      "data-differs": differs && node !== undefined ? "1" : null,
      "data-now": this.at.place === place && this.at.side === side ? "1" : null,
      title: name || null,
      "aria-label": node === undefined ? "nothing" : `${name}, place ${place}${differs ? `, on the other side ${other < 0 ? "missing" : `place ${other}`}` : ", the same on both sides"}`,
    });
  }

  private click(event: MouseEvent): void {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("[data-side]");
    const row = cell?.closest<HTMLElement>("[data-place]");
    if (!cell || !row) return;
    this.move(Number(row.dataset.place), Number(cell.dataset.side) as 0 | 1);
    if (cell.dataset.node !== undefined) this.page.reveal(Number(cell.dataset.node));
  }

  private press(event: KeyboardEvent): void {
    const { place, side } = this.at;
    const page = this.list.page - 1;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -place, End: this.pairing.places };
    if (event.key in steps) this.move(place + steps[event.key], side);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.move(place, event.key === "ArrowLeft" ? 0 : 1);
    else if (event.key === "Enter") this.enter();
    else return;
    event.preventDefault();
  }

  private enter(): void {
    const node = (this.at.side ? this.pairing.right : this.pairing.left)[this.at.place];
    if (node !== undefined) this.page.reveal(node);
  }

  private move(place: number, side: 0 | 1): void {
    this.at = { place: Math.max(0, Math.min(this.pairing.places - 1, place)), side };
    this.list.show(this.pairing.places, this.at.place);
    this.point();
    this.drawSoon();
  }

  private point(): void {
    const row = this.list.elementOf(this.at.place);
    setAttributes(this.list.view, { "aria-activedescendant": row?.children[1 + this.at.side].id ?? null });
  }

  private drawSoon(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  /** The gap between the columns, redrawn for the rows on the screen; the canvas stays where the reader looks. */
  private draw(): void {
    const { view } = this.list;
    const row = view.querySelector<HTMLElement>("[data-place]:not([hidden])");
    if (!row || view.clientHeight === 0) return;
    const [left, right] = [row.children[1] as HTMLElement, row.children[2] as HTMLElement];
    const x = left.offsetLeft + left.offsetWidth;
    const width = right.offsetLeft - x;
    const height = view.clientHeight;
    Object.assign(this.canvas.style, { left: `${x}px`, top: `${view.scrollTop}px` });
    this.drawLines(penFor(this.canvas, width, height), width, view.scrollTop, height);
  }

  private drawLines(pen: CanvasRenderingContext2D, width: number, top: number, height: number): void {
    const [same, crossed, ring] = ["--soft", "--replicate", "--ring"].map((name) => this.palette.of(`var(${name})`));
    const y = (place: number) => (place + 0.5) * ROW_HEIGHT - top;
    const first = Math.floor(top / ROW_HEIGHT);
    for (const { from, to } of connectorsIn(this.pairing, first, Math.ceil((top + height) / ROW_HEIGHT))) {
      const chosen = (this.at.side ? to : from) === this.at.place;
      pen.strokeStyle = chosen ? ring : from === to ? same : crossed;
      pen.lineWidth = chosen ? 2.5 : from === to ? 1 : 1.5;
      pen.beginPath();
      pen.moveTo(0, y(from));
      pen.lineTo(width, y(to));
      pen.stroke();
    }
  }
}

let made = 0; // cells need ids of their own, whatever the number of panels

function makeRow(): HTMLElement {
  const cell = (side: number) => h("span", { role: "gridcell", "data-side": side, id: `compare-cell-${made++}` });
  return h("div", { class: "compare-row", role: "row" }, h("span", { role: "rowheader" }), cell(0), cell(1));
}

// How the tree looks: what rows are coloured by, with the legend of that colour, which columns are seen, and how tall rows are.
import { h, setText } from "../dom";
import { bytesText } from "./amounts";
import { boundsOf, COLOURINGS, paintBy, ramp, type Colouring } from "./colouring";
import type { Change, Page, Panel } from "./contract";
import { rankBytes, type UnitBytes } from "./rankbytes";

const STOPS = 5;

export class Appearance implements Panel {
  readonly element: HTMLElement;
  #by = h("select", { "data-role": "colour-by", change: () => this.#choose(this.#by.value as Colouring) },
    ...Object.entries(COLOURINGS).map(([value, label]) => h("option", { value }, label)));
  #scale = h("span", { class: "scale", "data-role": "scale", role: "img" });
  #columns: HTMLInputElement[];
  #compact = h("input", { type: "checkbox", "data-role": "compact", change: () => this.page.compact(this.#compact.checked) });
  #colouring: Colouring = "status";
  #asked = false; // for the costs, which nobody has asked for before

  constructor(private page: Page) {
    this.#columns = page.columns.map(({ key, title }) => h("input", { type: "checkbox", value: key, title, change: () => this.#pick() }));
    const labels = page.columns.map(({ label, title }, at) => h("label", { title }, this.#columns[at], ` ${label}`));
    const sheet = h("div", { class: "sheet" });
    const menu = h("details", { class: "menu" }, h("summary", { "data-role": "columns" }, "Columns"), sheet);
    menu.addEventListener("toggle", () => sheet.replaceChildren(...(menu.open ? labels : [])));
    this.element = h("div", { class: "bar appearance" }, h("label", {}, "colour by ", this.#by), this.#scale, menu, h("label", {}, this.#compact, " compact"));
    this.#colouring = (page.kept("colour") as Colouring) ?? "status";
    this.#by.value = this.#colouring;
    this.#compact.checked = page.kept("compact") === true;
  }

  update(changes: ReadonlySet<Change>): void {
    for (const box of this.#columns) box.checked = !this.page.hidden.has(box.value);
    if (["tree", "plan", "costs"].some((change) => changes.has(change as Change))) this.#paint();
  }

  destroy = () => undefined;

  #choose(colouring: Colouring): void {
    this.#colouring = colouring;
    this.page.keep("colour", colouring);
    this.#paint();
  }

  #pick(): void {
    this.page.hide(this.#columns.filter((box) => !box.checked).map((box) => box.value));
    this.#paint();
  }

  /** Colours the rows anew. Bytes need the costs: Python works them out when they are first asked for. */
  #paint(): void {
    const { page } = this;
    const wanted = this.#colouring === "bytes" || !page.hidden.has("bytes");
    const own = wanted ? this.#ownBytes() : null;
    page.measure(own);
    const subtree = own ? subtreeBytes(page.tree.size, page.tree.end, own) : () => 0;
    page.paint(paintBy(this.#colouring, page.tree, page.plan, subtree));
    this.#showScale(subtree);
  }

  #ownBytes(): ((node: number) => number) | null {
    const costs = this.page.trait("costs") as { units: UnitBytes[] } | null;
    if (costs) return rankBytes(this.page.tree, this.page.plan, costs.units);
    if (!this.#asked) void this.page.ask("what_if", {});
    this.#asked = true;
    return null;
  }

  /** The numbers at five places of the ramp; equal for all rows that have that colour. */
  #showScale(bytes: (node: number) => number): void {
    const { tree, plan } = this.page;
    const [low, high] = this.#colouring === "bytes" ? boundsOf(tree, bytes) : [0, 0];
    const said: Record<Colouring, (t: number) => string> = {
      status: () => "",
      dfs: (t) => `#${Math.round(t * (tree.size - 1))}`,
      unit: (t) => (plan.state.units.length ? `u${[0, 2, 4, 1, 3][t * (STOPS - 1)]}+5k` : ""),
      bytes: (t) => (high > 0 ? bytesText(low * (high / low) ** t) : ""),
    };
    const stops = Array.from({ length: STOPS }, (_, k) => k / (STOPS - 1)).filter((t) => said[this.#colouring](t));
    this.#scale.replaceChildren(...stops.map((t) => {
      const stop = h("span", {}, said[this.#colouring](t));
      const { colour, ink } = ramp(t);
      stop.style.cssText = `background:${colour};color:${ink}`;
      return stop;
    }));
    this.#scale.setAttribute("aria-label", `From light to dark: ${stops.map(said[this.#colouring]).join(", ")}`);
    this.#scale.hidden = stops.length === 0;
    if (this.#colouring === "bytes" && high === 0) {
      this.#scale.hidden = false;
      setText(this.#scale, "the costs are being worked out");
    }
  }
}

/** Sums over subtrees, from the sum before each module. */
function subtreeBytes(size: number, end: Int32Array, own: (node: number) => number): (node: number) => number {
  const before = new Float64Array(size + 1);
  for (let at = 0; at < size; at++) before[at + 1] = before[at] + own(at);
  return (node) => before[end[node]] - before[node];
}

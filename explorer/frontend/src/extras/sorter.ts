// The tree as a flat list in the order of a column, and back: what a press on a head does to the rows, the keys that mean
// something else then, and how a row of the list looks.
import type { Column } from "../columns";
import { labelOf, type Row } from "../rows";
import type { Look } from "../rowview";
import type { Measured } from "./columns";
import type { Core } from "./core";
import { Heads } from "./heads";
import { pressed, sorted, type Order } from "./sorting";
import type { WalkKind } from "./walk";

export class Sorter {
  order: Order | null = null;
  #heads: Heads;
  #columns: readonly Column[] = [];

  constructor(private core: Core, private measured: Measured, private tell: (text: string) => void, play: (kind: WalkKind) => void) {
    this.#heads = new Heads(core.view.heads, (key) => this.#by(key), play);
  }

  /** The heads were made anew, for these columns. */
  show(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#heads.show(columns, this.order);
  }

  destroy = () => this.#heads.destroy();

  /** A press on the head of a column. */
  #by(key: string): void {
    this.order = pressed(this.order, key);
    this.#arrange();
    this.tell(this.#said());
  }

  #said(): string {
    if (!this.order) return "The rows are a tree again.";
    const { label } = this.#columns.find(({ key }) => key === this.order!.key)!;
    return `${this.core.outline.rows.length.toLocaleString("en")} rows by ${label}, ${this.order.down ? "largest" : "least"} first. Enter shows a module in the tree again.`;
  }

  /** The tree was drawn anew. */
  follow(): void {
    if (this.order) this.#arrange();
  }

  /** Takes the keys that fold a tree: a list has nothing to fold, and Enter goes back to the tree. */
  press({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (!this.order || altKey || ctrlKey || metaKey || !["ArrowLeft", "ArrowRight", "Enter"].includes(key)) return false;
    if (key === "Enter") {
      const { node } = this.core.outline.focused;
      this.order = null;
      this.#arrange();
      this.core.moved(() => this.core.outline.jump(node));
    }
    return true;
  }

  /** A row of the list says its whole name and folds nothing. */
  dress(look: Look, row: Row): void {
    if (!this.order) return;
    const { tree } = this.core.outline;
    const [, swatch, [, name], ...more] = look.main;
    look.main = [["place", ""], swatch, ["name", labelOf(tree, row) || name], ...more];
    look.item["aria-expanded"] = null;
    look.attributes["data-lane"] = "starts";
  }

  #arrange(): void {
    const { outline } = this.core;
    const { order, measured } = this;
    outline.arrange = order ? (rows) => sorted(outline, rows, measured.valueOf(order.key), order.down) : (rows) => rows;
    this.#heads.show(this.#columns, order);
    this.core.moved(() => outline.rebuild());
  }
}

// What is open, focused and selected in the tree, and how keys and clicks change it. No DOM.
import type { Plan } from "./plan";
import { hasChildren, newFolds, openFirstLevels, reveal, shownAt, visibleRows, type Folds, type Row } from "./rows";
import type { Tree } from "./payload";

const NONE: ReadonlySet<number> = new Set();

export class Outline {
  rows: Row[] = [];
  focus = 0; // row
  anchor = 0; // row at the other end of the selected range
  like = NONE; // modules selected beside the range, by the second module
  readonly folds: Folds;

  constructor(
    readonly tree: Tree,
    public plan: Plan,
  ) {
    this.folds = newFolds(tree);
    openFirstLevels(tree, plan, this.folds);
    this.#rebuild();
  }

  setPlan(plan: Plan): void {
    this.plan = plan;
    this.#rebuild();
  }

  isOpen = (row: Row) => row.ref < 0 && this.folds.open[row.node] === 1;
  isParent = (row: Row) => row.ref < 0 && hasChildren(this.tree, row.node);
  isSplit = (row: Row) => row.ref < 0 && this.folds.split.has(this.tree.parent[row.node]);
  isSelected = (at: number) =>
    (at >= Math.min(this.anchor, this.focus) && at <= Math.max(this.anchor, this.focus)) || (this.rows[at].ref < 0 && this.like.has(this.rows[at].node));

  select(at: number, extend = false): void {
    this.focus = Math.max(0, Math.min(this.rows.length - 1, at));
    if (!extend) this.anchor = this.focus;
    this.like = NONE;
  }

  /** To the next row, in a circle, whose name begins with that character. */
  typeAhead(char: string): void {
    const { names, refs } = this.tree;
    const { length } = this.rows;
    for (let by = 1; by < length; by++) {
      const at = (this.focus + by) % length;
      const { node, ref } = this.rows[at];
      if ((ref < 0 ? names[node] : refs[ref][1]).toLowerCase().startsWith(char)) return this.select(at);
    }
  }

  toggle(at: number): void {
    const row = this.rows[at];
    if (!this.isParent(row)) return;
    this.folds.open[row.node] ^= 1;
    this.#rebuild();
  }

  /** Opens what is beside the focused row. */
  openSiblings(): void {
    const { above } = this.rows[this.focus];
    for (const row of this.rows) if (row.above === above && row.ref < 0) this.folds.open[row.node] = 1;
    this.#rebuild();
  }

  openAll(): void {
    this.folds.open.fill(1);
    this.#rebuild();
  }

  closeAll(): void {
    this.folds.open.fill(0, 1);
    this.#rebuild();
  }

  /** Shows the siblings of the repeated row at or around `at` one by one, or gathers them again. */
  toggleSplit(at: number): void {
    const { scope, node, ref } = this.rows[at];
    const parent = this.tree.parent[scope?.first ?? node];
    if (parent < 0 || ref >= 0) return;
    if (!this.folds.split.delete(parent)) this.folds.split.add(parent);
    this.#rebuild();
  }

  /** Right: open, or step in. */
  open(): void {
    const row = this.rows[this.focus];
    if (this.isParent(row) && !this.isOpen(row)) this.toggle(this.focus);
    else if (this.isOpen(row)) this.select(this.focus + 1);
  }

  /** Left: close, or step out. */
  close(): void {
    const row = this.rows[this.focus];
    if (this.isOpen(row) && this.isParent(row)) this.toggle(this.focus);
    else this.select(row.above);
  }

  /** Enter: follow a reference, else open or close. */
  enter(): void {
    const row = this.rows[this.focus];
    if (row.ref >= 0) this.jump(row.node);
    else this.toggle(this.focus);
  }

  jump(node: number): void {
    const shown = reveal(this.tree, this.plan, this.folds, node);
    this.#rebuild();
    this.select(this.#find(shown));
  }

  /** The row that shows a module: its own, its folded run's, or that of the closed module around it. */
  rowOf = (node: number) => this.#find(shownAt(this.tree, this.plan, this.folds, node));

  /** The rows of the modules around a row, outermost first. */
  ancestorsOf(at: number): number[] {
    const above: number[] = [];
    for (let row = this.rows[at].above; row >= 0; row = this.rows[row].above) above.push(row);
    return above.reverse();
  }

  /** The row of its own that a module has, by halves: rows stand in pre-order, references behind what is beside them. */
  #find(node: number): number {
    const { end, refs } = this.tree;
    const place = ({ ref, node: own }: Row) => (ref < 0 ? own : end[refs[ref][0]] - 0.5);
    let [low, high] = [0, this.rows.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place(this.rows[middle]) < node) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  restore(open: number[], split: number[]): void {
    this.folds.open.fill(0);
    for (const index of open) this.folds.open[index] = 1;
    this.folds.split = new Set(split);
    this.#rebuild();
  }

  /** Focus and anchor stay on what they were: itself, the run it joined, or the closed module around it. */
  #rebuild(): void {
    const [focus, anchor] = [this.rows[this.focus], this.rows[this.anchor]];
    this.rows = visibleRows(this.tree, this.plan, this.folds);
    this.focus = this.#rowNear(focus);
    this.anchor = this.#rowNear(anchor);
  }

  #rowNear(old?: Row): number {
    if (!old) return 0;
    const same = old.ref < 0 ? -1 : this.rows.findIndex(({ ref }) => ref === old.ref);
    return same >= 0 ? same : this.rowOf(old.ref < 0 ? old.node : this.tree.refs[old.ref][0]);
  }
}

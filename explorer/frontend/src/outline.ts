// What is open, focused and selected in the tree, and how keys and clicks change it. No DOM.
import type { Plan } from "./plan";
import { hasChildren, membersOf, newFolds, openFirstLevels, reveal, shownAt, visibleRows, type Folds, type Row } from "./rows";
import type { Tree } from "./payload";

export class Outline {
  rows: Row[] = [];
  focus = 0; // row
  anchor = 0; // row at the other end of the selected range
  #folds: Folds;
  #tied?: Int32Array; // modules with tied parameters before each module, made when first asked
  #like: ReadonlySet<number> = new Set(); // modules selected beside the range: all that are like the focused one

  constructor(
    readonly tree: Tree,
    public plan: Plan,
  ) {
    this.#folds = newFolds(tree);
    openFirstLevels(tree, this.plan, this.#folds);
    this.#rebuild();
  }

  setPlan(plan: Plan): void {
    this.plan = plan;
    this.#rebuild();
  }

  isOpen = (row: Row) => row.ref < 0 && this.#folds.open[row.node] === 1;
  isParent = (row: Row) => row.ref < 0 && hasChildren(this.tree, row.node);
  isSelected = (at: number) =>
    (at >= Math.min(this.anchor, this.focus) && at <= Math.max(this.anchor, this.focus)) || (this.rows[at].ref < 0 && this.#like.has(this.rows[at].node));

  select(at: number, extend = false): void {
    this.focus = Math.max(0, Math.min(this.rows.length - 1, at));
    if (!extend) this.anchor = this.focus;
    this.#like = new Set();
  }

  get numLike(): number {
    return this.#like.size;
  }

  /** Selects every module of the focused one's class, wherever it is. */
  selectLike(): void {
    const { cls } = this.tree;
    const wanted = cls[this.rows[this.focus].node];
    this.#like = new Set(Array.from(cls.keys()).filter((node) => cls[node] === wanted));
    this.anchor = this.focus;
  }

  /** To the next row, in a circle, whose name begins with that character. */
  typeAhead(char: string): void {
    const { length } = this.rows;
    const begins = ({ node, ref }: Row) => (ref < 0 ? this.tree.names[node] : this.tree.refs[ref][1]).toLowerCase().startsWith(char);
    for (let by = 1; by < length; by++) {
      const at = (this.focus + by) % length;
      if (begins(this.rows[at])) return this.select(at);
    }
  }

  /** Modules of all selected rows, ascending; references stand for nothing to mark. */
  selectedIndices(): number[] {
    const chosen = this.rows.filter((row, at) => row.ref < 0 && this.isSelected(at));
    return [...new Set([...chosen.flatMap(membersOf), ...this.#like])].sort((a, b) => a - b);
  }

  toggle(at: number): void {
    const row = this.rows[at];
    if (!this.isParent(row)) return;
    this.#folds.open[row.node] ^= 1;
    this.#rebuild();
  }

  /** Opens what is beside the focused row. */
  openSiblings(): void {
    const { rows } = this;
    const { level } = rows[this.focus];
    let at = this.focus;
    while (at > 0 && rows[at - 1].level >= level) at--;
    for (; at < rows.length && rows[at].level >= level; at++) if (rows[at].level === level && rows[at].ref < 0) this.#folds.open[rows[at].node] = 1;
    this.#rebuild();
  }

  openAll(): void {
    this.#folds.open.fill(1);
    this.#rebuild();
  }

  closeAll(): void {
    this.#folds.open.fill(0, 1);
    this.#rebuild();
  }

  /** Shows the siblings of the repeated row at or around `at` one by one, or gathers them again. */
  toggleSplit(at: number): void {
    const row = this.rows[at];
    const parent = this.tree.parent[row.scope?.first ?? row.node];
    if (parent < 0 || row.ref >= 0) return;
    if (!this.#folds.split.delete(parent)) this.#folds.split.add(parent);
    this.#rebuild();
  }

  isSplit = (row: Row) => row.ref < 0 && this.#folds.split.has(this.tree.parent[row.node]);

  /** Right: open, or step in. */
  open(): void {
    const row = this.rows[this.focus];
    if (this.isParent(row) && !this.isOpen(row)) this.toggle(this.focus);
    else if (this.isOpen(row)) this.select(this.focus + 1);
  }

  /** Left: close, or step out. */
  close(): void {
    const { level } = this.rows[this.focus];
    if (this.isOpen(this.rows[this.focus]) && this.isParent(this.rows[this.focus])) return this.toggle(this.focus);
    let at = this.focus;
    while (at > 0 && this.rows[at].level >= level) at--;
    this.select(at);
    return undefined;
  }

  /** Enter: a reference jumps to the module it stands for, anything else opens or closes. */
  enter(): void {
    const row = this.rows[this.focus];
    if (row.ref >= 0) this.jump(row.node);
    else this.toggle(this.focus);
  }

  jump(node: number): void {
    const shown = reveal(this.tree, this.plan, this.#folds, node);
    this.#rebuild();
    this.select(this.#find(shown));
  }

  /** The row that shows a module: its own, its folded run's, or that of the closed module around it. */
  rowOf = (node: number) => this.#find(shownAt(this.tree, this.plan, this.#folds, node));

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

  /** Modules below one that hold tied parameters. */
  tiesBelow(node: number): number {
    const { tiesOf, size, end } = this.tree;
    if (tiesOf.size === 0) return 0;
    if (!this.#tied) {
      this.#tied = new Int32Array(size + 1);
      for (const holder of tiesOf.keys()) this.#tied[holder + 1] = 1;
      for (let at = 0; at < size; at++) this.#tied[at + 1] += this.#tied[at];
    }
    return this.#tied[end[node]] - this.#tied[node + 1];
  }

  restore(open: number[], split: number[], node: number): void {
    this.#folds.open.fill(0);
    for (const index of open) this.#folds.open[index] = 1;
    this.#folds.split = new Set(split);
    this.#rebuild();
    if (node >= 0 && node < this.tree.size) this.jump(node);
  }

  get splitParents(): number[] {
    return [...this.#folds.split];
  }

  #rebuild(): void {
    const focus = this.rows[this.focus];
    const anchor = this.rows[this.anchor];
    this.rows = visibleRows(this.tree, this.plan, this.#folds);
    this.focus = focus ? this.#rowNear(focus) : 0;
    this.anchor = anchor ? this.#rowNear(anchor) : 0;
  }

  /** The row that shows what another row showed before: itself, the run it joined, or the closed module around it. */
  #rowNear(old: Row): number {
    if (old.ref < 0) return this.rowOf(old.node);
    const same = this.rows.findIndex(({ ref }) => ref === old.ref);
    return same >= 0 ? same : this.rowOf(this.tree.refs[old.ref][0]);
  }
}

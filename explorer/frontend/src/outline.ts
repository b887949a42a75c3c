// What is open, focused and selected in the tree, and how keys and clicks change it. No DOM.
import type { Plan } from "./plan";
import { hasChildren, newFolds, openFirstLevels, shownAt, upwards, visibleRows, type Folds, type Row } from "./rows";
import type { Tree } from "./payload";

const NONE: ReadonlySet<number> = new Set();

export class Outline {
  rows: Row[] = [];
  focus = 0; // row
  anchor = 0; // row at the other end of the selected range
  like = NONE; // modules selected beside the range, by the second module
  readonly folds: Folds;
  arrange = (rows: Row[]): Row[] => rows; // the second module may sort them

  constructor(
    readonly tree: Tree,
    public plan: Plan,
  ) {
    this.folds = newFolds(tree);
    openFirstLevels(tree, plan, this.folds);
    this.rows = visibleRows(tree, plan, this.folds);
  }

  isOpen = (row: Row) => row.ref < 0 && this.folds.open[row.node] === 1;
  isParent = (row: Row) => row.ref < 0 && hasChildren(this.tree, row.node);
  isSelected = ({ at, ref, node }: Row) =>
    (at >= Math.min(this.anchor, this.focus) && at <= Math.max(this.anchor, this.focus)) || (ref < 0 && this.like.has(node));

  get focused(): Row {
    return this.rows[this.focus];
  }

  select(at: number, extend = false): void {
    this.focus = Math.max(0, Math.min(this.rows.length - 1, at));
    if (!extend) this.anchor = this.focus;
    this.like = NONE;
  }

  /** To the next row, in a circle, whose name begins with that character. */
  typeAhead(char: string): void {
    const { names, refs } = this.tree;
    const begins = ({ node, ref }: Row) => (ref < 0 ? names[node] : refs[ref][1]).toLowerCase().startsWith(char);
    const next = this.rows.slice(this.focus + 1).find(begins) ?? this.rows.find(begins);
    if (next) this.select(next.at);
  }

  toggle(row: Row): void {
    if (!this.isParent(row)) return;
    this.folds.open[row.node] ^= 1;
    this.rebuild();
  }

  /** Opens what is beside the focused row. */
  openSiblings(): void {
    for (const { parent, ref, node } of this.rows) if (ref < 0 && parent === this.focused.parent) this.folds.open[node] = 1;
    this.rebuild();
  }

  restore(open: number[], split: number[] = []): void {
    this.folds.open.fill(0);
    for (const index of open) this.folds.open[index] = 1;
    this.folds.split = new Set(split);
    this.rebuild();
  }

  openAll(): void {
    this.folds.open.fill(1);
    this.rebuild();
  }

  closeAll(): void {
    this.folds.open.fill(0, 1);
    this.rebuild();
  }

  /** Shows the siblings of the repeated row at or around one of them one by one, or gathers them again. */
  split(row = this.focused): void {
    const run = upwards(row).find(({ times }) => times > 1) ?? row;
    const parent = this.tree.parent[run.node];
    if (parent < 0 || row.ref >= 0) return;
    if (!this.folds.split.delete(parent)) this.folds.split.add(parent);
    this.rebuild();
  }

  /** Right: open, or step in. */
  open(): void {
    if (this.isOpen(this.focused)) this.select(this.focus + 1);
    else this.toggle(this.focused);
  }

  /** Left: close, or step out. */
  close(): void {
    if (this.isOpen(this.focused) && this.isParent(this.focused)) this.toggle(this.focused);
    else this.select(this.focused.parent?.at ?? 0);
  }

  /** Enter: follow a reference, else open or close. */
  enter(): void {
    if (this.focused.ref >= 0) this.jump(this.focused.node);
    else this.toggle(this.focused);
  }

  /** Focuses a module, and opens what hides it. */
  jump(node: number): void {
    shownAt(this.tree, this.plan, this.folds, node, true);
    this.rebuild();
    this.select(this.rowOf(node));
  }

  /** The row that shows a module: its own, its folded run's, or that of the closed module around it. */
  rowOf(node: number): number {
    const shown = shownAt(this.tree, this.plan, this.folds, node);
    return this.rows.findIndex((row) => row.ref < 0 && row.node === shown);
  }

  /** After a change of plan or folds: focus and anchor stay on what they were, or on what shows that now. */
  rebuild(): void {
    const [focus, anchor] = [this.focused, this.rows[this.anchor]];
    this.rows = this.arrange(visibleRows(this.tree, this.plan, this.folds));
    this.focus = this.#rowNear(focus);
    this.anchor = this.#rowNear(anchor);
  }

  #rowNear({ ref, node }: Row): number {
    if (ref < 0) return this.rowOf(node);
    const same = this.rows.findIndex((row) => row.ref === ref);
    return same >= 0 ? same : this.rowOf(this.tree.refs[ref][0]);
  }
}

// A table of any length in a few elements: every row is one line of text, its columns padded to their widths. Heard, a row
// is a sentence with the titles in it. Arrows move, Enter does what a click does.
import { h, setAttributes, setText } from "../dom";
import { VirtualList } from "../virtual";
import { rowSentence, type Column } from "./costs";

const ROW_HEIGHT = 20;
const MEASURED = 400; // rows that decide on the widths
const WIDEST = 52;
const GAP = "  ";

let tables = 0; // rows need ids of their own, however many tables there are

export class TextTable<Row> {
  readonly element: HTMLElement;
  private list: VirtualList;
  private head = h("div", { class: "table-head", "aria-hidden": "true" });
  private rows: readonly Row[] = [];
  private widths: number[] = [];
  private at = 0;

  constructor(role: string, label: string, private columns: Column<Row>[], private seen: number, private enter?: (row: Row) => void) {
    const attributes = { class: "table-rows", role: "listbox", tabindex: 0, "aria-label": label };
    const table = tables++;
    this.list = new VirtualList(ROW_HEIGHT, attributes, (slot) => h("div", { class: "table-row", role: "option", id: `table-${table}-${slot}` }), (element, at) => this.fill(element, at));
    this.list.view.prepend(this.head);
    this.list.view.addEventListener("click", (event) => this.click(event));
    this.list.view.addEventListener("keydown", (event) => this.press(event));
    setAttributes(this.head, { title: columns.map(({ title, hint }) => `${title}: ${hint}`).join("\n") });
    this.element = h("div", { class: "table", "data-role": role }, this.list.view);
  }

  show(rows: readonly Row[]): void {
    this.rows = rows;
    this.widths = this.columns.map((column) => this.widthOf(column));
    setText(this.head, this.line((column) => column.title));
    this.at = Math.min(this.at, Math.max(0, rows.length - 1));
    this.list.view.style.height = `${(Math.min(rows.length, this.seen) + 1) * ROW_HEIGHT + 14}px`; // room for a scrollbar
    this.list.view.style.setProperty("--table-width", `${this.widths.reduce((sum, width) => sum + width + GAP.length, 0)}ch`);
    this.move(this.at);
  }

  repaint = (): void => this.move(this.at);
  destroy = (): void => this.list.destroy();

  private widthOf(column: Column<Row>): number {
    const some = [...this.rows.slice(0, MEASURED), ...this.rows.slice(-1)];
    return Math.min(WIDEST, some.reduce((most, row) => Math.max(most, column.text(row).length), column.title.length));
  }

  private line(text: (column: Column<Row>) => string): string {
    return this.columns.map((column, nth) => {
      const width = this.widths[nth];
      const whole = text(column);
      const cut = whole.length > width ? `${whole.slice(0, width - 1)}…` : whole;
      return column.left ? cut.padEnd(width) : cut.padStart(width);
    }).join(GAP).trimEnd();
  }

  private fill(element: HTMLElement, at: number): void {
    const row = this.rows[at];
    const sentence = rowSentence(this.columns, row);
    setText(element, this.line((column) => column.text(row)));
    setAttributes(element, {
      "data-row": at, title: sentence, // spoken after what is written in the row
      "aria-posinset": at + 1, "aria-setsize": this.rows.length, "aria-selected": at === this.at,
    });
  }

  private click(event: MouseEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
    if (!row) return;
    this.move(Number(row.dataset.row));
    this.enter?.(this.rows[this.at]);
  }

  private press(event: KeyboardEvent): void {
    const page = Math.max(1, this.seen - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    if (event.key in steps) this.move(this.at + steps[event.key]);
    else if (event.key === "Enter" && this.rows.length) this.enter?.(this.rows[this.at]);
    else return;
    event.preventDefault();
  }

  private move(to: number): void {
    this.at = Math.max(0, Math.min(this.rows.length - 1, to));
    this.list.show(this.rows.length, this.at);
    setAttributes(this.list.view, { "aria-activedescendant": this.list.elementOf(this.at)?.id ?? null });
  }
}

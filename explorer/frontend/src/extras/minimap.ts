// The minimap: every visible row as a line of pixels along the tree. A lane for each kind of status - sharded, replicated,
// ignored; long lines are marked modules, short ones managed from above - then a tick for search hits and one for findings.
import { h, setAttributes } from "../dom";
import { STATUSES } from "../plan";
import { bucketsOf, rowAt, spreadOut, windowOf, type Buckets } from "./buckets";
import type { Change, Page, Panel } from "./contract";
import { Palette, penFor } from "./paint";

export const WIDTH = 64;
const LANES: [letters: string, colour: string, left: number][] = [["Ff", "var(--shard)", 3], ["Rr", "var(--replicate)", 18], ["Ii", "var(--ignore)", 33]];
const LONG = 13;
const SHORT = 6;
const HIT = { left: 48, width: 5 };
const ALARM = { left: 56, width: 6 };
const TICKS = 1000;

export class Minimap implements Panel {
  private canvas = h("canvas", { "aria-hidden": "true" });
  private glass = h("div", { class: "glass" });
  readonly element = h("div", {
    class: "minimap", "data-role": "minimap", tabindex: 0, role: "slider", "aria-orientation": "vertical", "aria-label": "Rows of the tree on the screen",
    title: "All rows: sharded, replicated, ignored (short: managed from above), search hits, findings. Click to go there.",
  }, this.canvas, this.glass);
  private palette: Palette;
  private buckets: Buckets = bucketsOf([], { status: new Uint8Array(0), alarm: new Uint8Array(0) }, [], 1);
  private dragging = false;

  constructor(private page: Page) {
    this.palette = new Palette(page.root);
    this.element.addEventListener("pointerdown", (event) => this.grab(event));
    this.element.addEventListener("pointermove", (event) => this.dragging && this.go(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => (this.dragging = false));
    this.element.addEventListener("keydown", (event) => this.press(event));
  }

  update(changes: ReadonlySet<Change>): void {
    if (changes.has("theme")) this.palette.forget();
    if (["tree", "plan", "rows", "hits", "theme", "size"].some((change) => changes.has(change as Change))) this.draw();
    this.frame();
  }

  destroy = () => undefined;

  private draw(): void {
    const { rows, plan, hits } = this.page;
    const height = this.element.clientHeight;
    const hitRows = spreadOut(hits, TICKS).map((node) => this.page.rowOf(node));
    this.buckets = bucketsOf(rows, plan, hitRows, height);
    const pen = penFor(this.canvas, WIDTH, height);
    for (let line = 0; line < this.buckets.count; line++) this.drawLine(pen, line);
  }

  private drawLine(pen: CanvasRenderingContext2D, line: number): void {
    const { statuses, alarm, hit, thick } = this.buckets;
    const high = Math.max(1, thick - (thick > 2 ? 1 : 0));
    const bar = (left: number, width: number, colour: string) => {
      pen.fillStyle = this.palette.of(colour);
      pen.fillRect(left, line * thick, width, high);
    };
    for (const [letters, colour, left] of LANES) {
      const [marked, below] = [...letters].map((letter) => statuses[line] & (1 << STATUSES.indexOf(letter)));
      if (marked || below) bar(left, marked ? LONG : SHORT, colour);
    }
    if (hit[line]) bar(HIT.left, HIT.width, "var(--ink)");
    if (alarm[line] > 1) bar(ALARM.left, ALARM.width, alarm[line] === 3 ? "var(--bad)" : "var(--soft)");
  }

  /** The part that is on the screen. */
  private frame(): void {
    const { first, count } = this.page.viewport;
    const rows = this.page.rows.length;
    const { top, height } = windowOf(this.buckets, first, count);
    Object.assign(this.glass.style, { top: `${top}px`, height: `${height}px` });
    const from = Math.min(rows, Math.floor(first) + 1);
    setAttributes(this.element, {
      "aria-valuemin": 1, "aria-valuemax": Math.max(1, rows), "aria-valuenow": from,
      "aria-valuetext": `rows ${from} to ${Math.min(rows, Math.floor(first + count))} of ${rows}`,
    });
  }

  private grab(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.dragging = true;
    this.element.setPointerCapture(event.pointerId);
    this.go(event);
  }

  /** The row under the pointer comes to the middle. */
  private go(event: PointerEvent): void {
    const y = event.clientY - this.element.getBoundingClientRect().top;
    this.page.scrollTo(rowAt(this.buckets, y) - this.page.viewport.count / 2);
  }

  private press(event: KeyboardEvent): void {
    const { first, count } = this.page.viewport;
    const rows = this.page.rows.length;
    const to: Record<string, number> = { ArrowDown: first + 1, ArrowUp: first - 1, PageDown: first + count - 1, PageUp: first - count + 1, Home: 0, End: rows };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.page.scrollTo(Math.max(0, Math.min(to[event.key], rows - count)));
  }
}

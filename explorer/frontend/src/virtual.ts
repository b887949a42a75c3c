// A list of any length in a few elements: row r lives in element r modulo the pool, moved by transform. Browsers draw
// nothing beyond some 17 million pixels, so a longer list is scrolled at a larger scale.
import { h, type Attributes } from "./dom";

const SPARE = 1; // rows kept above and below what is seen
const TALLEST = 16_000_000; // px

export class VirtualList {
  readonly view: HTMLElement;
  #pad = h("div", { class: "pad", role: "presentation" });
  #pool: HTMLElement[] = [];
  #shown: number[] = []; // row in each element of the pool, -1 for none
  #count = 0;
  #frame = 0;
  #shift = 0; // how far the scale moves rows
  #resize = new ResizeObserver(() => this.paint());

  constructor(
    public rowHeight: number,
    attributes: Attributes,
    private make: (slot: number) => HTMLElement,
    private fill: (element: HTMLElement, row: number) => void,
  ) {
    this.view = h("div", attributes, this.#pad);
    this.view.addEventListener("scroll", () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.paint());
    });
    this.#resize.observe(this.view);
  }

  get page(): number {
    return Math.max(1, Math.floor(this.view.clientHeight / this.rowHeight));
  }

  /** The row at the upper edge, as a fraction while it is partly gone. */
  get first(): number {
    return (this.view.scrollTop * this.#scale) / this.rowHeight;
  }

  jumpTo(row: number): void {
    this.view.scrollTop = (row * this.rowHeight) / this.#scale;
  }

  /** Pixels of the list for one of the scroll bar; 1 unless the list is too tall to be drawn. */
  get #scale(): number {
    const whole = this.#count * this.rowHeight;
    const { clientHeight } = this.view;
    return whole <= TALLEST ? 1 : (whole - clientHeight) / (TALLEST - clientHeight);
  }

  /** Shows `count` rows, all of them filled anew, scrolled so that row `wanted`, if one is given, is seen below `lead` others. */
  show(count: number, wanted = -1, lead = 0): void {
    this.#count = count;
    this.#pad.style.height = `${Math.min(TALLEST, count * this.rowHeight)}px`;
    this.#shown.fill(-1);
    const seen = this.view.clientHeight / this.rowHeight;
    if (wanted >= 0 && wanted < this.first + lead) this.jumpTo(Math.max(0, wanted - lead));
    else if (seen > 0 && wanted + 1 > this.first + seen) this.jumpTo(wanted + 1 - seen);
    this.paint();
  }

  paint(): void {
    const fit = Math.min(this.#count, this.page + 1 + 2 * SPARE);
    const first = Math.max(0, Math.floor(this.first) - SPARE);
    const last = Math.min(this.#count, first + fit);
    const shift = this.view.scrollTop * (1 - this.#scale);
    while (this.#pool.length < fit) this.#grow();
    if (shift !== this.#shift) this.#shown.fill(-1); // scaled: every row moves with the bar
    this.#shift = shift;
    for (let row = first; row < first + this.#pool.length; row++) {
      const slot = row % this.#pool.length;
      const element = this.#pool[slot];
      element.hidden = row >= last;
      if (element.hidden || this.#shown[slot] === row) continue;
      this.#shown[slot] = row;
      element.style.transform = `translateY(${row * this.rowHeight + shift}px)`;
      this.fill(element, row);
    }
  }

  /** The element that shows a row now, if one does. */
  elementOf(row: number): HTMLElement | undefined {
    return this.#pool.find((element, slot) => this.#shown[slot] === row && !element.hidden);
  }

  destroy(): void {
    this.#resize.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  #grow(): void {
    const element = this.make(this.#pool.length);
    this.#pool.push(element);
    this.#pad.append(element);
    this.#shown = this.#pool.map(() => -1); // another modulus, other places
  }
}

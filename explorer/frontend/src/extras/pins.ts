// The ancestors of the first rows that are not seen themselves, outermost first, stay at the upper edge: for the eye alone.
import { fit, h, setAttributes } from "../dom";
import { upwards } from "../rows";
import { makeRow } from "../rowview";
import type { Core } from "./core";

const PINS = 4;

export class Pins {
  #element = h("div", { class: "pins", "aria-hidden": "true" });

  constructor(private core: Core) {
    core.view.rows.prepend(this.#element);
    core.view.pinned = PINS;
  }

  draw(): void {
    const { view, outline } = this.core;
    const { first, rowHeight } = view.list;
    const pinned = this.#pinned(Math.floor(first));
    fit(this.#element, pinned.length, () => makeRow("pin"));
    pinned.forEach((at, k) => {
      const element = this.#element.children[k] as HTMLElement;
      element.style.transform = `translateY(${k * rowHeight}px)`;
      view.fill(element, at, true);
      setAttributes(element, { "data-selected": outline.isSelected(outline.rows[at]) || null });
    });
  }

  #pinned(first: number): number[] {
    const { rows } = this.core.outline;
    const pinned: number[] = [];
    while (pinned.length < PINS && first + pinned.length < rows.length) {
      const place = first + pinned.length;
      const ancestor = upwards(rows[place]).at(-1 - pinned.length)!;
      if (!ancestor || ancestor.at >= place || rows[place].level === 1) break; // a sorted list has no levels
      pinned.push(ancestor.at);
    }
    return pinned;
  }
}

// The engines panel: the plan trained on several engines, side by side in one table that fills as they get through.
import { button, h, setAttributes, setText } from "../dom";
import { CHOICES, ENGINE_COLUMNS, isGoing, progressText, type Comparison } from "./comparison";
import type { Change, Page, Panel } from "./contract";
import { TextTable } from "./table";

export class EnginesPanel implements Panel {
  readonly element: HTMLElement;
  #nprocs = h("input", { type: "number", min: 1, max: 64, value: 2, "data-role": "engines-nprocs" });
  #steps = h("input", { type: "number", min: 1, max: 100000, value: 5, "data-role": "engines-steps" });
  #boxes = CHOICES.map(([engine, hint], nth) => h("input", { type: "checkbox", "data-engine": engine, title: hint, ...(nth < 2 ? { checked: "" } : {}) }));
  #start = button("compare", "Compare", "Train this plan on each engine, beside the unsharded model", () => void this.#ask());
  #stop = button("stop_compare", "■ Stop", "End the workers", () => void this.page.command("stop"));
  #progress = h("progress", { max: 1, value: 0, "data-role": "engines-progress", "aria-label": "Progress of the comparison" });
  #phase = h("span", { "data-role": "engines-phase", "aria-live": "polite" });
  #error = h("div", { class: "error", "data-role": "engines-error", role: "alert" });
  #table = new TextTable("engines-table", "Engines side by side", ENGINE_COLUMNS, 6);
  #waits = false;

  constructor(private page: Page) {
    const boxes = this.#boxes.map((box, nth) => h("label", {}, box, ` ${CHOICES[nth][0]}`));
    const bar = h("div", { class: "bar" }, h("label", {}, "workers ", this.#nprocs), h("label", {}, "steps ", this.#steps), ...boxes, this.#start, this.#stop, this.#progress, this.#phase);
    this.element = h("div", { class: "engines", "data-role": "engines" }, bar, this.#error, this.#table.element);
    this.#show();
  }

  update(changes: ReadonlySet<Change>): void {
    if (changes.has("comparison") || changes.has("size")) this.#show();
  }

  destroy(): void {
    this.#table.destroy();
  }

  async #ask(): Promise<void> {
    this.#waits = true; // until the reply: a second click is no second comparison
    this.#show();
    const engines = this.#boxes.filter(({ checked }) => checked).map((box) => box.dataset.engine);
    await this.page.command("compare", { nprocs: Number(this.#nprocs.value), steps: Number(this.#steps.value), engines });
    this.#waits = false;
    this.#show();
  }

  #show(): void {
    const comparison = this.page.trait("comparison") as Comparison | null;
    const going = comparison !== null && isGoing(comparison);
    this.#start.disabled = going || this.#waits;
    this.#stop.disabled = !going;
    this.#progress.hidden = !going;
    this.#error.hidden = !comparison?.error;
    this.#table.element.hidden = !comparison?.rows.length;
    setText(this.#phase, comparison ? progressText(comparison) : "Not compared yet.");
    if (!comparison) return;
    setAttributes(this.#progress, { max: comparison.total || 1, value: comparison.done });
    if (comparison.error) this.#error.replaceChildren(h("b", {}, comparison.error.title), h("pre", {}, comparison.error.detail));
    if (comparison.rows.length) this.#table.show(comparison.rows);
  }
}

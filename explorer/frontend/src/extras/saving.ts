// What is saved of a view (the trait `view`): what is open, split and selected, and what panels keep. Written a moment after
// the reader's last move; the first module reads it. The kernel selects by writing it.
import type { Core, View } from "./core";

const DELAY_MS = 250;
const OPEN = 2000; // open modules that are worth saving

export class Saving {
  #kept: View = {};
  #known: string; // what this page wrote or read: no news to it
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private core: Core) {
    this.#known = core.restored;
    core.model.on("change:view", this.follow);
  }

  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), DELAY_MS);
  }

  read = (): View => ({ ...(JSON.parse(this.#trait() || "{}") as View), ...this.#kept });

  keep(name: string, value: unknown): void {
    this.#kept[name] = value;
    this.soon();
  }

  /** Focuses what Python selected. */
  follow = (): void => {
    if (this.#trait() === this.#known) return;
    this.#known = this.#trait();
    const { outline } = this.core;
    const { selected } = this.read();
    if (selected !== undefined && selected < outline.tree.size) this.core.moved(() => outline.jump(selected));
  };

  destroy(): void {
    clearTimeout(this.#timer);
    this.core.model.off("change:view", this.follow);
  }

  #trait = () => String(this.core.model.get("view") ?? "");

  #save(): void {
    const { model, outline } = this.core;
    const { rows, focused, isOpen, folds } = outline;
    const open = rows.filter(isOpen).map(({ node }) => node).slice(0, OPEN);
    this.#known = JSON.stringify({ ...this.read(), selected: focused.node, open, split: [...folds.split] });
    model.set("view", this.#known);
    model.save_changes();
  }
}

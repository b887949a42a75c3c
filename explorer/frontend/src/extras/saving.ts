// What is saved of a view (the trait `view`): what is open, split and selected, and what panels keep. Written a moment after
// the reader's last move; the first module reads it.
import type { Core, View } from "./core";

const DELAY_MS = 250;
const OPEN = 2000; // open modules that are worth saving

export class Saving {
  #kept: View = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private core: Core) {}

  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), DELAY_MS);
  }

  read = (): View => ({ ...this.core.savedView(), ...this.#kept });

  keep(name: string, value: unknown): void {
    this.#kept[name] = value;
    this.soon();
  }

  destroy = () => clearTimeout(this.#timer);

  #save(): void {
    const { core } = this;
    const { rows, focus, isOpen, folds } = core.outline;
    const open = rows.filter(isOpen).map(({ node }) => node).slice(0, OPEN);
    core.written = JSON.stringify({ ...this.read(), selected: rows[focus].node, open, split: [...folds.split] });
    core.model.set("view", core.written);
    core.model.save_changes();
  }
}

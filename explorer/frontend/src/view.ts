// What is saved of a view (the trait `view`): what is open, split and selected. Written a moment after the reader's last
// move, and read when Python writes it.
import type { Model } from "./host";

const DELAY_MS = 250;

export interface View {
  selected?: number;
  open?: number[];
  split?: number[];
  hidden?: string[]; // columns
  compact?: boolean;
  [name: string]: unknown; // what panels keep
}

export class SavedView {
  #text = "";
  #kept: View = {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private model: Model, private now: () => View) {}

  saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), DELAY_MS);
  }

  /** Whether the trait holds what this page did not write. */
  get isNews(): boolean {
    return this.model.get("view") !== this.#text;
  }

  read(): View {
    const text = String(this.model.get("view") ?? "");
    return { ...(text ? (JSON.parse(text) as View) : {}), ...this.#kept };
  }

  keep(name: string, value: unknown): void {
    this.#kept[name] = value;
    this.saveSoon();
  }

  destroy = () => clearTimeout(this.#timer);

  #save(): void {
    this.#text = JSON.stringify({ ...this.read(), ...this.now() });
    this.model.set("view", this.#text);
    this.model.save_changes();
  }
}

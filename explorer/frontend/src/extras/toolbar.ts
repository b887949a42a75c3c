// The buttons over the tree. Each names its key in the tooltip; none does anything a key cannot.
import { button, h } from "../dom";
import type { Action } from "../keys";
import type { Edit, Verb } from "./keys";

const BUTTONS: ([cmd: string, label: string, title: string, action: Action | Edit] | null)[] = [
  ["fully_shard", "Fully shard", "Make each selected module a unit (F)", { do: "mark", verb: "fully_shard" }],
  ["replicate", "Replicate", "Replicate each selected module (R)", { do: "mark", verb: "replicate" }],
  ["ignore", "Ignore", "Take the selected modules out of sharding (I)", { do: "mark", verb: "ignore" }],
  ["clear", "Clear", "Remove the marks of the selected modules (U)", { do: "mark", verb: "clear" }],
  ["group", "One unit", "Make one unit of all selected modules (G)", { do: "group" }],
  ["boundary_up", "Unit ↑", "Move the boundary of the selected units up to their parents (Alt+Up, or drag the unit's chip)", { do: "boundary", way: "up" }],
  ["boundary_down", "Unit ↓", "Move the boundary of the selected units down to their children (Alt+Down, or drag the unit's chip)", { do: "boundary", way: "down" }],
  null,
  ["undo", "↶ Undo", "Undo the last edit (Ctrl+Z)", { do: "undo" }],
  ["redo", "↷ Redo", "Redo (Ctrl+Shift+Z)", { do: "redo" }],
  ["changes", "± Changes", "Show what changed in the plan, or stop (=)", { do: "review" }],
  null,
  ["open_all", "Expand all", "Open every module (+)", { do: "openAll" }],
  ["close_all", "Collapse all", "Close every module (-)", { do: "closeAll" }],
  ["split", "Split ×n", "Show the siblings of a repeated row one by one, or gather them again (S)", { do: "split" }],
];

export const VERBS: readonly Verb[] = ["fully_shard", "replicate", "ignore", "clear"];

const LETTERS: Partial<Record<string, string>> = { fully_shard: "F", replicate: "R", ignore: "I" };

/** A button with the swatch of the status it gives. */
export function verbButton(verb: string, label: string, title: string, press: () => void): HTMLButtonElement {
  const made = button(verb, label, title, press);
  const letter = LETTERS[verb] ?? "";
  if (letter) made.dataset.status = letter;
  if (letter || !label) made.prepend(h("span", { "data-cell": "swatch", "aria-hidden": "true", class: letter ? "" : "empty" }, letter));
  if (!label) made.classList.add("bare");
  return made;
}

export class Toolbar {
  readonly element = h("div", { class: "bar", role: "toolbar", "aria-label": "Plan", keydown: (event: KeyboardEvent) => this.#press(event) });
  #buttons = new Map<string, HTMLButtonElement>();

  constructor(act: (action: Action | Edit) => void) {
    for (const entry of BUTTONS) {
      if (entry === null) {
        this.element.append(h("span", { class: "gap" }));
        continue;
      }
      const [cmd, label, title, action] = entry;
      const made = verbButton(cmd, label, title, () => act(action));
      this.#buttons.set(cmd, made);
      this.element.append(made);
      made.tabIndex = this.#buttons.size === 1 ? 0 : -1;
    }
  }

  enable(cmd: string, enabled: boolean): void {
    this.#buttons.get(cmd)!.disabled = !enabled;
  }

  /** One stop for Tab; arrows, Home and End go on to the next button that can be pressed. */
  #press(event: KeyboardEvent): void {
    const all = [...this.#buttons.values()].filter((each) => !each.disabled);
    const now = all.findIndex((each) => each === event.target);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (now < 0 || next === undefined) return;
    event.preventDefault();
    for (const each of this.#buttons.values()) each.tabIndex = -1;
    all[next % all.length].tabIndex = 0;
    all[next % all.length].focus();
  }
}

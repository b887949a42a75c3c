// Tabs and the places behind them, with the keyboard of an ARIA tab list.
import { h, setAttributes, setText } from "../dom";

interface Tab {
  name: string;
  tab: HTMLElement;
  place: HTMLElement;
}

export class Tabs {
  readonly element = h("div", { class: "panels" });
  #list = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels", keydown: (event: KeyboardEvent) => this.#press(event) });
  #tabs: Tab[] = [];

  constructor(private opened: (name: string) => void) {
    this.element.append(this.#list);
  }

  get current(): string {
    return this.#tabs.find(({ place }) => !place.hidden)?.name ?? "";
  }

  /** The place behind a tab, which is made at its first mention. */
  place(name: string, label: string): HTMLElement {
    const known = this.#tabs.find((each) => each.name === name);
    if (known) return known.place;
    const tab = h("button", { type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-selected": "false", tabindex: -1,
      click: () => this.open(name) }, label);
    const place = h("div", { role: "tabpanel", "aria-labelledby": tab.id });
    place.hidden = true;
    this.#tabs.push({ name, tab, place });
    this.#list.append(tab);
    this.element.append(place);
    return place;
  }

  label(name: string, text: string): void {
    const tab = this.#tabs.find((each) => each.name === name)?.tab;
    if (tab) setText(tab, text);
  }

  open(chosen: string): void {
    for (const { name, tab, place } of this.#tabs) {
      place.hidden = name !== chosen;
      setAttributes(tab, { "aria-selected": name === chosen, tabindex: name === chosen ? 0 : -1 });
    }
    this.opened(chosen);
  }

  #press(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const now = this.#tabs.findIndex(({ name }) => name === this.current);
    const next = this.#tabs[(now + by + this.#tabs.length) % this.#tabs.length];
    this.open(next.name);
    next.tab.focus();
  }
}

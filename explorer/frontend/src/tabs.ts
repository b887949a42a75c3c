// Panels one behind the other, with the keyboard of an ARIA tab list.
import { h, setAttributes, setText } from "./dom";

export interface Panel {
  name: string;
  label: string;
  element: HTMLElement;
  opened?: () => void;
}

export class Tabs {
  readonly element: HTMLElement;
  private tabs: HTMLElement[];

  constructor(private panels: Panel[]) {
    this.tabs = panels.map(({ name, label }, at) =>
      h("button", { type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, click: () => this.open(at) }, label),
    );
    const list = h("div", { class: "tabs", role: "tablist", keydown: (event: KeyboardEvent) => this.press(event) }, ...this.tabs);
    for (const { name, element } of panels) setAttributes(element, { role: "tabpanel", "aria-labelledby": `tab-${name}` });
    this.element = h("div", { class: "panels" }, list, ...panels.map(({ element }) => element));
    this.open(0);
  }

  label(name: string, text: string): void {
    setText(this.tabs[this.panels.findIndex((panel) => panel.name === name)], text);
  }

  private open(chosen: number): void {
    this.panels.forEach(({ element, opened }, at) => {
      element.hidden = at !== chosen;
      setAttributes(this.tabs[at], { "aria-selected": at === chosen, tabindex: at === chosen ? 0 : -1 });
      if (at === chosen) opened?.();
    });
  }

  private press(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const now = this.tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const next = (now + by + this.tabs.length) % this.tabs.length;
    this.open(next);
    this.tabs[next].focus();
  }
}

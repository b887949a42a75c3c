// Where the panels of the second module live: their places, when they are made, and what they are told of changes.
import { h } from "./dom";
import type { Change, Extras, Page, Panel, PanelKind, Slot } from "./extras/contract";
import { Tabs } from "./tabs";

const TABS: [name: string, label: string][] = [["run", "Run"], ["orders", "Orders"], ["findings", "Findings"], ["code", "Code"], ["costs", "Costs"]];
const ALL: Change[] = ["tree", "plan", "run", "costs", "focus", "rows", "scroll", "hits", "colour", "theme", "size"];
const ABSENT = "This panel comes from the kernel when a page first needs it. Without one (a saved or exported page) it cannot be shown.";

interface Mounted {
  kind: PanelKind;
  place: HTMLElement;
  owed: Set<Change>; // not told yet
  panel?: Panel;
}

type Listener = (changes: ReadonlySet<Change>) => void;

export class Panels {
  readonly tabs = new Tabs(() => this.#opened());
  readonly places: Record<Exclude<Slot, "tab">, HTMLElement>;
  #mounted = new Map<string, Mounted>();
  #listeners = new Set<Listener>();
  #fresh = new Set<Change>();
  #frame = 0;
  #asked?: Promise<void>;

  constructor(private page: Page, private load: () => Promise<Extras>) {
    const place = (slot: string) => h("div", { class: `slot ${slot}` });
    this.places = { side: place("side"), top: place("top"), edge: place("edge"), tools: place("tools") };
    for (const [name, label] of TABS) this.tabs.place(name, label).append(h("p", { class: "note" }, ABSENT));
    this.tabs.open(TABS[0][0]);
  }

  /** Asks for the second module once; after a failure, again when the next tab is opened. */
  fetch(): Promise<void> {
    return (this.#asked ??= this.load().then(
      (extras) => this.#mount(extras),
      (error) => {
        this.#asked = undefined;
        for (const [name, label] of TABS) this.tabs.place(name, label).replaceChildren(h("p", { class: "note" }, `The panels could not be loaded: ${error.message}`));
      },
    ));
  }

  /** Takes note of changes; panels hear of them with the next frame. */
  changed(...changes: Change[]): void {
    if (this.#mounted.size + this.#listeners.size === 0) return;
    for (const change of changes) this.#fresh.add(change);
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#flush());
  }

  subscribe(heard: Listener): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    for (const { panel } of this.#mounted.values()) panel?.destroy();
    this.#mounted.clear();
    this.#listeners.clear();
  }

  #opened(): void {
    if (!this.#mounted.size && this.page.root.dataset.ready) void this.fetch();
    this.#show();
  }

  #mount(extras: Extras): void {
    this.page.root.after(h("style", {}, extras.style));
    for (const [name, kind] of Object.entries(extras.panels)) {
      const place = kind.slot === "tab" ? this.tabs.place(name, kind.label) : this.places[kind.slot].appendChild(h("div", { "data-panel": name }));
      place.replaceChildren();
      this.#mounted.set(name, { kind, place, owed: new Set(ALL) });
    }
    this.#show();
  }

  #flush(): void {
    this.#frame = 0;
    const changes = new Set(this.#fresh);
    this.#fresh.clear();
    for (const { owed } of this.#mounted.values()) for (const change of changes) owed.add(change);
    this.#show();
    for (const heard of this.#listeners) heard(changes);
  }

  /** Makes panels that are seen for the first time, and tells those that are seen what they missed. */
  #show(): void {
    for (const [name, mounted] of this.#mounted) {
      if (mounted.place.hidden || mounted.owed.size === 0) continue;
      const owed = mounted.owed;
      mounted.owed = new Set();
      try {
        mounted.panel ??= this.#made(mounted);
        mounted.panel.update(owed);
      } catch (error) {
        this.#mounted.delete(name); // one broken panel leaves the others alone
        mounted.place.replaceChildren(h("p", { class: "note" }, `The panel ${name} failed: ${error}`));
        console.error(error);
      }
    }
  }

  #made({ kind, place }: Mounted): Panel {
    const panel = kind.make(this.page);
    place.append(panel.element);
    return panel;
  }
}

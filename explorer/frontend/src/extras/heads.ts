// The heads of the columns: a press sorts the rows by one, P or the small triangle plays its order. One tab stop; arrows go on.
import { h, setAttributes } from "../dom";
import type { Column } from "../columns";
import type { Order } from "./sorting";
import type { WalkKind } from "./walk";

/** Columns whose order is a walk that the player has. */
const WALKS: Record<string, WalkKind> = { dfs: "modules", handle: "handles", init_c: "composable", init_w: "wrapper" };

export class Heads {
  #element: HTMLElement;
  #table = h("div", { role: "table", "aria-label": "Columns, each sorts the rows", class: "headtable" });

  constructor(element: HTMLElement, private sort: (key: string) => void, private play: (kind: WalkKind) => void) {
    this.#element = element;
    element.before(this.#table);
    this.#table.append(element);
    element.removeAttribute("aria-hidden");
    setAttributes(element, { role: "row" });
    element.addEventListener("click", this.#click);
    element.addEventListener("keydown", this.#press);
  }

  /** Dresses the heads of these columns, which were just made anew. */
  show(columns: readonly Column[], order: Order | null): void {
    const [module, ...heads] = this.#element.children as unknown as HTMLElement[];
    setAttributes(module, { role: "columnheader" });
    heads.forEach((head, at) => {
      const { key, label, title } = columns[at];
      const mine = order?.key === key ? order : null;
      const walk = WALKS[key];
      setAttributes(head, {
        role: "columnheader", "data-sort": key, tabindex: at === this.#stop(heads) ? 0 : -1,
        "aria-sort": mine ? (mine.down ? "descending" : "ascending") : "none", "aria-label": `${label}: ${title}`,
        title: `${title}. Press: sort the rows, the other way round, the tree again${walk ? "; P plays this order" : ""}.`,
      });
      head.replaceChildren(...(walk ? [h("span", { class: "play", "data-play": walk, "aria-hidden": "true", title: "Play this order (P)" }, "▸")] : []), `${label}${mine ? (mine.down ? "▾" : "▴") : ""}`);
    });
  }

  destroy(): void {
    this.#element.removeEventListener("click", this.#click);
    this.#element.removeEventListener("keydown", this.#press);
  }

  /** The head that Tab comes to: the focused one, else the first. */
  #stop = (heads: HTMLElement[]) => Math.max(0, heads.indexOf((this.#element.getRootNode() as ShadowRoot).activeElement as HTMLElement));

  #click = ({ target }: Event): void => {
    const { play } = (target as HTMLElement).dataset;
    const key = (target as HTMLElement).closest<HTMLElement>("[data-sort]")?.dataset.sort;
    if (play) this.play(play as WalkKind);
    else if (key) this.sort(key);
  };

  #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const heads = [...this.#element.querySelectorAll<HTMLElement>("[data-sort]")].filter((head) => getComputedStyle(head).display !== "none");
    const at = heads.indexOf(event.target as HTMLElement);
    const key = heads[at]?.dataset.sort;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + heads.length, Home: 0, End: heads.length - 1 }[event.key];
    if (!key) return;
    if (event.key === "Enter" || event.key === " ") this.sort(key);
    else if (event.key.toLowerCase() === "p" && WALKS[key]) this.play(WALKS[key]);
    else if (to === undefined) return;
    else this.#go(heads, heads[to % heads.length]);
    event.preventDefault();
  };

  #go(heads: HTMLElement[], head: HTMLElement): void {
    for (const each of heads) each.tabIndex = each === head ? 0 : -1;
    head.focus();
  }
}

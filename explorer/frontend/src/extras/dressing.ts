// What rows wear over the plan: colours by something else, finds, edits that wait or were refused, the rows a player or a
// run points at, and the tie that the reader looks at.
import { STATUSES } from "../plan";
import { lastOf, type Row } from "../rows";
import type { Look } from "../rowview";
import { glyphOf } from "../words";
import type { Paint } from "./contract";
import type { Core } from "./core";
import { cutsOf } from "./cuts";
import { exceptionOf } from "./exceptions";
import { isFrozen } from "./frozen";
import { Hits } from "./hits";
import { hueOf } from "./hues";
import { tiedBelow, tiesOf } from "./ties";
import { inFull, isCheckpointed, ownParameters } from "./words";

export type Tone = "now" | "live";

export class Dressing {
  #hits = new Hits();
  #paint: ((node: number) => Paint | null) | null = null; // null: by status
  #pending = new Map<number, string>(); // status letter asked for and not confirmed yet, by module
  #refused = new Set<number>(); // modules whose last edit was refused
  #tie = ""; // letter of the tie that is looked at
  #pointed: Record<Tone, readonly number[]> = { now: [], live: [] };
  #rows: Record<Tone, Set<number>> = { now: new Set(), live: new Set() }; // that show them, as long as these rows stand
  #ofRows: readonly Row[] = [];

  constructor(private core: Core) {
    core.view.rows.addEventListener("mouseover", this.#over);
    core.view.rows.addEventListener("mouseleave", this.#out);
    for (const kind of ["focus", "blur"]) core.view.rows.addEventListener(kind, this.#turned);
  }

  dress(look: Look, row: Row): void {
    const { outline } = this.core;
    const { tree } = outline;
    const isModule = row.ref < 0;
    const letters = (isModule && tiesOf(tree).lettersOf.get(row.node)) || [];
    const looked = this.#looked();
    if (outline.rows !== this.#ofRows) this.#findPointed();
    const asked = isModule ? this.#pending.get(row.node) : undefined;
    if (asked !== undefined) {
      look.attributes["data-status"] = asked;
      look.main[1] = ["swatch", glyphOf(asked)];
    }
    Object.assign(look.attributes, {
      "data-hit": this.#hits.at(row, outline.isOpen(row)),
      "data-pending": asked !== undefined || null,
      "data-refused": this.#refused.has(row.node) || null,
      "data-dim": (looked.length > 0 && !letters.some((letter) => looked.includes(letter))) || null,
      "data-frozen": (isModule && isFrozen(tree, row.node)) || null,
      "data-checkpointed": (isModule && isCheckpointed(tree, row.node)) || null,
    });
    Object.assign(look.item, { "data-now": this.#rows.now.has(row.at) || null, "data-live": this.#rows.live.has(row.at) || null });
    this.#colour(look, isModule ? row : null);
    const inside = !isModule || (outline.isOpen(row) && row.times === 1) ? 0 : tiedBelow(tree, row.node);
    if (look.attributes["data-frozen"]) look.main.push(["frozen", "fz"]);
    if (letters.length) look.main.push(["ties", letters.map((letter) => `tie ${letter}`).join(" ")]);
    if (isModule) for (const cut of cutsOf(tree, row.node, !outline.isOpen(row))) look.main.push(["cut", cut]);
    if (inside) look.main.push(["inside", `${inside} tied inside`]);
    const differs = exceptionOf(outline, row);
    if (differs) look.main.push(["differs", `differs in ${differs}`]);
    look.words = inFull(outline, row);
    look.item.title = (isModule && ownParameters(tree, row.node)) || null;
    dressCells(look);
  }

  colourOf(node: number): string {
    const hue = hueOf(STATUSES[this.core.outline.plan.status[node]]);
    return this.#paint?.(node)?.colour ?? `var(--${hue === "none" ? "line" : hue})`;
  }

  /** Rows that show these modules are outlined until the next call of that tone. */
  point(tone: Tone, nodes: readonly number[]): void {
    this.#pointed[tone] = nodes;
    this.#ofRows = [];
    this.core.view.draw();
  }

  paint(paint: ((node: number) => Paint | null) | null): void {
    this.#paint = paint;
    this.core.view.draw();
  }

  find(nodes: readonly number[]): void {
    this.#hits = new Hits(nodes, this.core.outline.tree);
    this.core.view.draw();
  }

  /** These modules look as they will if Python agrees; no letter: as they were, their refusal marked until the next edit. */
  pend(nodes: readonly number[], letter?: string): void {
    this.#pending = new Map(letter ? nodes.map((node) => [node, letter]) : []);
    this.#refused = new Set(letter ? [] : nodes);
    this.core.view.draw();
  }

  destroy(): void {
    this.core.view.rows.removeEventListener("mouseover", this.#over);
    this.core.view.rows.removeEventListener("mouseleave", this.#out);
    for (const kind of ["focus", "blur"]) this.core.view.rows.removeEventListener(kind, this.#turned);
  }

  /** Of a folded row the lane runs from the colour of its first module to that of its last. */
  #colour(look: Look, row: Row | null): void {
    const [first, last] = row && this.#paint ? [this.#paint(row.node), this.#paint(lastOf(row))] : [null, null];
    look.attributes["data-painted"] = first && true;
    look.style["--hue"] = first?.colour ?? null;
    look.style["--hue-ink"] = first?.ink ?? null;
    look.style["--lane"] = first && lastOf(row!) > row!.node ? `linear-gradient(${first.colour}, ${last!.colour})` : null;
  }

  #findPointed(): void {
    const { outline } = this.core;
    this.#ofRows = outline.rows;
    for (const tone of ["now", "live"] as const) this.#rows[tone] = new Set(this.#pointed[tone].map((node) => outline.rowOf(node)));
  }

  #over = ({ target }: Event) => this.#lookAtTie(target as HTMLElement);
  #out = () => this.#lookAtTie(null);

  /** The keyboard came or went: ties of the focused row are looked at while it is there. */
  #turned = () => this.core.outline && tiesOf(this.core.outline.tree).lettersOf.size > 0 && this.core.view.draw();

  /** The tie under the pointer, else those of the focused row. */
  #looked(): string[] {
    const { outline, view } = this.core;
    if (this.#tie) return [this.#tie];
    const hasKeys = (view.rows.getRootNode() as ShadowRoot).activeElement === view.rows;
    return (hasKeys && outline.focused.ref < 0 && tiesOf(outline.tree).lettersOf.get(outline.focused.node)) || [];
  }

  #lookAtTie(target: HTMLElement | null): void {
    const tie = target?.dataset.cell === "ties" ? target.textContent!.split(" ")[1] : "";
    if (tie === this.#tie) return;
    this.#tie = tie;
    this.core.view.draw();
  }
}

/** Both init orders beside each other: equal places are joined, others boxed. Cut numbers can be read in full; irregular ones
 *  say so. */
function dressCells({ cells }: Look): void {
  const inits = cells.filter(({ attributes }) => String(attributes["data-cell"]).startsWith("init_"));
  const pair = inits.length === 2 && inits[0].text ? (inits[0].text === inits[1].text ? "same" : "differ") : null;
  for (const cell of cells) {
    cell.attributes["data-pair"] = inits.includes(cell) ? pair : null;
    cell.attributes.title = cell.text.endsWith("…") ? "irregular; the least" : cell.text || null;
  }
}

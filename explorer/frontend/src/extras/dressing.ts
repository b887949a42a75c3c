// What rows wear over the plan: colours by something else, finds, edits that wait or were refused, the rows a player or a
// run points at, and the tie that the reader looks at.
import type { Outline } from "../outline";
import { lastOf, type Row } from "../rows";
import type { Look } from "../rowview";
import { STATUS_WORDS } from "../words";
import type { Paint } from "./contract";
import type { Core } from "./core";
import { Hits } from "./hits";

export type Tone = "now" | "live";

const HUES = { shard: "shard", replicate: "replicate", ignore: "ignore", none: "line" };

export class Dressing {
  #hits = new Hits();
  #paint: ((node: number) => Paint | null) | null = null; // null: by status
  #pending = new Map<number, string>(); // status letter asked for and not confirmed yet, by module
  #refused = new Set<number>(); // modules whose last edit was refused
  #tie = ""; // letter of the tie that is looked at
  #pointed: Record<Tone, readonly number[]> = { now: [], live: [] };
  #rows: Record<Tone, Set<number>> = { now: new Set(), live: new Set() }; // that show them, as long as these rows stand
  #ofRows: readonly Row[] = [];
  #tied?: Int32Array; // modules with tied parameters before each module, made when first asked
  #ofTree?: Outline["tree"];

  constructor(private core: Core) {
    core.view.rows.addEventListener("mouseover", this.#over);
    core.view.rows.addEventListener("mouseleave", this.#out);
  }

  dress(look: Look, at: number): void {
    const { outline } = this.core;
    const { tree } = outline;
    const row = outline.rows[at];
    const isModule = row.ref < 0;
    if (outline.rows !== this.#ofRows) this.#findPointed();
    const asked = isModule ? this.#pending.get(row.node) : undefined;
    if (asked !== undefined) {
      const { letter, hue, glyph } = STATUS_WORDS.find((status) => status.letter === asked)!;
      Object.assign(look.attributes, { "data-status": letter, "data-hue": hue });
      look.main[1] = glyph;
    }
    Object.assign(look.attributes, {
      "data-hit": this.#hits.at(row, outline.isOpen(row)),
      "data-pending": asked !== undefined || null,
      "data-refused": this.#refused.has(row.node) || null,
      "data-dim": (this.#tie !== "" && !(tree.tiesOf.get(row.node) ?? []).includes(this.#tie)) || null,
    });
    Object.assign(look.item, { "data-now": this.#rows.now.has(at) || null, "data-live": this.#rows.live.has(at) || null });
    this.#colour(look, isModule ? row : null);
    const inside = !isModule || (outline.isOpen(row) && row.times === 1) ? 0 : this.#tiesBelow(row.node);
    if (inside) look.marks.push(["inside", `${inside} tied inside`]);
    pairInits(look);
  }

  colourOf(node: number): string {
    return this.#paint?.(node)?.colour ?? `var(--${HUES[STATUS_WORDS[this.core.outline.plan.status[node]].hue]})`;
  }

  /** Rows that show these modules are outlined until the next call of that tone. */
  point(tone: Tone, nodes: readonly number[]): void {
    this.#pointed[tone] = nodes;
    this.#ofRows = [];
    this.core.view.redraw();
  }

  paint(paint: ((node: number) => Paint | null) | null): void {
    this.#paint = paint;
    this.core.view.redraw();
  }

  find(nodes: readonly number[]): void {
    this.#hits = new Hits(nodes, this.core.outline.tree);
    this.core.view.redraw();
  }

  /** These modules look as they will if Python agrees; no letter: as they were, their refusal marked until the next edit. */
  pend(nodes: readonly number[], letter?: string): void {
    this.#pending = new Map(letter ? nodes.map((node) => [node, letter]) : []);
    this.#refused = new Set(letter ? [] : nodes);
    this.core.view.redraw();
  }

  destroy(): void {
    this.core.view.rows.removeEventListener("mouseover", this.#over);
    this.core.view.rows.removeEventListener("mouseleave", this.#out);
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

  /** Modules below one that hold tied parameters. */
  #tiesBelow(node: number): number {
    const { tree } = this.core.outline;
    if (tree.tiesOf.size === 0) return 0;
    if (!this.#tied || this.#ofTree !== tree) {
      this.#ofTree = tree;
      this.#tied = new Int32Array(tree.size + 1);
      for (const holder of tree.tiesOf.keys()) this.#tied[holder + 1] = 1;
      for (let at = 0; at < tree.size; at++) this.#tied[at + 1] += this.#tied[at];
    }
    return this.#tied[tree.end[node]] - this.#tied[node + 1];
  }

  #over = ({ target }: Event) => this.#lookAtTie(target as HTMLElement);
  #out = () => this.#lookAtTie(null);

  #lookAtTie(target: HTMLElement | null): void {
    const tie = target?.dataset.cell === "ties" ? target.textContent!.split(" ")[1] : "";
    if (tie === this.#tie) return;
    this.#tie = tie;
    this.core.view.redraw();
  }
}

/** Both init orders beside each other: equal places are joined, others boxed. Irregular numbers say so. */
function pairInits({ cells }: Look): void {
  const inits = cells.filter(({ attributes }) => String(attributes["data-cell"]).startsWith("init_"));
  const pair = inits.length === 2 && inits[0].text ? (inits[0].text === inits[1].text ? "same" : "differ") : null;
  for (const cell of cells) {
    cell.attributes["data-pair"] = inits.includes(cell) ? pair : null;
    if (cell.text.endsWith("…")) cell.attributes.title = "irregular; the least";
  }
}

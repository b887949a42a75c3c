// What a panel gets from the page and gives back. The first module holds the tree, the plan over it and the keys that walk
// it; the second one, which the kernel sends once a page, holds edits and panels. Both are built from the same sources, so
// types of the first may be imported here; values cross as they are.
import type { Column } from "../columns";
import type { Reply } from "../commands";
import type { Tree } from "../payload";
import type { Plan } from "./plan";
import type { Row } from "../rows";
import type { Baseline } from "./baselines";
import type { Review } from "./review";
import type { RunState } from "./run";

/** What changed since a panel was last told: traits, or what the reader did. */
export type Change = "tree" | "plan" | "run" | "costs" | "comparison" | "focus" | "rows" | "scroll" | "hits" | "colour" | "theme" | "size" | "changes";

/** The rows on the screen: `first` may be a fraction while the reader scrolls, `count` rows fit. */
export interface Viewport {
  first: number;
  count: number;
  rowHeight: number;
}

/** A colour for a row, and one for the letter on it. */
export interface Paint {
  colour: string;
  ink: string;
}

export interface Refusal {
  title: string;
  detail: string;
}

/** The page, as panels may use it. Everything is read anew at each use: a plan is replaced, never changed. */
export interface Page {
  /** `.shx`: `data-theme` ("light" | "dark") and the colours `--ink --soft --paper --raised --line --chosen --ring --shard
   *  --replicate --ignore --bad` are on it; its `getRootNode()` is the shadow root. */
  readonly root: HTMLElement;
  readonly tree: Tree;
  readonly plan: Plan;
  readonly run: RunState;
  /** The trait of that name parsed from JSON, null while it is empty: `trait("costs")`. */
  trait(name: string): unknown;

  /** Visible rows from top to bottom, folded runs as one. */
  readonly rows: readonly Row[];
  readonly viewport: Viewport;
  /** Focused row, and the module it shows (the first of a folded run, the target of a reference). */
  readonly focus: number;
  readonly focused: number;
  /** Modules of all selected rows, ascending. */
  readonly selected: readonly number[];
  /** Modules that the search or the selector box found, ascending. */
  readonly hits: readonly number[];
  /** Row that shows a module now (its own, its folded run's, or that of the closed module around it). */
  rowOf(node: number): number;
  /** CSS colour that the row of a module has in the chosen colouring (status, DFS position, unit, bytes). */
  colourOf(node: number): string;

  /** Columns in their order, and the keys of those that are hidden. */
  readonly columns: readonly Column[];
  readonly hidden: ReadonlySet<string>;
  hide(keys: Iterable<string>): void;
  /** What this view keeps under a name of the panel's choosing, also in the saved notebook: small plain data. */
  kept(name: string): unknown;
  keep(name: string, value: unknown): void;
  /** Colours rows by something else than their status, which stays in letter and shape; null: by status again. */
  paint(paint: ((node: number) => Paint | null) | null): void;
  /** Parameter bytes that each module's own parameters take on rank 0, for the column; null: not known. */
  measure(nbytes: ((node: number) => number) | null): void;
  /** Highlights what was found. */
  find(nodes: readonly number[]): void;
  /** Rows of 20 instead of 24 px. */
  compact(on: boolean): void;

  /** Opens what hides a module, focuses its row and brings it into view. */
  reveal(node: number): void;
  /** Scrolls so that a row comes first; may be a fraction. The focus stays. */
  scrollTo(row: number): void;
  /** Outlines the rows of these modules until told otherwise: "now" for a player's place, "live" for a run's. */
  point(tone: "now" | "live", nodes: readonly number[]): void;

  /** A question to Python; nothing is shown. Settles with the one reply, however late it comes. */
  ask(cmd: string, fields?: object): Promise<Reply>;
  /** An edit: waits visibly, its outcome is shown in the status line. Answers whether Python agreed. `marks` paints those
   *  modules at once, as they will be if Python agrees. */
  command(cmd: string, fields?: object, marks?: readonly number[]): Promise<boolean>;
  /** Gives the tree the keyboard. */
  focusTree(): void;
  /** One line in the live region; a refusal stays until the next edit. */
  tell(text: string): void;
  refuse(refusal: Refusal): void;

  /** Calls back at most once a frame with everything that changed; the answer ends it. */
  subscribe(heard: (changes: ReadonlySet<Change>) => void): () => void;
  /** How the plan differs from the one the reader chose; nothing while that is not shown. */
  readonly changes: Review;
  /** Shows on the rows what changed since then; null: no longer. */
  review(since: Baseline | null): void;
  /** Shows another text on the tab of a panel, as in `Findings (3)`. */
  label(panel: string, text: string): void;
  /** Brings the tab of a panel to the front, as a click on it does. */
  open(panel: string): void;
}

export interface Panel {
  readonly element: HTMLElement;
  /** Called before the first paint, with all changes after the panel was hidden, and at most once a frame while it is seen. */
  update(changes: ReadonlySet<Change>): void;
  destroy(): void;
}

/** Where a panel lives: behind a tab, right of the tree (under it where the page is narrow), over the tree (28 px), along
 *  the tree's right edge (64 px, from the first row to the last one on the screen), or among the tools over the tree. */
export type Slot = "tab" | "side" | "top" | "edge" | "tools";

export interface PanelKind {
  slot: Slot;
  label: string;
  make(page: Page): Panel;
}

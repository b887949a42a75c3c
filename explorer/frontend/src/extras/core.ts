// The border: what the second module finds of the first one, and what the first one calls of it. The first holds the tree
// and all it takes to read it; everything that asks, edits, finds, colours or measures is here and comes after the first
// paint. It reaches into a row only by `dress`. Panels do not see this: they get the `Page` of contract.ts, which the board
// makes of it.
import type { Conversation } from "../commands";
import type { Model } from "../host";
import type { Action } from "../keys";
import type { Outline } from "../outline";
import type { Row } from "../rows";
import type { Look } from "../rowview";
import type { TreeView } from "../tree";
import type { Change } from "./contract";

/** The trait `view`: read by the first module, written by the second. */
export interface View {
  selected?: number;
  open?: number[];
  split?: number[];
  hidden?: string[]; // columns
  compact?: boolean;
  [name: string]: unknown; // what panels keep
}

/** The page as the reader has it without a kernel: a tree that can be read, folded and walked. */
export interface Core {
  readonly root: HTMLElement;
  readonly model: Model;
  readonly talk: Conversation;
  readonly outline: Outline;
  readonly view: TreeView;
  /** The sentence over the tree, and the live region of outcomes under it. */
  readonly totals: HTMLElement;
  readonly status: HTMLElement;
  /** Holds the words that say where panels come from, until they are there. */
  readonly panels: HTMLElement;
  /** The trait `view` as it was when the tree was drawn. */
  readonly restored: string;
  act(action: Action): void;
  /** Does what moves the focus, and brings its row into view. */
  moved(change: () => void): void;
}

/** The second module at work on one view. */
export interface Started {
  /** Called once, when the first module calls the rest: rows may be drawn. */
  started(): void;
  /** Called before the rows are drawn anew. */
  changed(...changes: Change[]): void;
  /** Adds to the look of a row what the first module knows nothing of. */
  dress(look: Look, row: Row): void;
  /** Called after the rows were drawn anew. */
  drawn(): void;
  /** Takes a key of the tree, if it is one that edits. */
  press(event: KeyboardEvent): boolean;
  /** Every message of Python's, replies included. */
  hear(message: { type?: string }): void;
  destroy(): void;
}

export interface Extras {
  start(core: Core): Started;
}

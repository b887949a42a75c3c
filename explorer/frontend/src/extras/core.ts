// What the second module finds of the first one, and what the first one calls of it. Panels do not see this: they get the
// `Page` of contract.ts, which the board makes of it.
import type { Conversation } from "../commands";
import type { Model } from "../host";
import type { Action } from "../keys";
import type { Outline } from "../outline";
import type { StatusLine } from "../status";
import type { TreeView } from "../tree";
import type { SavedView } from "../view";
import type { Change, Slot } from "./contract";

/** The page as the reader has it without a kernel: a tree that can be read, folded and walked. */
export interface Core {
  readonly root: HTMLElement;
  readonly model: Model;
  readonly talk: Conversation;
  readonly outline: Outline;
  readonly view: TreeView;
  readonly status: StatusLine;
  readonly saved: SavedView;
  /** Empty places; "tab" holds the words that say where panels come from. */
  readonly slots: Record<Slot, HTMLElement>;
  act(action: Action): void;
  /** Does what moves the focus, and brings its row into view. */
  moved(change: () => void): void;
}

/** The second module at work on one view. */
export interface Started {
  changed(...changes: Change[]): void;
  /** Keys that edit: the first module knows them, and no more. */
  act(action: Action): void;
  hear(message: { type?: string }): void;
  destroy(): void;
}

export interface Extras {
  start(core: Core): Started;
}

// The keyboard of the tree: which key means which action. Pure, so that the table can be read and tested.

export type Verb = "fully_shard" | "replicate" | "ignore" | "clear";

export type Action =
  | { do: "move"; by: number; extend: boolean }
  | { do: "edge"; end: boolean; extend: boolean }
  | { do: "mark"; verb: Verb }
  | { do: "open" | "close" | "enter" | "openAll" | "closeAll" }
  | { do: "selectLike" }
  | { do: "openSiblings" }
  | { do: "find" }
  | { do: "typeAhead"; char: string }
  | { do: "split" | "group" | "undo" | "redo" | "leave" };

export interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const MARKS: Record<string, Verb> = { f: "fully_shard", r: "replicate", i: "ignore", u: "clear" };

const PLAIN: Record<string, Action> = {
  ArrowRight: { do: "open" },
  ArrowLeft: { do: "close" },
  Enter: { do: "enter" },
  Escape: { do: "leave" },
  "+": { do: "openAll" },
  "-": { do: "closeAll" },
  "*": { do: "openSiblings" },
  "/": { do: "find" },
  l: { do: "selectLike" },
  s: { do: "split" },
  g: { do: "group" },
};

/** The action of a key press, null for a key the tree leaves alone; `page` is the number of rows in view. */
export function actionOf(event: Key, page: number): Action | null {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.altKey) return null;
  if (event.ctrlKey || event.metaKey) return undoOrRedo(key, event.shiftKey);
  const step: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (key in step) return { do: "move", by: step[key], extend: event.shiftKey };
  if (key === "Home" || key === "End") return { do: "edge", end: key === "End", extend: event.shiftKey };
  if (key in MARKS) return { do: "mark", verb: MARKS[key] };
  if (key in PLAIN) return PLAIN[key];
  return /^[\w]$/.test(key) ? { do: "typeAhead", char: key } : null;
}

function undoOrRedo(key: string, shift: boolean): Action | null {
  if (key === "z") return { do: shift ? "redo" : "undo" };
  return key === "y" ? { do: "redo" } : null;
}

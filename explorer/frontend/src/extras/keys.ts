// The keys that edit, beside those that walk (the first module's). Pure, so that the table can be read and tested.
import type { Action, Key } from "../keys";
import type { Way } from "./levels";

export type Verb = "fully_shard" | "replicate" | "ignore" | "clear";

export type Edit = { do: "mark"; verb: Verb } | { do: "group" | "undo" | "redo" | "find" | "selectLike" | "leave" | "review" } | { do: "boundary"; way: Way };

const EDITS = ["mark", "group", "undo", "redo", "find", "selectLike", "leave", "review", "boundary"];

export const isEdit = (action: Action | Edit): action is Edit => EDITS.includes(action.do);

const PLAIN: Record<string, Edit> = {
  f: { do: "mark", verb: "fully_shard" },
  r: { do: "mark", verb: "replicate" },
  i: { do: "mark", verb: "ignore" },
  u: { do: "mark", verb: "clear" },
  g: { do: "group" },
  l: { do: "selectLike" },
  "/": { do: "find" },
  "=": { do: "review" },
  Escape: { do: "leave" },
};

const LEVELS: Record<string, Edit> = { ArrowUp: { do: "boundary", way: "up" }, ArrowDown: { do: "boundary", way: "down" } }; // with Alt

/** The edit of a key press, null for any other key. */
export function editOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): Edit | null {
  const char = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return LEVELS[char] ?? null;
  if (!ctrlKey && !metaKey) return PLAIN[char] ?? null;
  if (char === "z") return { do: shiftKey ? "redo" : "undo" };
  return char === "y" ? { do: "redo" } : null;
}

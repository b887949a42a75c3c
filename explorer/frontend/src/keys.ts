// The keyboard of the tree: which key walks, opens and closes. Pure, so that the table can be read and tested. The keys that
// edit are in extras/keys.ts.

export type Action =
  | { do: "move"; by: number; extend: boolean }
  | { do: "typeAhead"; char: string }
  | { do: "open" | "close" | "enter" }
  | { do: "openAll" | "closeAll" | "openSiblings" | "split" };

export interface Key {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const PLAIN: Record<string, Action> = {
  ArrowRight: { do: "open" },
  ArrowLeft: { do: "close" },
  Enter: { do: "enter" },
  "+": { do: "openAll" },
  "-": { do: "closeAll" },
  "*": { do: "openSiblings" },
  s: { do: "split" },
};

/** The action of a key press, null for a key the tree leaves alone; `page` is the number of rows in view. */
export function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key, page: number): Action | null {
  if (altKey || ctrlKey || metaKey) return null;
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, End: Infinity, Home: -Infinity };
  if (key in steps) return { do: "move", by: steps[key], extend: shiftKey };
  const char = key.length === 1 ? key.toLowerCase() : key;
  return PLAIN[char] ?? (/^\w$/.test(char) ? { do: "typeAhead", char } : null);
}

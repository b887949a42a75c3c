// What the reader selected, as modules: the rows from the anchor to the focus, and all that are like the focused one.
import type { Outline } from "../outline";
import { membersOf } from "./members";

/** Modules of all selected rows, ascending; references stand for nothing to mark. */
export function selectedModules(outline: Outline): number[] {
  const chosen = outline.rows.filter((row) => row.ref < 0 && outline.isSelected(row));
  return [...new Set([...chosen.flatMap(membersOf), ...outline.like])].sort((a, b) => a - b);
}

/** Selects every module of the focused one's class, wherever it is. */
export function selectLike(outline: Outline): void {
  const { cls } = outline.tree;
  const wanted = cls[outline.focused.node];
  outline.like = new Set(Array.from(cls.keys()).filter((node) => cls[node] === wanted));
  outline.anchor = outline.focus;
}

/** How many rows, or modules alike, are selected; "" for one row. */
export function selectionText({ focus, anchor, like }: Outline): string {
  const range = Math.abs(focus - anchor) + 1;
  const parts = [range > 1 ? `${range} rows selected` : "", like.size > 1 ? `${like.size} alike selected` : ""];
  return parts.filter(Boolean).join(" · ");
}

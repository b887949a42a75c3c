// What a search or a selector found, counted in pre-order, so that any row knows at once whether it shows a find.
import type { Tree } from "../payload";
import { membersOf } from "./members";
import { lastOf, type Row } from "../rows";

export class Hits {
  #before: Int32Array | null = null; // finds before each module

  constructor(readonly nodes: readonly number[] = [], private tree?: Tree) {
    if (nodes.length === 0 || !tree) return;
    const before = new Int32Array(tree.size + 1);
    for (const node of nodes) before[node + 1] = 1;
    for (let at = 0; at < tree.size; at++) before[at + 1] += before[at];
    this.#before = before;
  }

  /** "on" for a row that shows a find, "in" for a closed one with a find below it, null for any other. */
  at(row: Row, open: boolean): "on" | "in" | null {
    const before = this.#before;
    if (!before || row.ref >= 0) return null;
    const { end } = this.tree!;
    if (before[end[lastOf(row)]] === before[row.node]) return null; // nothing from its first module to the end of its last
    const members = membersOf(row);
    if (members.some((node) => before[node + 1] > before[node])) return "on";
    return !open && members.some((node) => before[end[node]] > before[node + 1]) ? "in" : null;
  }
}

// The columns at the right of the tree, and what a row says in each. A folded row says an arithmetic progression of its
// members' numbers, `13+13k`, or its least number and `…` where they are irregular.
import type { Outline } from "./outline";
import { countOf, membersOf, stepOf, type Row } from "./rows";
import { progression, shortNumel, steps, unitText } from "./words";

export interface Column {
  key: string;
  label: string;
  title: string;
  text(outline: Outline, row: Row): string;
}

const column = (key: string, label: string, title: string, text: Column["text"]): Column => ({ key, label, title, text });

/** What can be read of the tree and the plan alone; extras/columns.ts has the others. */
export const COLUMNS: readonly Column[] = [
  column("total", "subtree", "Elements of the subtree, each tensor once; of each one of a ×n row", ({ tree }, { node }) => positive(tree.total[tree.cls[node]], shortNumel)),
  column("unit", "unit", "The unit that owns the parameters", ({ plan }, row) => unitText(plan, row)),
  column("dfs", "#", "Place in the pre-order (DFS); k counts the modules of a ×n row", (_, row) => `#${stepOf(row) < 0 ? `${row.node}…` : steps(row.node, stepOf(row))}`),
  column("handle", "H", "Place of the unit's handle in get_handles(root)", placeAs("handle")),
  column("init_c", "I₁", "When its handle is made by fully_shard (composable path)", placeAs("init_c")),
  column("init_w", "I₂", "When its handle is made by FullyShardedDataParallel (wrapper path)", placeAs("init_w")),
];

export const positive = (value: number, text: (value: number) => string) => (value > 0 ? text(value) : "");

/** Only first modules of units have places; thousands of them in one row are looked through once a plan. */
function placeAs(key: "handle" | "init_c" | "init_w"): Column["text"] {
  return ({ plan: { unitAt, texts } }, row) => {
    if (!unitAt.has(row.node)) return "";
    const name = `${key} ${row.node} ${countOf(row)}`;
    const text = texts.get(name) ?? progression(membersOf(row).map((index) => unitAt.get(index)?.[key] ?? -1));
    texts.set(name, text);
    return text;
  };
}

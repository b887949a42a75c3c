// The columns at the right of the tree that need no more than a row, its tree and its plan. extras/columns.ts has the others.
import type { Outline } from "./outline";
import type { Row } from "./rows";
import { shortNumel, unitText } from "./words";

export interface Column {
  key: string;
  label: string;
  title: string;
  text(outline: Outline, row: Row): string;
}

export const SUBTREE: Column = {
  key: "total", label: "subtree", title: "Elements of the subtree, each tensor once; of each one of a ×n row",
  text: ({ tree }, { node }) => (tree.total[tree.cls[node]] ? shortNumel(tree.total[tree.cls[node]]) : ""),
};

export const UNIT: Column = { key: "unit", label: "unit", title: "The unit that owns the parameters", text: ({ plan }, row) => unitText(plan, row) };

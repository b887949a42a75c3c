// One row: what it looks like, worked out as plain data that the second module may add to, and written into an element that
// was made once. Its accessible name is a sentence of its own; the cells are for the eye.
import type { Column } from "./columns";
import { fit, h, setAttributes, setText, type Value } from "./dom";
import type { Outline } from "./outline";
import { fqnOf } from "./payload";
import { STATUSES } from "./plan";
import { labelOf, nameOf, type Row } from "./rows";
import { describe, glyphOf } from "./words";

const INDENT = 14;
const span = () => h("span");

export interface Look {
  attributes: Record<string, Value>;
  item: Record<string, Value>; // attributes that its pinned copy has not
  style: Record<string, string | null>;
  main: [cell: string, text: string][]; // triangle, letter of the status, name, type; then marks, where there are any
  cells: { text: string; attributes: Record<string, Value> }[]; // one a column
  words: string;
}

export function makeRow(kind: "row" | "pin", id?: string): HTMLElement {
  return h("div", { class: kind, ...(id ? { id, role: "treeitem" } : {}) }, h("span", { class: "words" }), h("span", { class: "main", "aria-hidden": "true" }));
}

export function lookOf(outline: Outline, columns: readonly Column[], row: Row): Look {
  const { tree, plan, focus } = outline;
  const { at, node } = row;
  const isModule = row.ref < 0;
  const letter = STATUSES[plan.status[node]];
  const isOpen = outline.isParent(row) ? outline.isOpen(row) : null;
  return {
    attributes: {
      "data-row": at,
      "data-status": isModule ? letter : "ref",
      "data-alarm": isModule ? plan.alarm[node] : 0,
      "data-lane": isModule && plan.unitOf[node] === unitOver(outline, row) ? "on" : "starts",
    },
    item: {
      "data-index": node,
      "data-fqn": labelOf(tree, row),
      "data-count": row.times,
      "data-focus": at === focus || null,
      "aria-level": row.level,
      "aria-posinset": row.position,
      "aria-setsize": row.siblings,
      "aria-selected": outline.isSelected(row),
      "aria-expanded": isOpen,
    },
    style: { "--indent": `${Math.min(row.level - 1, 24) * INDENT}px` },
    main: isModule ? [["fold", isOpen === null ? "" : isOpen ? "▾" : "▸"], ["swatch", glyphOf(letter)], ...named(outline, row)] : reference(outline, row),
    cells: columns.map(({ key, text }) => {
      const said = isModule ? text(outline, row) : "";
      return { text: said, attributes: { class: `num ${key}`, "data-cell": key, "aria-hidden": true } };
    }),
    words: describe(tree, plan, row),
  };
}

/** The unit of the row above, -2 for none that the lane could go on from. */
function unitOver({ rows, plan }: Outline, { at }: Row): number {
  const above = rows[at - 1];
  return above && above.ref < 0 ? plan.unitOf[above.node] : -2;
}

function reference({ tree }: Outline, { ref, node }: Row): Look["main"] {
  const [, attr, , kind] = tree.refs[ref];
  const type = `same as ${node === 0 ? tree.title : fqnOf(tree, node)} (#${node})`;
  return [["fold", kind === "back" ? "↺" : "↪"], ["swatch", ""], ["name", attr], ["type", type]];
}

/** Name, type, and the marks that are not empty. A name that is a number says where it is one: `h.3`. */
function named({ tree, plan, folds }: Outline, row: Row): Look["main"] {
  const { node, times } = row;
  const [type] = tree.classes[tree.cls[node]];
  const name = nameOf(tree, row);
  const above = tree.names[tree.parent[node]];
  const marks: Look["main"] = [
    ["times", times > 1 ? `×${times}` : folds.split.has(tree.parent[node]) ? "⊟" : ""],
    ["alarm", ["", "i", "▲", "!"][plan.alarm[node]]],
  ];
  return [
    ["name", node === 0 ? tree.title : above && /^\(?\d/.test(name) ? `${above}.${name}` : name],
    ["type", node === 0 && type === tree.title ? "" : type],
    ...marks.filter(([, text]) => text),
  ];
}

/** Writes a look into an element; `pinned`: for the eye alone. */
export function drawRow(element: HTMLElement, { attributes, item, style, main, cells, words }: Look, pinned: boolean): void {
  const [spoken, seen] = element.children;
  setAttributes(element, attributes);
  if (!pinned) {
    setAttributes(element, item);
    setText(spoken, words);
  }
  for (const name in style) element.style.setProperty(name, style[name]);
  fit(seen, main.length, span);
  main.forEach(([cell, text], k) => {
    setAttributes(seen.children[k], { "data-cell": cell });
    setText(seen.children[k], text);
  });
  fit(element, 2 + cells.length, span);
  cells.forEach(({ text, attributes }, k) => {
    setAttributes(element.children[2 + k], attributes);
    setText(element.children[2 + k], text);
  });
}

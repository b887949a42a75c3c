// One row: what it looks like, worked out as plain data that the second module may add to, and written into an element that
// was made once. Its accessible name is a sentence of its own; the cells are for the eye.
import type { Column } from "./columns";
import { fit, h, setAttributes, setText, type Value } from "./dom";
import { difference } from "./fold";
import type { Outline } from "./outline";
import { fqnOf, isFrozen } from "./payload";
import { labelOf, rangeName, type Row } from "./rows";
import { describe, ownParameters, STATUS_WORDS } from "./words";

const INDENT = 14;
const span = () => h("span");

export interface Look {
  attributes: Record<string, Value>;
  item: Record<string, Value>; // attributes that its pinned copy has not
  style: Record<string, string | null>;
  main: string[]; // triangle, letter of the status, name, type
  marks: [cell: string, text: string][]; // behind the name
  cells: { text: string; attributes: Record<string, Value> }[]; // one a column
  words: string;
}

export function makeRow(kind: "row" | "pin", id?: string): HTMLElement {
  const cells = ["fold", "swatch", "name", "type"].map((key) => h("span", { "data-cell": key }));
  return h("div", { class: kind, ...(id ? { id, role: "treeitem" } : {}) }, h("span", { class: "words" }), h("span", { class: "main", "aria-hidden": "true" }, ...cells));
}

export function lookOf(outline: Outline, columns: readonly Column[], at: number): Look {
  const { tree, plan, rows, focus } = outline;
  const row = rows[at];
  const isModule = row.ref < 0;
  const status = STATUS_WORDS[plan.status[row.node]];
  const isParent = outline.isParent(row);
  return {
    attributes: {
      "data-row": at,
      "data-status": isModule ? status.letter : "ref",
      "data-hue": isModule ? status.hue : "none",
      "data-alarm": isModule ? plan.alarm[row.node] : 0,
      "data-lane": isModule && plan.unitOf[row.node] === unitAbove(outline, at) ? "on" : "starts",
      "data-frozen": (isModule && isFrozen(tree, row.node)) || null,
      "data-selected": outline.isSelected(at) || null,
    },
    item: {
      "data-index": row.node,
      "data-fqn": labelOf(tree, row),
      "data-count": row.times,
      "data-focus": at === focus || null,
      "aria-level": row.level,
      "aria-posinset": row.position,
      "aria-setsize": row.siblings,
      "aria-selected": outline.isSelected(at),
      "aria-expanded": isParent ? outline.isOpen(row) : null,
      title: (isModule && ownParameters(tree, row.node)) || null,
    },
    style: { "--indent": `${Math.min(row.level - 1, 24) * INDENT}px` },
    main: isModule ? [isParent ? (outline.isOpen(row) ? "▾" : "▸") : "", status.glyph, ...nameAndType(outline, row)] : reference(outline, row),
    marks: isModule ? marksOf(outline, row) : [],
    cells: columns.map(({ key, text }) => {
      const said = isModule ? text(outline, row) : "";
      return { text: said, attributes: { class: `num ${key}`, "data-cell": key, "aria-hidden": true, title: said || null } };
    }),
    words: describe(tree, plan, row),
  };
}

const unitAbove = ({ rows, plan }: Outline, at: number) => (at > 0 && rows[at - 1].ref < 0 ? plan.unitOf[rows[at - 1].node] : -2);

function reference({ tree }: Outline, row: Row): string[] {
  const [, attr, , kind] = tree.refs[row.ref];
  return [kind === "back" ? "↺" : "↪", "", attr, `same as ${row.node === 0 ? tree.title : fqnOf(tree, row.node)} (#${row.node})`];
}

function nameAndType({ tree }: Outline, row: Row): [name: string, type: string] {
  const [type] = tree.classes[tree.cls[row.node]];
  if (row.node === 0) return [tree.title, type === tree.title ? "" : type];
  const name = rangeName(tree, { ...row, first: row.node });
  const above = tree.parent[row.node];
  return [/^\(?\d/.test(name) && above > 0 ? `${tree.names[above]}.${name}` : name, type];
}

/** Most rows have none, so their elements are made when they are needed. */
function marksOf(outline: Outline, row: Row): [cell: string, text: string][] {
  const { tree, plan } = outline;
  const marks: [string, string][] = [
    ["times", row.times > 1 ? `×${row.times}` : outline.isSplit(row) ? "⊟" : ""],
    ["differs", row.beside < 0 ? "" : `differs in ${difference(tree, plan, row.beside, row.node)}`],
    ["frozen", isFrozen(tree, row.node) ? "fz" : ""],
    ["ties", (tree.tiesOf.get(row.node) ?? []).map((letter) => `tie ${letter}`).join(" ")],
    ["alarm", ["", "i", "▲", "!"][plan.alarm[row.node]]],
  ];
  return marks.filter(([, text]) => text);
}

/** Writes a look into an element; `pinned`: for the eye alone. */
export function drawRow(element: HTMLElement, { attributes, item, style, main, marks, cells, words }: Look, pinned: boolean): void {
  const [spoken, seen] = element.children;
  setAttributes(element, attributes);
  if (!pinned) {
    setAttributes(element, item);
    setText(spoken, words);
  }
  for (const name in style) element.style.setProperty(name, style[name]);
  fit(seen, main.length + marks.length, span);
  main.forEach((text, k) => setText(seen.children[k], text));
  marks.forEach(([cell, text], k) => {
    setAttributes(seen.children[main.length + k], { "data-cell": cell });
    setText(seen.children[main.length + k], text);
  });
  fit(element, 2 + cells.length, span);
  cells.forEach(({ text, attributes }, k) => {
    setAttributes(element.children[2 + k], attributes);
    setText(element.children[2 + k], text);
  });
}

// One row as an element: made once, filled with whatever row it has to show. Its accessible name is a sentence of its own;
// the cells are for the eye.
import { columnText, type Column, type Measured } from "./columns";
import { h, setAttributes, setText } from "./dom";
import type { Paint } from "./extras/contract";
import { difference } from "./fold";
import type { Hits } from "./hits";
import type { Outline } from "./outline";
import { fqnOf, isFrozen } from "./payload";
import { labelOf, lastOf, rangeName, type Row } from "./rows";
import { describe, ownParameters, STATUS_WORDS, statusOf } from "./words";

const INDENT = 14;

/** Everything that decides how rows look, beside the row itself. */
export interface Looks {
  outline: Outline;
  columns: Column[];
  measured: Measured;
  hits: Hits;
  paint: ((node: number) => Paint | null) | null; // null: by status
  pending: Map<number, string>; // status letter asked for and not confirmed yet, by module
  refused: Set<number>; // modules whose last edit was refused
  tie: string; // letter of the tie that is looked at
  pointed: Record<"now" | "live", Set<number>>; // rows
}

export function makeRow(kind: "row" | "pin", id?: string): HTMLElement {
  const cell = (key: string) => h("span", { "data-cell": key });
  const main = h("span", { class: "main", "aria-hidden": "true" }, cell("fold"), cell("swatch"), cell("name"), cell("type"));
  return h("div", { class: kind, ...(id ? { id, role: "treeitem" } : {}) }, h("span", { class: "words" }), main);
}

/** Shows the row at `at` of the outline; `pinned` repeats it at the upper edge for the eye alone. */
export function fillRow(element: HTMLElement, at: number, looks: Looks, pinned: boolean): void {
  const { outline } = looks;
  const { tree, plan } = outline;
  const row = outline.rows[at];
  const asked = row.ref < 0 ? looks.pending.get(row.node) : undefined;
  const status = asked === undefined ? statusOf(plan, row) : STATUS_WORDS.find(({ letter }) => letter === asked)!;
  const parent = outline.isParent(row);
  const isModule = row.ref < 0;
  setAttributes(element, {
    "data-row": at,
    "data-status": isModule ? status.letter : "ref",
    "data-hue": isModule ? status.hue : "none",
    "data-alarm": isModule ? plan.alarm[row.node] : 0,
    "data-lane": isModule && plan.unitOf[row.node] === unitAbove(outline, at) ? "on" : "starts",
    "data-frozen": (isModule && isFrozen(tree, row.node)) || null,
    "data-hit": looks.hits.at(row, outline.isOpen(row)),
    "data-pending": asked !== undefined || null,
    "data-refused": looks.refused.has(row.node) || null,
    "data-dim": looks.tie !== "" && !(tree.tiesOf.get(row.node) ?? []).includes(looks.tie) ? true : null,
    "data-selected": pinned && outline.isSelected(at) ? true : null,
  });
  if (!pinned) {
    setAttributes(element, treeItem(looks, at, row, parent));
    setText(element.children[0], describe(tree, plan, row));
  }
  element.style.setProperty("--indent", `${Math.min(row.level - 1, 24) * INDENT}px`);
  paintRow(element, looks, row);
  const glyph = isModule ? status.glyph : "";
  fillMain(element.children[1], { ...mainTexts(outline, row, parent), swatch: glyph }, isModule ? marksOf(outline, row) : []);
  fillColumns(element, looks, row);
}

/** Of a folded row the lane runs from the colour of its first module to that of its last. */
function paintRow(element: HTMLElement, { paint }: Looks, row: Row): void {
  const [first, last] = row.ref < 0 && paint ? [paint(row.node), paint(lastOf(row))] : [null, null];
  setAttributes(element, { "data-painted": first && true });
  element.style.setProperty("--hue", first?.colour ?? null);
  element.style.setProperty("--hue-ink", first?.ink ?? null);
  element.style.setProperty("--lane", first && lastOf(row) > row.node ? `linear-gradient(${first.colour}, ${last!.colour})` : null);
}

/** What assistive technology and tests read from a row. */
function treeItem(looks: Looks, at: number, row: Row, parent: boolean): Record<string, string | number | boolean | null> {
  const { outline, pointed } = looks;
  const { tree } = outline;
  return {
    "data-index": row.node,
    "data-fqn": labelOf(tree, row),
    "data-count": row.times,
    "aria-level": row.level,
    "aria-posinset": row.position,
    "aria-setsize": row.siblings,
    "aria-selected": outline.isSelected(at),
    "aria-expanded": parent ? outline.isOpen(row) : null,
    "data-now": pointed.now.has(at) || null,
    "data-live": pointed.live.has(at) || null,
    "data-focus": at === outline.focus ? "1" : null,
    title: row.ref < 0 ? ownParameters(tree, row.node) || null : null,
  };
}

const unitAbove = ({ rows, plan }: Outline, at: number) => (at > 0 && rows[at - 1].ref < 0 ? plan.unitOf[rows[at - 1].node] : -2);

function mainTexts(outline: Outline, row: Row, parent: boolean): Record<string, string> {
  const { tree } = outline;
  if (row.ref >= 0) {
    const [, attr, , kind] = tree.refs[row.ref];
    const target = row.node === 0 ? tree.title : fqnOf(tree, row.node);
    return { fold: kind === "back" ? "↺" : "↪", name: attr, type: `same as ${target} (#${row.node})` };
  }
  const [type] = tree.classes[tree.cls[row.node]];
  const name = rangeName(tree, { ...row, first: row.node });
  const above = tree.parent[row.node];
  return {
    fold: parent ? (outline.isOpen(row) ? "▾" : "▸") : "",
    name: row.node === 0 ? tree.title : /^\(?\d/.test(name) && above > 0 ? `${tree.names[above]}.${name}` : name,
    type: row.node === 0 && type === tree.title ? "" : type,
  };
}

/** The marks behind a name; most rows have none, so their elements are made when they are needed. */
function marksOf(outline: Outline, row: Row): [cell: string, text: string][] {
  const { tree, plan } = outline;
  const ties = tree.tiesOf.get(row.node) ?? [];
  const inside = outline.isOpen(row) && row.times === 1 ? 0 : outline.tiesBelow(row.node);
  const marks: [string, string][] = [
    ["times", row.times > 1 ? `×${row.times}` : outline.isSplit(row) ? "⊟" : ""],
    ["differs", row.beside < 0 ? "" : `differs in ${difference(tree, plan, row.beside, row.node)}`],
    ["frozen", isFrozen(tree, row.node) ? "fz" : ""],
    ["ties", ties.map((letter) => `tie ${letter}`).join(" ")],
    ["inside", inside ? `${inside} tied inside` : ""],
    ["alarm", ["", "i", "▲", "!"][plan.alarm[row.node]]],
  ];
  return marks.filter(([, text]) => text);
}

function fillMain(main: Element, texts: Record<string, string>, marks: [cell: string, text: string][]): void {
  const [fold, swatch, name, type] = main.children;
  setText(fold, texts.fold);
  setText(swatch, texts.swatch);
  setText(name, texts.name);
  setText(type, texts.type);
  const made = main.children.length - 4;
  for (let k = made; k < marks.length; k++) main.append(h("span"));
  for (let k = marks.length; k < made; k++) main.lastElementChild!.remove();
  marks.forEach(([cell, text], k) => {
    setAttributes(main.children[4 + k], { "data-cell": cell });
    setText(main.children[4 + k], text);
  });
}

function fillColumns(element: HTMLElement, looks: Looks, row: Row): void {
  const { columns, outline, measured } = looks;
  while (element.children.length > columns.length + 2) element.lastElementChild!.remove();
  while (element.children.length < columns.length + 2) element.append(h("span", { "aria-hidden": "true" }));
  const texts = columns.map(({ key }) => (row.ref < 0 ? columnText(key, outline.tree, outline.plan, row, measured) : ""));
  const inits = columns.flatMap(({ key }, k) => (key.startsWith("init_") ? [texts[k]] : []));
  columns.forEach(({ key }, k) => {
    const cell = element.children[k + 2];
    const pair = inits.length === 2 && inits[0] && key.startsWith("init_") ? (inits[0] === inits[1] ? "same" : "differ") : null;
    setAttributes(cell, { class: `num ${key}`, "data-cell": key, "data-pair": pair, title: texts[k].endsWith("…") ? "irregular; the least" : texts[k] || null });
    setText(cell, texts[k]);
  });
}

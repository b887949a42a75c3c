// The rows in the order of a column: one flat list, largest or first on top, and back to the tree. What a row has no value
// for comes last either way. No DOM.
import type { Outline } from "../outline";
import type { Row } from "../rows";

/** What a row is sorted by: one number, of a folded row that of its first module; negative: none. */
export type Value = (outline: Outline, row: Row) => number;

export interface Order {
  key: string;
  down: boolean; // largest on top
}

/** Amounts begin with the largest, places with the first. */
const AMOUNTS = new Set(["own", "total", "bytes"]);

/** A press on a head: sorted, the other way round, the tree again. */
export function pressed(now: Order | null, key: string): Order | null {
  const first = AMOUNTS.has(key);
  if (now?.key !== key) return { key, down: first };
  return now.down === first ? { key, down: !first } : null;
}

/** The rows, which are taken over, as one level in the order of their values; equal ones stay as they were. */
export function sorted(outline: Outline, rows: readonly Row[], valueOf: Value, down: boolean): Row[] {
  const values = new Float64Array(rows.length);
  for (const row of rows) {
    const value = row.ref < 0 ? valueOf(outline, row) : -1;
    values[row.at] = value < 0 ? Infinity : down ? -value : value;
  }
  const list = new Array<Row>(rows.length);
  const places = placesOf(values);
  for (let from = 0; from < rows.length; from++) {
    const row = rows[from];
    const at = places[from];
    row.at = at;
    row.level = 1;
    row.position = at + 1;
    row.siblings = rows.length;
    list[at] = row;
  }
  return list;
}

/** Where each value stands among all of them from the least to the greatest. No comparing function: 75,000 rows at once. */
function placesOf(values: Float64Array): Uint32Array {
  const order = values.slice().sort();
  const taken = new Uint32Array(values.length); // by the first place of a value: how many have gone there
  const places = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const first = firstOf(order, values[at]);
    places[at] = first + taken[first]++;
  }
  return places;
}

function firstOf(order: Float64Array, value: number): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

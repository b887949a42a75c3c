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

/** Copies of the rows, all of one level, in the order of their values; equal ones stay as they were. */
export function sorted(outline: Outline, rows: readonly Row[], valueOf: Value, down: boolean): Row[] {
  const values = Float64Array.from(rows, (row) => {
    const value = row.ref < 0 ? valueOf(outline, row) : -1;
    return value < 0 ? Infinity : down ? -value : value;
  });
  const order = inOrder(values);
  const copies: Row[] = new Array(rows.length);
  for (const row of rows) copies[row.at] = { ...row, level: 1, siblings: rows.length, parent: row.parent && copies[row.parent.at] };
  return Array.from(order, (from, at) => {
    const row = copies[from];
    row.at = at;
    row.position = at + 1;
    return row;
  });
}

/** Places of the values from the least to the greatest. Counted by distinct values: 75,000 rows have few, or are in order. */
function inOrder(values: Float64Array): Uint32Array {
  const distinct = new Float64Array(new Set(values)).sort();
  const rank = new Map<number, number>();
  distinct.forEach((value, at) => rank.set(value, at));
  const starts = new Uint32Array(distinct.length + 1);
  const ranks = Uint32Array.from(values, (value) => rank.get(value)!);
  for (const each of ranks) starts[each + 1]++;
  for (let at = 0; at < distinct.length; at++) starts[at + 1] += starts[at];
  const order = new Uint32Array(values.length);
  ranks.forEach((each, from) => (order[starts[each]++] = from));
  return order;
}

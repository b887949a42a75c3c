// What the minimap shows: all visible rows squeezed into one line of pixels each, and which part of them is on the screen.
// No DOM.
import type { Plan } from "./plan";
import type { Row } from "../rows";

export interface Buckets {
  readonly count: number; // lines
  readonly thick: number; // pixels a line
  readonly rows: number; // rows in all
  readonly statuses: Uint8Array; // by line: bit s is set when a row with status s lies in it (positions in STATUSES)
  readonly alarm: Uint8Array; // by line: the gravest
  readonly hit: Uint8Array;
}

const THICKEST = 4;

/** `hitRows` are the rows to be ticked, in any order. */
export function bucketsOf(rows: readonly Row[], plan: Pick<Plan, "status" | "alarm">, hitRows: Iterable<number>, height: number): Buckets {
  const thick = Math.max(1, Math.min(THICKEST, Math.floor(height / Math.max(1, rows.length))));
  const count = Math.min(rows.length, Math.floor(height / thick));
  const statuses = new Uint8Array(count);
  const alarm = new Uint8Array(count);
  const hit = new Uint8Array(count);
  for (let line = 0; line < count; line++) {
    const end = firstRow(line + 1, count, rows.length);
    for (let at = firstRow(line, count, rows.length); at < end; at++) {
      const { ref, node } = rows[at];
      if (ref >= 0) continue; // a reference has the status of a row elsewhere
      statuses[line] |= 1 << plan.status[node];
      alarm[line] = Math.max(alarm[line], plan.alarm[node]);
    }
  }
  for (const row of hitRows) if (row >= 0 && row < rows.length) hit[lineOf(row, count, rows.length)] = 1;
  return { count, thick, rows: rows.length, statuses, alarm, hit };
}

const firstRow = (line: number, count: number, rows: number) => Math.ceil((line * rows) / count);
const lineOf = (row: number, count: number, rows: number) => Math.floor((row * count) / rows);

/** The lines of the rows on the screen, in pixels from the top; never thinner than can be seen. */
export function windowOf({ count, thick, rows }: Buckets, first: number, shown: number): { top: number; height: number } {
  if (rows === 0) return { top: 0, height: 0 };
  const scale = (count * thick) / rows;
  const height = Math.max(6, Math.min(shown, rows) * scale);
  return { top: Math.max(0, Math.min(first * scale, count * thick - height)), height };
}

/** The row that a click at that height means. */
export function rowAt({ count, thick, rows }: Buckets, y: number): number {
  return Math.max(0, Math.min(rows - 1, Math.floor((y * rows) / Math.max(1, count * thick))));
}

/** At most `most` of many, evenly spread: more ticks than pixels show nothing new. */
export function spreadOut(values: readonly number[], most: number): readonly number[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, at) => values[Math.floor((at * values.length) / most)]);
}

// All modules that a row stands for. Thousands, for experts in layers: ask `countOf`, `lastOf` or `stepOf` where those do.
import { upwards, type Row } from "../rows";

const runsAround = (row: Row) => upwards(row).filter(({ times }) => times > 1);

/** In pre-order. */
export const membersOf = (row: Row): number[] =>
  (row.members ??= runsAround(row).reduce((members, { times, stride }) => Array.from({ length: times }, (_, k) => members.map((index) => index + k * stride)).flat(), [row.node]));

/** The distance from each of them to the next; 0 for a single one, -1 where it is not always the same. */
export function stepOf(row: Row): number {
  const [inner, ...outer] = runsAround(row);
  let span = inner ? inner.stride * inner.times : 0;
  for (const { stride, times } of outer) {
    if (stride !== span) return -1;
    span = stride * times;
  }
  return inner?.stride ?? 0;
}

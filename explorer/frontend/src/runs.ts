// Runs: long lists of alike things at regular places, as explorer/runlength.py writes them.

/** `[start, ...key, n1, s1, n2, s2, ...]`: a thing at `start`, n1 times s1 apart, all of that n2 times s2 apart. */
export type Run = [start: number, ...rest: unknown[]];

/** A value a place: the commonest, then the runs of the others. */
export type Column = [common: unknown, ...runs: Run[]];

/** `[slope, column]`: `slope * place` is to be added. */
export type Numbers = [slope: number, column: Column];

/** Everything some runs stand for, in ascending order of its places; `parts` is the length of a key. */
export function unroll(runs: Run[], parts: number): Run[] {
  const all = runs.flatMap(([start, ...rest]) => {
    const key = rest.splice(0, parts);
    let starts = [start];
    for (let at = 0; at < rest.length; at += 2) {
      const before = starts;
      const [times, apart] = [rest[at] as number, rest[at + 1] as number];
      starts = Array.from({ length: times }, (_, k) => before.map((each) => each + k * apart)).flat();
    }
    return starts.map((each): Run => [each, ...key]);
  });
  return all.sort((a, b) => a[0] - b[0]);
}

/** One value for each of `size` places. */
export function spread([common, ...runs]: Column, size: number): unknown[] {
  const values = new Array<unknown>(size).fill(common);
  for (const [place, value] of unroll(runs, 1)) values[place] = value;
  return values;
}

export const spreadNumbers = ([slope, column]: Numbers, size: number) =>
  spread(column, size).map((value, place) => (value === null ? null : (value as number) + slope * place));

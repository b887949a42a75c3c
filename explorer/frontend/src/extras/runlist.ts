// Module numbers as a message carries them: what stands at regular places is one run, `[start, n1, s1, n2, s2, ...]`, n1 times
// s1 apart, all of that n2 times s2 apart (see `Mark` in explorer/commands.py). So an edit of 80 layers is as short as one.

type Run = [start: number, ...repeats: number[]];

const LEVELS = 3;

/** Ascending numbers; those that are alone stay numbers. */
export function runsOf(indices: readonly number[]): (number | Run)[] {
  let runs = indices.map((index): Run => [index]);
  for (let level = 0; level < LEVELS; level++) runs = gathered(runs);
  return runs.map((run) => (run.length === 1 ? run[0] : run));
}

/** Neighbours that differ by their starts alone, always by the same, as one; greedily from the left. Two of them gain nothing. */
function gathered(runs: Run[]): Run[] {
  const fewer: Run[] = [];
  for (let at = 0; at < runs.length; ) {
    const apart = at + 1 < runs.length ? runs[at + 1][0] - runs[at][0] : 0;
    let stop = at + 1;
    while (stop < runs.length && runs[stop][0] - runs[stop - 1][0] === apart && sameRepeats(runs[stop], runs[at])) stop++;
    if (stop - at > 2) fewer.push([...runs[at], stop - at, apart]);
    else fewer.push(...runs.slice(at, (stop = Math.max(at + 1, stop - 1))));
    at = stop;
  }
  return fewer;
}

const sameRepeats = (one: Run, other: Run) => one.length === other.length && one.every((number, at) => at === 0 || number === other[at]);

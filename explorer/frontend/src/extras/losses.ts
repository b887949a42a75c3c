// The losses of a run: the last ones in words, and the geometry of their chart.
import type { RunState } from "./run";

const loss = (value: number | null | undefined) => (typeof value === "number" ? value.toFixed(4) : "not finite");

/** The last losses of every rank, and of the unsharded model beside them. */
export function lossText(run: RunState): string {
  const last = run.losses.at(-1);
  if (!last) return "";
  const [step, ...ranks] = last;
  const each = ranks.map((value, rank) => `rank ${rank} ${loss(value)}`).join(", ");
  const nth = run.losses.length - 1;
  const reference = run.reference && nth < run.reference.length ? `; unsharded ${loss(run.reference[nth])}` : "";
  return `step ${step}: ${each}${reference}`;
}

export interface Chart {
  lines: string[]; // one SVG path a rank
  reference: string;
  low: number;
  high: number;
}

/** Paths in a box of width x height; a value that is not finite breaks its line. */
export function chartOf(run: RunState, width: number, height: number): Chart | null {
  const series = Array.from({ length: (run.losses[0]?.length ?? 1) - 1 }, (_, rank) => run.losses.map((row) => row[rank + 1]));
  const reference = run.reference ?? [];
  const finite = [...series.flat(), ...reference].filter((value): value is number => typeof value === "number");
  if (finite.length === 0) return null;
  const low = finite.reduce((a, b) => Math.min(a, b));
  const high = finite.reduce((a, b) => Math.max(a, b));
  const last = Math.max(run.steps, run.losses.length, reference.length, 2) - 1;
  const path = (values: (number | null)[]) =>
    values
      .map((value, k) => {
        if (typeof value !== "number") return "";
        const pen = typeof values[k - 1] === "number" ? "L" : "M";
        const y = high === low ? height / 2 : ((high - value) / (high - low)) * height;
        return `${pen}${((k / last) * width).toFixed(1)} ${y.toFixed(1)}`;
      })
      .join("");
  return { lines: series.map(path), reference: path(reference), low, high };
}

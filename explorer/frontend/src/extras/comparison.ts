// A comparison of engines, as Python sends it (trait `comparison`), and how its table reads. No DOM: every number was
// measured in the workers; here it only gets words.
import { bytesText, count } from "./amounts";
import type { Column } from "./costs";
import type { Refusal } from "./contract";

export interface EngineRow {
  engine: string;
  outcome: "ran" | "cannot" | "failed";
  why: string;
  remarks: string[];
  loss_difference: number | null;
  ratio: [median: number, low: number, high: number] | null;
  peak_nbytes: number[];
  collectives: [kind: string, count: number, nbytes: number][];
}

export interface Comparison {
  id: string;
  phase: "idle" | "starting" | "running" | "done" | "failed" | "stopped";
  nprocs: number;
  backend: string;
  devices: string;
  engines: string[];
  steps: number;
  done: number;
  total: number;
  doing: string;
  base: string | null;
  rows: EngineRow[];
  error: Refusal | null;
  seconds: number;
}

/** Engines a reader may ask for; the unsharded model ("none") always takes part. */
export const CHOICES: [engine: string, hint: string][] = [
  ["flat", "This project's engine"], ["torch", "torch's FSDP2"], ["ddp", "torch's DistributedDataParallel"], ["fsdp1", "torch's FullyShardedDataParallel"],
];

export const isGoing = ({ phase }: Comparison): boolean => phase === "starting" || phase === "running";

export function progressText(comparison: Comparison): string {
  const { phase, doing, done, total, nprocs, backend, devices, seconds } = comparison;
  if (isGoing(comparison)) return `${doing}: ${count(done)} of ${count(total)}`;
  if (phase === "done") return `Done in ${seconds.toFixed(1)} s on ${nprocs} workers over ${backend} (${devices}).`;
  return phase === "stopped" ? "Stopped." : "Failed.";
}

const sent = (kind: string) => (row: EngineRow): string => {
  const [, times, nbytes] = row.collectives.find(([each]) => each === kind) ?? [kind, 0, 0];
  return row.outcome !== "ran" ? "-" : times ? `${count(times)}, ${bytesText(nbytes)}` : "0";
};

export const ENGINE_COLUMNS: Column<EngineRow>[] = [
  { title: "engine", hint: "What trained; none is the unsharded model", text: (row) => row.engine, left: true },
  { title: "loss apart", hint: "Largest distance of any rank's loss in any step from the unsharded model's", text: differenceText },
  { title: "step time", hint: "As a multiple of the first engine's: median of the rounds, and their middle half", text: ratioText, left: true },
  { title: "peak a rank", hint: "Most bytes of tensors alive in a step, on the rank that holds most", text: peakText },
  { title: "all-gathers", hint: "In a step, with the bytes they fill", text: sent("all_gather") },
  { title: "reduce-scatters", hint: "In a step, with the bytes they read", text: sent("reduce_scatter") },
  { title: "all-reduces", hint: "In a step, with the bytes they average", text: sent("all_reduce") },
  { title: "", hint: "What the numbers do not say", text: remarkText, left: true },
];

function differenceText({ engine, outcome, loss_difference: difference }: EngineRow): string {
  if (outcome !== "ran") return outcome;
  if (engine === "none") return "reference";
  return difference === null ? "-" : difference === 0 ? "0" : difference.toExponential(1);
}

function ratioText({ ratio }: EngineRow): string {
  return ratio === null ? "-" : `${ratio[0].toFixed(2)} (${ratio[1].toFixed(2)}-${ratio[2].toFixed(2)})`;
}

function peakText({ peak_nbytes: peaks }: EngineRow): string {
  return peaks.length ? bytesText(Math.max(...peaks)) : "-";
}

function remarkText({ why, remarks }: EngineRow): string {
  return [why, ...remarks].filter((text) => text).join("; ");
}

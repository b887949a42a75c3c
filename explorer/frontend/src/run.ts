// A run as the page knows it: the last state from Python plus the live batches since, and the geometry of its chart.

export interface RunState {
  id: string;
  seq: number;
  phase: "idle" | "starting" | "running" | "done" | "failed" | "stopped";
  nprocs: number;
  backend: string;
  devices: string;
  step: number;
  steps: number;
  losses: (number | null)[][]; // [step, loss of rank 0, loss of rank 1, ...]; null where it is not finite
  reference: (number | null)[] | null; // loss of the unsharded model after each step
  error: { title: string; detail: string } | null;
  log: [rank: number, text: string][];
  seconds: number;
}

export const NO_RUN: RunState = {
  id: "", seq: 0, phase: "idle", nprocs: 0, backend: "", devices: "", step: 0, steps: 0,
  losses: [], reference: null, error: null, log: [], seconds: 0,
};

const LOG_LINES = 500;

export const parseRun = (text: string): RunState => (text ? { ...NO_RUN, ...(JSON.parse(text) as RunState) } : NO_RUN);

/** A batch replaces what it names; losses and log lines are added. A new id starts over, an old batch is dropped. */
export function merge(run: RunState, batch: Partial<RunState>): RunState {
  const base = batch.id !== undefined && batch.id !== run.id ? NO_RUN : run;
  if (batch.seq !== undefined && base !== NO_RUN && batch.seq <= base.seq) return run;
  return {
    ...base,
    ...batch,
    losses: [...base.losses, ...(batch.losses ?? [])],
    log: [...base.log, ...(batch.log ?? [])].slice(-LOG_LINES),
  };
}

export const isLive = (run: RunState) => run.phase === "starting" || run.phase === "running";

const PHASES: Record<RunState["phase"], string> = {
  idle: "Not run yet.",
  starting: "Starting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
};

export function phaseText(run: RunState): string {
  const where = [run.backend, run.devices].filter(Boolean).join(", ");
  const workers = run.nprocs ? ` on ${run.nprocs} ${run.nprocs === 1 ? "worker" : "workers"}${where ? ` (${where})` : ""}` : "";
  const step = run.steps ? `, step ${run.step} of ${run.steps}` : "";
  const time = run.seconds ? `, ${run.seconds.toFixed(1)} s` : "";
  return run.phase === "idle" ? PHASES.idle : `${PHASES[run.phase]}${workers}${step}${time}`;
}

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

// A run as the page knows it: the last state from Python plus the live batches since.

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
  events: RunEvent[]; // of rank 0, in the first and the last step; bounded by Python
  error: { title: string; detail: string } | null;
  log: [rank: number, text: string][];
  seconds: number;
}

/** Phase letter (F, B, O), kind letter (U unshard, R reshard, G S A B collectives), unit, bytes. */
export type RunEvent = [phase: string, kind: string, unit: string, nbytes: number];

export const NO_RUN: RunState = {
  id: "", seq: 0, phase: "idle", nprocs: 0, backend: "", devices: "", step: 0, steps: 0,
  losses: [], reference: null, events: [], error: null, log: [], seconds: 0,
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

// What a plan costs, as Python sends it (trait `costs`), and how its tables read. No DOM: every number was worked out in
// Python; here it only gets words.
import { bytesText, count, percent } from "./amounts";

export interface WhatIf {
  world_size: number;
  mesh_shape: number[];
  strategy: string | null;
  mixed_precision: Record<string, string> | null;
  optimizer: string;
  engine: string;
  accumulation_steps: number;
  traced: boolean;
  flops_per_s: number | null;
  bytes_per_s: number | null;
  latency_s: number | null;
}

export interface StepTime {
  phases: { phase: string; compute_s: number | null; communication_s: number | null }[];
  missing: string[];
}

export interface UnitCost {
  fqn: string;
  times: number;
  runs: [start: number, end: number, step: number][];
  numel: number;
  trainable_numel: number;
  dtypes: string[];
  strategy: string;
  in_effect: string;
  num_shards: number;
  num_copies: number;
  frees_after_forward: boolean;
  reason: string;
  unsharded_nbytes: number;
  shard_nbytes: number;
  padded_nbytes: number;
  all_gather_nbytes: number;
  reduce_scatter_nbytes: number;
  all_reduce_nbytes: number;
  largest_buffer_nbytes: number;
  waste: number;
  empty_ranks: number;
  collectives: number;
  sent_nbytes: number;
}

export interface RankCost {
  ranks: [first: number, last: number];
  parameters: number;
  padding: number;
  gradients: number;
  optimizer: Record<string, number>;
  buffers: number;
  buckets: number;
  offloaded: number;
  total: number;
}

export interface CollectiveCost {
  kind: string;
  phase: string;
  count: number;
  nbytes: number;
  largest_nbytes: number;
  small: number;
  sent_nbytes: number;
}

export interface GroupCost {
  fqn: string;
  numel: number;
  nbytes: number;
  buckets: number[];
}

export interface Peak {
  nbytes: number;
  moment: string;
  is_estimate: boolean;
  terms: [label: string, nbytes: number][];
  timeline: [moment: string, nbytes: number][];
}

export interface Costs {
  v: number;
  rev: number;
  what_if: WhatIf;
  choices: { strategy: (string | null)[]; optimizer: string[]; engine: string[]; mixed_precision: (Record<string, string> | null)[] };
  refused: { title: string; detail: string } | null;
  totals: Record<string, number>;
  units: UnitCost[];
  groups: GroupCost[];
  per_rank: RankCost[];
  collectives: CollectiveCost[];
  peak: Partial<Peak>;
  time: StepTime | null;
  notes: [kind: string, text: string][];
}

/** A column of a table: its title, what it means, the text of a row, and the same for a reader who hears it. */
export interface Column<Row> {
  title: string;
  hint: string;
  left?: true;
  text(row: Row): string;
}

const bytes = <Row>(title: string, hint: string, of: (row: Row) => number): Column<Row> => ({ title, hint, text: (row) => (of(row) ? bytesText(of(row)) : "0") });
const number = <Row>(title: string, hint: string, of: (row: Row) => number): Column<Row> => ({ title, hint, text: (row) => count(of(row)) });
const words = <Row>(title: string, hint: string, text: (row: Row) => string): Column<Row> => ({ title, hint, text, left: true });

/** `u3`, `u1–12`, `u2–24 by 2`, several of them with commas. */
export function unitNumbers(runs: UnitCost["runs"]): string {
  return runs.map(([start, end, step]) => {
    const last = start + Math.floor((end - 1 - start) / step) * step;
    return last === start ? `u${start}` : `u${start}–${last}${step > 1 ? ` by ${step}` : ""}`;
  }).join(", ");
}

export const UNIT_COLUMNS: Column<UnitCost>[] = [
  words("unit", "Number of the unit, or of all units that cost the same", (row) => unitNumbers(row.runs)),
  words("first module", "Its module, or that of the first of them", (row) => row.fqn || "(root)"),
  number("×", "How many units cost the same", (row) => row.times),
  number("elements", "Parameters of one of them", (row) => row.numel),
  words("held", "How its parameters are held, over how many ranks", heldText),
  bytes("whole", "Bytes of its parameters while they are gathered", (row) => row.unsharded_nbytes),
  bytes("a rank", "Bytes that a rank keeps between steps", (row) => row.shard_nbytes),
  { title: "waste", hint: "Padding, as a share of the parameters", text: (row) => percent(row.waste) },
  number("empty", "Ranks that keep nothing of it", (row) => row.empty_ranks),
  bytes("gathered", "Bytes of one all-gather", (row) => row.all_gather_nbytes),
  bytes("reduced", "Bytes of one reduce-scatter", (row) => row.reduce_scatter_nbytes),
  bytes("averaged", "Bytes of one all-reduce", (row) => row.all_reduce_nbytes),
  number("calls", "Collectives of one of them in a step", (row) => row.collectives),
  bytes("sent", "Bytes a rank sends for one of them in a step, if the ring is used", (row) => row.sent_nbytes),
  words("after forward", "Whether it frees what it gathered after its forward, and why", (row) => `${row.frees_after_forward ? "frees" : "keeps"}: ${row.reason}`),
];

function heldText(row: UnitCost): string {
  const copies = row.num_copies > 1 && row.num_shards > 1 ? ` ×${row.num_copies}` : "";
  return row.num_shards > 1 ? `${row.in_effect} /${row.num_shards}${copies}` : row.in_effect;
}

export const RANK_COLUMNS: Column<RankCost>[] = [
  words("ranks", "Ranks that keep the same", ({ ranks: [first, last] }) => (first === last ? `${first}` : `${first}–${last}`)),
  bytes("parameters", "Bytes of parameters between steps", (row) => row.parameters),
  bytes("padding", "Of them, padding", (row) => row.padding),
  bytes("gradients", "Bytes of gradients", (row) => row.gradients),
  bytes("optimizer", "Bytes of the optimizer's states", (row) => Object.values(row.optimizer).reduce((sum, part) => sum + part, 0)),
  bytes("buffers", "Bytes of buffers", (row) => row.buffers),
  bytes("buckets", "Bytes of replicate groups' buckets", (row) => row.buckets),
  bytes("offloaded", "Bytes kept on the CPU instead", (row) => row.offloaded),
  bytes("total", "All of it", (row) => row.total),
];

export const COLLECTIVE_COLUMNS: Column<CollectiveCost>[] = [
  words("collective", "What the ranks do together", (row) => row.kind.replaceAll("_", "-")),
  words("phase", "When", (row) => row.phase),
  number("a step", "How many in a step", (row) => row.count),
  bytes("bytes", "Of all of them together, whole buffers", (row) => row.nbytes),
  bytes("largest", "Of the largest one", (row) => row.largest_nbytes),
  number("small", "How many carry less than 1 MiB", (row) => row.small),
  bytes("sent", "Bytes a rank sends, if the ring is used", (row) => row.sent_nbytes),
];

export const GROUP_COLUMNS: Column<GroupCost>[] = [
  words("replicate group", "The replicated module", (row) => row.fqn || "(root)"),
  number("elements", "Its parameters", (row) => row.numel),
  bytes("a rank", "Bytes that every rank keeps", (row) => row.nbytes),
  words("buckets", "All-reduces of its gradients in a step", (row) => row.buckets.map(bytesText).join(", ") || "none"),
];

/** The row as a sentence: `unit u3, first module h.3, ...`. */
export const rowSentence = <Row>(columns: Column<Row>[], row: Row): string => columns.map(({ title, text }) => `${title} ${text(row)}`).join(", ");

/** Says for which question the costs are: `4 ranks as 2 × 2, adamw, flat engine`. */
export function settingText({ world_size, mesh_shape, optimizer, engine, strategy, mixed_precision, accumulation_steps }: WhatIf): string {
  const ranks = `${count(world_size)} rank${world_size === 1 ? "" : "s"}${mesh_shape.length > 1 ? ` as ${mesh_shape.join(" × ")}` : ""}`;
  const steps = accumulation_steps > 1 ? `, ${accumulation_steps} forwards and backwards a step` : "";
  return `${ranks}, ${strategy ?? "each unit's own strategy"}, ${precisionText(mixed_precision)}, ${optimizer}, ${engine} engine${steps}`;
}

/** `bfloat16, reduced in float32`; None is each unit's own. */
export function precisionText(precision: Record<string, string> | null): string {
  if (precision === null) return "each unit's own precision";
  const { param_dtype, reduce_dtype, ...rest } = precision;
  const parts = [param_dtype ?? "parameters as they are", reduce_dtype && reduce_dtype !== param_dtype ? `reduced in ${reduce_dtype}` : ""];
  return [...parts.filter(Boolean), ...Object.entries(rest).map(([name, value]) => `${name} ${value}`)].join(", ");
}

/** What a person typed as a mesh: `8`, `2x4`, `2 × 4`, `2, 4`; a text that says what is wrong when it is none. */
export function readMesh(text: string): number[] | string {
  const parts = text.trim().split(/\s*[x×*,]\s*|\s+/);
  const shape = parts.map(Number);
  if (parts.length <= 2 && parts[0] !== "" && shape.every((size) => Number.isInteger(size) && size >= 1)) return shape;
  return `${JSON.stringify(text)} is no mesh: give the number of ranks (8), or replicate x shard (2x4)`;
}

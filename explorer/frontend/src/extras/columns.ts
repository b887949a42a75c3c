// All columns in their order: those of the first module, and those that need members of folded rows, costs or a run. A folded
// row says an arithmetic progression of its members' numbers, `13+13k`, or its least number and `…` where they are irregular.
import { SUBTREE, UNIT, type Column } from "../columns";
import type { Outline } from "../outline";
import type { Tree } from "../payload";
import type { Plan } from "../plan";
import { countOf, type Row } from "../rows";
import { shortNumel } from "../words";
import { bytesText } from "./amounts";
import type { Execution } from "./execution";
import { membersOf, stepOf } from "./members";
import { wholePlan } from "./plan";
import type { Value } from "./sorting";
import { progression, steps } from "./words";

export const FIRST_HIDDEN = ["own", "bytes", "exec"];

/** What was measured, for the columns that read it. */
export class Measured {
  execution: Execution = new Map();
  #before: Float64Array | null = null; // bytes of all modules before each one, in pre-order
  readonly columns: readonly Column[] = [
    { key: "own", label: "own", title: "Elements of the module's direct parameters", text: ({ tree }, { node }) => positive(tree.own[tree.cls[node]], shortNumel) },
    SUBTREE,
    { key: "bytes", label: "B/rank", title: "Parameter bytes of the subtree on rank 0 between steps, as Costs is set", text: ({ tree }, { node }) => this.#bytesOf(tree, node) },
    UNIT,
    { key: "dfs", label: "#", title: "Place in the pre-order (DFS); k counts the modules of a ×n row", text: (_, row) => `#${stepOf(row) < 0 ? `${row.node}…` : steps(row.node, stepOf(row))}` },
    { key: "handle", label: "H", title: "Place of the unit's handle in get_handles(root)", text: (outline, row) => placesOf(outline, row, "handle") },
    { key: "init_c", label: "I₁", title: "When its handle is made by fully_shard (composable path)", text: (outline, row) => placesOf(outline, row, "init_c") },
    { key: "init_w", label: "I₂", title: "When its handle is made by FullyShardedDataParallel (wrapper path)", text: (outline, row) => placesOf(outline, row, "init_w") },
    { key: "exec", label: "X", title: "When the last run unsharded it: → forward, ← backward, counted through the step",
      text: ({ tree, plan }, row) => executed(wholePlan(tree, plan).unitAt, row, this.execution) },
  ];

  /** What the rows of a column are sorted by. */
  valueOf(key: string): Value {
    if (key === "bytes") return ({ tree }, { node }) => (this.#before ? this.#before[tree.end[node]] - this.#before[node] : -1) || -1;
    if (key === "exec") return ({ tree, plan }, { node }) => placeIn(this.execution.get(wholePlan(tree, plan).unitAt.get(node)?.fqns[0] ?? "\0"));
    return VALUES[key] ?? (() => -1);
  }

  /** Bytes that each module's own parameters take on rank 0; null: not known. */
  measure(size: number, nbytes: ((node: number) => number) | null): void {
    this.#before = nbytes && new Float64Array(size + 1);
    for (let at = 0; this.#before && at < size; at++) this.#before[at + 1] = this.#before[at] + nbytes!(at);
  }

  #bytesOf({ end }: Tree, node: number): string {
    const before = this.#before;
    return before ? positive(before[end[node]] - before[node], bytesText) : "";
  }
}

const place = (key: "handle" | "init_c" | "init_w"): Value => ({ tree, plan }, { node }) => wholePlan(tree, plan).unitAt.get(node)?.[key] ?? -1;

const VALUES: Record<string, Value> = {
  own: ({ tree }, { node }) => tree.own[tree.cls[node]] || -1,
  total: ({ tree }, { node }) => tree.total[tree.cls[node]] || -1,
  unit: ({ plan }, { node }) => plan.unitOf[node],
  dfs: (_, { node }) => node,
  handle: place("handle"),
  init_c: place("init_c"),
  init_w: place("init_w"),
};

/** When it was gathered first: in the forward pass, or else in the backward one. */
const placeIn = (ran?: { forward: number[]; backward: number[] }) => ran?.forward[0] ?? ran?.backward[0] ?? -1;

const positive = (value: number, text: (value: number) => string) => (value > 0 ? text(value) : "");

const known = new WeakMap<Plan, Map<string, string>>();

/** Only first modules of units have places; thousands of them in one row are looked through once a plan. */
function placesOf({ tree, plan }: Outline, row: Row, key: "handle" | "init_c" | "init_w"): string {
  const { unitAt } = wholePlan(tree, plan);
  if (!unitAt.has(row.node)) return "";
  const texts = known.get(plan) ?? new Map<string, string>();
  known.set(plan, texts);
  const name = `${key} ${row.node} ${countOf(row)}`;
  const text = texts.get(name) ?? progression(membersOf(row).map((index) => unitAt.get(index)?.[key] ?? -1));
  texts.set(name, text);
  return text;
}

/** `→3,9 ←12`; of a folded row the progression of the first places. */
export function executed(unitAt: ReadonlyMap<number, { fqns: string[] }>, row: Row, execution: Execution): string {
  if (execution.size === 0 || !unitAt.has(row.node)) return "";
  const members = membersOf(row).map((index) => execution.get(unitAt.get(index)?.fqns[0] ?? "\0"));
  const said = (arrow: string, way: "forward" | "backward") => {
    const text = members.length === 1 ? (members[0]?.[way].join(",") ?? "") : progression(members.map((each) => each?.[way][0] ?? -1));
    return text && arrow + text;
  };
  return [said("→", "forward"), said("←", "backward")].filter(Boolean).join(" ");
}

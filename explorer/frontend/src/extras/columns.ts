// The columns that need more than tree and plan, and all of them in their order: own parameters, bytes on a rank, and when
// the last run unsharded a unit.
import { COLUMNS, positive, type Column } from "../columns";
import type { Tree } from "../payload";
import { membersOf, type Row } from "../rows";
import { progression, shortNumel } from "../words";
import { bytesText } from "./amounts";
import type { Execution } from "./execution";
import { wholePlan } from "./plan";

export const FIRST_HIDDEN = ["own", "bytes", "exec"];

/** What was measured, for the columns that read it. */
export class Measured {
  execution: Execution = new Map();
  #before: Float64Array | null = null; // bytes of all modules before each one, in pre-order
  readonly columns: readonly Column[] = [
    { key: "own", label: "own", title: "Elements of the module's direct parameters", text: ({ tree }, { node }) => positive(tree.own[tree.cls[node]], shortNumel) },
    COLUMNS[0],
    { key: "bytes", label: "B/rank", title: "Parameter bytes of the subtree on rank 0 between steps, as Costs is set", text: ({ tree }, { node }) => this.#bytesOf(tree, node) },
    ...COLUMNS.slice(1),
    { key: "exec", label: "X", title: "When the last run unsharded it: → forward, ← backward, counted through the step",
      text: ({ tree, plan }, row) => executed(wholePlan(tree, plan).unitAt, row, this.execution) },
  ];

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

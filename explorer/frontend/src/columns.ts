// The columns at the right of the tree, and what a row says in each. A folded row says an arithmetic progression of its
// members' numbers, `13+13k`, or its least number and `…` where they are irregular.
import type { Execution } from "./extras/execution";
import type { Tree } from "./payload";
import type { Plan } from "./plan";
import { countOf, membersOf, stepOf, type Row } from "./rows";
import { progression, shortNbytes, shortNumel, steps, unitText } from "./words";

export interface Column {
  key: string;
  label: string;
  title: string;
}

const column = (key: string, label: string, title: string): Column => ({ key, label, title });

export const COLUMNS: readonly Column[] = [
  column("own", "own", "Elements of the module's direct parameters"),
  column("total", "subtree", "Elements of the subtree, each tensor once; of each one of a ×n row"),
  column("bytes", "B/rank", "Parameter bytes of the subtree on rank 0 between steps, as Costs is set"),
  column("unit", "unit", "The unit that owns the parameters"),
  column("dfs", "#", "Place in the pre-order (DFS); k counts the modules of a ×n row"),
  column("handle", "H", "Place of the unit's handle in get_handles(root)"),
  column("init_c", "I₁", "When its handle is made by fully_shard (composable path)"),
  column("init_w", "I₂", "When its handle is made by FullyShardedDataParallel (wrapper path)"),
  column("exec", "X", "When the last run unsharded it: → forward, ← backward, counted through the step"),
];

export const FIRST_HIDDEN = ["own", "bytes", "exec"];

/** What the columns read beside tree and plan. */
export interface Measured {
  execution: Execution;
  bytes: Float64Array | null; // sum over all modules before each one, in pre-order
}

type Place = "handle" | "init_c" | "init_w";

const SAYS: Record<string, (tree: Tree, plan: Plan, row: Row, measured: Measured) => string> = {
  own: (tree, _, { node }) => positive(tree.own[tree.cls[node]], shortNumel),
  total: (tree, _, { node }) => positive(tree.total[tree.cls[node]], shortNumel),
  bytes: (tree, _, { node }, { bytes }) => (bytes ? positive(bytes[tree.end[node]] - bytes[node], shortNbytes) : ""),
  unit: (_, plan, row) => unitText(plan, row),
  dfs: (_, __, row) => `#${stepOf(row) < 0 ? `${row.node}…` : steps(row.node, stepOf(row))}`,
  handle: (_, plan, row) => places(plan, row, "handle"),
  init_c: (_, plan, row) => places(plan, row, "init_c"),
  init_w: (_, plan, row) => places(plan, row, "init_w"),
  exec: (_, plan, row, { execution }) => executed(plan, row, execution),
};

export const columnText = (key: string, tree: Tree, plan: Plan, row: Row, measured: Measured) => SAYS[key](tree, plan, row, measured);

const positive = (value: number, text: (value: number) => string) => (value > 0 ? text(value) : "");

const known = new WeakMap<Plan, Map<string, string>>();

/** Only first modules of units have places; thousands of them in one row are looked through once a plan. */
function places(plan: Plan, row: Row, key: Place): string {
  if (!plan.unitAt.has(row.node)) return "";
  const texts = known.get(plan) ?? new Map<string, string>();
  known.set(plan, texts);
  const name = `${key} ${row.node} ${countOf(row)}`;
  const text = texts.get(name) ?? progression(membersOf(row).map((index) => plan.unitAt.get(index)?.[key] ?? -1));
  texts.set(name, text);
  return text;
}

/** `→3,9 ←12`; of a folded row the progression of the first places. */
function executed(plan: Plan, row: Row, execution: Execution): string {
  if (execution.size === 0 || !plan.unitAt.has(row.node)) return "";
  const members = membersOf(row).map((index) => execution.get(plan.unitAt.get(index)?.fqns[0] ?? "\0"));
  const said = (arrow: string, way: "forward" | "backward") => {
    const text = members.length === 1 ? (members[0]?.[way].join(",") ?? "") : progression(members.map((each) => each?.[way][0] ?? -1));
    return text && arrow + text;
  };
  return [said("→", "forward"), said("←", "backward")].filter(Boolean).join(" ");
}

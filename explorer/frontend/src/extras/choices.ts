// The orders that can be compared, each as module indices: those of the plan, the walks of `modules()`, and what a run did.
import { find, type Tree } from "../payload";
import type { Plan } from "./plan";
import type { RunState } from "./run";
import { walk } from "./walk";

export interface OrderChoice {
  key: string;
  sign: string; // in headings: I₁
  label: string;
}

export const CHOICES: OrderChoice[] = [
  { key: "init_composable", sign: "I₁", label: "I₁ composable init" },
  { key: "init_wrapper", sign: "I₂", label: "I₂ wrapper init" },
  { key: "handles", sign: "H", label: "H get_handles" },
  { key: "forward", sign: "X→", label: "X→ gathered in the forward pass" },
  { key: "backward", sign: "X←", label: "X← gathered in the backward pass" },
  { key: "modules", sign: "#", label: "# modules(), left to right" },
  { key: "rightToLeft", sign: "#R", label: "#R right to left" },
];

/** What rank 0 did: `F` forward or `B` backward, `U` for an unshard, the unit's name, bytes. */
type RunEvent = [pass: string, kind: string, fqn: string, nbytes: number];

export const choiceOf = (key: string): OrderChoice => CHOICES.find((choice) => choice.key === key)!;

/** Local roots whose handles the walk from the root does not reach: they have orders of their own. */
export const localRoots = (plan: Plan): string[] =>
  Object.keys(plan.state.orders).filter((name) => name.startsWith("handles:")).map((name) => name.slice("handles:".length));

/** The modules of an order; empty when there is none, as before the first run. `root` is a local root, "" the model's. */
export function orderOf(key: string, tree: Tree, plan: Plan, run: RunState, root = ""): number[] {
  if (key === "modules" || key === "rightToLeft") return whole(tree, key);
  const indexOf = new Map(plan.state.units.map((unit) => [unit.fqns[0], unit.index]));
  const node = (fqn: string) => indexOf.get(fqn) ?? find(tree, fqn);
  if (key === "forward" || key === "backward") return executed(run, key === "forward" ? "F" : "B").map(node).filter((index) => index >= 0);
  return (plan.state.orders[root ? `${key}:${root}` : key] ?? []).map(node);
}

function whole(tree: Tree, kind: "modules" | "rightToLeft"): number[] {
  const ground = { tree, handles: new Set<number>(), barred: new Set<number>(), starts: [0] };
  return [...walk(ground, kind)].filter((step) => step.produces).map((step) => step.node);
}

/** Units in the order of their first gathering in that pass of the first step; several gatherings count once. */
function executed(run: RunState, phase: string): string[] {
  const { events = [] } = run as { events?: RunEvent[] };
  const gathered = events.filter(([at, kind]) => at === phase && kind === "U").map(([, , fqn]) => fqn);
  return [...new Set(gathered)];
}

// What a player says: the step about to be done as a sentence, modules by short names, the walks by theirs. No DOM.
import type { Plan } from "./plan";
import { STATUSES } from "../plan";
import type { Tree } from "../payload";
import { ACTS, edgesOf, type Ground, type Recording, type WalkKind } from "./walk";

export interface WalkWords {
  kind: WalkKind;
  label: string;
  about: string;
  made: string; // heading of what it produces
}

export const WALKS: WalkWords[] = [
  { kind: "composable", label: "I₁ composable init", about: "fully_shard(policy): lists the handles left to right, then makes them from the end of that list.", made: "Handles made" },
  { kind: "wrapper", label: "I₂ wrapper init", about: "FullyShardedDataParallel(policy): a handle is made once all children are done (post-order).", made: "Handles made" },
  { kind: "handles", label: "H get_handles", about: "Lists the handles left to right, parents first; a replicated module is not entered.", made: "Handles listed" },
  { kind: "modules", label: "# modules()", about: "Every module once, left to right, parents first.", made: "Modules met" },
  { kind: "rightToLeft", label: "right to left", about: "Children from the right, for contrast: nothing runs in this order.", made: "Modules met" },
];

export const wordsOf = (kind: WalkKind): WalkWords => WALKS.find((words) => words.kind === kind)!;

/** What a walk over the plan's modules needs to know: where handles are, what is not entered. */
export function groundOf(tree: Tree, plan: Plan, starts: readonly number[]): Ground {
  const handles = new Set(plan.state.units.filter((unit) => unit.handle !== null).map((unit) => unit.index));
  const replicated = STATUSES.indexOf("R");
  const barred = new Set<number>();
  plan.status.forEach((status, node) => status === replicated && barred.add(node));
  return { tree, handles, barred, starts };
}

const CLIMB = 5; // names above a module that still help to find it

/** The end of an FQN: chains are 10,000 deep, and nobody reads that. */
export function shortName(tree: Tree, node: number): string {
  if (node === 0) return "(root)";
  const parts: string[] = [];
  let at = node;
  for (; at > 0 && parts.length < CLIMB; at = tree.parent[at]) parts.push(tree.names[at]);
  return (at > 0 ? "…" : "") + parts.reverse().join(".");
}

/** The step that comes next, or what the finished walk has made. */
export function sentence(ground: Ground, recording: Recording, step: number): string {
  const { tree, handles } = ground;
  const made = recording.produced.length.toLocaleString("en");
  if (step >= recording.steps) return `Done: ${wordsOf(recording.kind).made.toLowerCase()}, ${made} in all.`;
  const node = recording.node[step];
  const name = shortName(tree, node);
  const joins = handles.has(node);
  switch (ACTS[recording.act[step]]) {
    case "again": return `${name} was met before, by another path: nothing to do.`;
    case "barred": return `${name} is replicated: not entered, nothing below it is listed.`;
    case "leave": return joins ? `All children of ${name} are done: its handle is made.` : `All children of ${name} are done; it has no handle.`;
    case "take": return `${name} is the last of the list: its handle is made.`;
    default: return `Visit ${name} (${tree.classes[tree.cls[node]][0]})${listing(recording.kind, joins)}; ${stacking(edgesOf(tree, node).length)}.`;
  }
}

function listing(kind: WalkKind, joins: boolean): string {
  if (kind === "modules" || kind === "rightToLeft") return ", and list it";
  if (kind === "wrapper") return joins ? ": it has a handle, to be made when its children are done" : ", without a handle";
  return joins ? ", and list its handle" : ", without a handle";
}

function stacking(children: number): string {
  if (children === 0) return "it has no children";
  return children === 1 ? "its child goes on the stack" : `its ${children.toLocaleString("en")} children go on the stack`;
}

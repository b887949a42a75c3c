// The walks over a model, one step at a time: what each step looks at, what the stack holds, what has been produced.
//
// A walk is a generator of steps. `recordWalk` runs it to its end and keeps it so that any moment can be shown again
// at the price of the few lines drawn: the stack is a linked list that is only ever added to, so the stack of step t
// is one number, and scrubbing back is as cheap as stepping on. Nothing recurses: chains of 10,000 modules are real.
import type { Tree } from "../payload";

export type WalkKind = "modules" | "rightToLeft" | "handles" | "composable" | "wrapper";

/** What a step does with the module on top of the stack. */
export type Act =
  | "visit" // met for the first time: its children go on the stack
  | "again" // met before, by another path: nothing happens
  | "barred" // a replicated module: not entered, contributes nothing
  | "leave" // all its children are done (post-order only)
  | "take"; // taken from the end of the list of handles (composable initialisation only)

export const ACTS: Act[] = ["visit", "again", "barred", "leave", "take"];

export interface Ground {
  tree: Tree;
  handles: ReadonlySet<number>; // modules whose unit has a handle: the first module of each such unit
  barred: ReadonlySet<number>; // modules under `replicate`, by their topmost module
  starts: readonly number[]; // where the walk begins
}

export interface Step {
  node: number;
  act: Act;
  produces: boolean; // the module joins the produced list
  finds: boolean; // the module joins the list that is reversed later
  pushed: number[]; // what goes on the stack, the last one on top; in post-order the module itself lies below, as ~node
}

const NONE: number[] = [];

/** The steps of a walk, each made when it is asked for. */
export function* walk(ground: Ground, kind: WalkKind): Generator<Step, void, undefined> {
  const found: number[] = [];
  const met = new Uint8Array(ground.tree.size);
  for (const start of ground.starts) {
    const stack = [start];
    while (stack.length > 0) {
      const step = stepOf(ground, kind, met, stack.pop()!);
      for (const node of step.pushed) stack.push(node);
      if (step.finds) found.push(step.node);
      yield step;
    }
  }
  while (found.length > 0) yield { node: found.pop()!, act: "take", produces: true, finds: false, pushed: NONE };
}

function stepOf(ground: Ground, kind: WalkKind, met: Uint8Array, top: number): Step {
  const still = { produces: false, finds: false, pushed: NONE };
  if (top < 0) return { ...still, node: ~top, act: "leave", produces: ground.handles.has(~top) };
  if (met[top]) return { ...still, node: top, act: "again" };
  const whole = kind === "modules" || kind === "rightToLeft";
  if (!whole && ground.barred.has(top)) return { ...still, node: top, act: "barred" };
  met[top] = 1;
  const kids = edgesOf(ground.tree, top);
  if (kind !== "rightToLeft") kids.reverse();
  if (kind === "wrapper") return { ...still, node: top, act: "visit", pushed: [~top, ...kids] };
  const handle = ground.handles.has(top);
  return { node: top, act: "visit", produces: whole || (kind === "handles" && handle), finds: kind === "composable" && handle, pushed: kids };
}

/** What a module holds, in order of registration: its children, and the modules listed elsewhere that it shares. */
export function edgesOf(tree: Tree, node: number): number[] {
  const edges: number[] = [];
  for (let kid = node + 1; kid < tree.end[node]; kid = tree.end[kid]) edges.push(kid);
  const shared = (tree.refsOf.get(node) ?? NONE).filter((ref) => tree.refs[ref][3] === "shared");
  for (const ref of shared) edges.splice(placeOf(tree, ref, edges.length), 0, tree.refs[ref][2]);
  return edges;
}

/** A reference that stands before a child says where; without a place it comes last. */
function placeOf(tree: Tree, ref: number, last: number): number {
  return Math.min(last, tree.refs[ref][4] ?? last);
}

/** A walk that has been run: one number a step and fact, and the stack as a list that was only added to. */
export interface Recording {
  readonly kind: WalkKind;
  readonly steps: number;
  readonly node: Int32Array; // by step
  readonly act: Uint8Array; // by step: position in ACTS
  readonly top: Int32Array; // by step, before it: the entry on top of the stack, -1 when it is empty; one more for the end
  readonly depth: Int32Array; // by step, before it: entries on the stack
  readonly done: Int32Array; // by step, before it: how much of `produced` exists
  readonly listed: Int32Array; // by step, before it: how much of `found` exists
  readonly entry: Int32Array; // by entry: the module, or ~module while its children are being done
  readonly below: Int32Array; // by entry: the entry under it, -1 at the bottom
  readonly produced: Int32Array;
  readonly found: Int32Array; // the list that composable initialisation takes from its end; empty for the other walks
  readonly reversing: number; // the step at which the list found so far is taken from its end; `steps` if never
}

export function recordWalk(ground: Ground, kind: WalkKind): Recording {
  const recorder = new Recorder(kind);
  const starts = [...ground.starts].reverse();
  recorder.begin(starts.pop());
  for (const step of walk(ground, kind)) {
    recorder.take(step);
    if (recorder.idle) recorder.begin(starts.pop());
  }
  return recorder.end();
}

/** The upper end of the stack before a step, top first; negative entries are modules waiting for their children. */
export function stackAt(recording: Recording, step: number, most: number): number[] {
  const entries: number[] = [];
  for (let at = recording.top[step]; at >= 0 && entries.length < most; at = recording.below[at]) entries.push(recording.entry[at]);
  return entries;
}

/** Follows a walk and writes down, before each step, where the stack and the lists stand. */
class Recorder {
  private node = new Ints();
  private act = new Ints();
  private top = new Ints();
  private depth = new Ints();
  private done = new Ints();
  private listed = new Ints();
  private produced = new Ints();
  private found = new Ints();
  private stack = new Entries();
  private reversing = -1;

  constructor(private kind: WalkKind) {}

  get idle(): boolean {
    return this.stack.depth === 0;
  }

  begin(start: number | undefined): void {
    if (start !== undefined) this.stack.push(start);
  }

  take(step: Step): void {
    if (step.act === "take" && this.reversing < 0) this.reverse();
    this.mark();
    this.node.push(step.node);
    this.act.push(ACTS.indexOf(step.act));
    this.stack.pop();
    for (const entry of step.pushed) this.stack.push(entry);
    if (step.finds) this.found.push(step.node);
    if (step.produces) this.produced.push(step.node);
  }

  end(): Recording {
    this.mark();
    const steps = this.node.size;
    return {
      kind: this.kind, steps, reversing: this.reversing < 0 ? steps : this.reversing,
      node: this.node.array(), act: Uint8Array.from(this.act.array()), top: this.top.array(), depth: this.depth.array(),
      done: this.done.array(), listed: this.listed.array(), entry: this.stack.entry.array(), below: this.stack.below.array(),
      produced: this.produced.array(), found: this.found.array(),
    };
  }

  /** The walk is over: from here on the list found is the stack. */
  private reverse(): void {
    this.reversing = this.node.size;
    for (let at = 0; at < this.found.size; at++) this.stack.push(this.found.at(at));
  }

  private mark(): void {
    this.top.push(this.stack.top);
    this.depth.push(this.stack.depth);
    this.done.push(this.produced.size);
    this.listed.push(this.found.size);
  }
}

/** A stack whose past stays readable: pushing adds an entry that points at the one under it. */
class Entries {
  readonly entry = new Ints();
  readonly below = new Ints();
  top = -1;
  depth = 0;

  push(value: number): void {
    this.entry.push(value);
    this.below.push(this.top);
    this.top = this.entry.size - 1;
    this.depth++;
  }

  pop(): void {
    this.top = this.below.at(this.top);
    this.depth--;
  }
}

/** A growing list of integers: a walk over a million modules has no room for boxed ones. */
class Ints {
  size = 0;
  private values = new Int32Array(256);

  push(value: number): void {
    if (this.size === this.values.length) {
      const wider = new Int32Array(2 * this.size);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.size++] = value;
  }

  at = (place: number) => this.values[place];
  array = () => this.values.slice(0, this.size);
}

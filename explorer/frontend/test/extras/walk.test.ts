import { describe, expect, it } from "vitest";
import { edgesOf, recordWalk, stackAt, walk, type Ground, type WalkKind } from "../../src/extras/walk";
import { materialise, type Kid, type ModuleClass, type Reference, type Tree, type TreePayload } from "../../src/payload";

const KINDS: WalkKind[] = ["modules", "rightToLeft", "handles", "composable", "wrapper"];

/** `mod: submod1, submod2(subsubmod)`, the model whose orders everybody argues about; every module is a unit. */
function table(): Ground {
  const leaf: ModuleClass = ["Leaf", [], []];
  const classes: ModuleClass[] = [leaf, ["Inner", [], [["subsubmod", null, 0]]], ["Mod", [], [["submod1", null, 0], ["submod2", null, 1]]]];
  const tree = materialise({ v: 1, name: "Mod", classes, root: 2, refs: [], ties: [] });
  return { tree, handles: new Set([0, 1, 2, 3]), barred: new Set(), starts: [0] };
}

const lastName = (tree: Tree, node: number) => (node === 0 ? "mod" : tree.names[node]);
const produced = (ground: Ground, kind: WalkKind) =>
  [...walk(ground, kind)].filter((step) => step.produces).map((step) => lastName(ground.tree, step.node)).join(" ");

describe("orders of the walks, on the model of the table", () => {
  it("left to right: modules() and get_handles() are the same pre-order", () => {
    expect(produced(table(), "modules")).toBe("mod submod1 submod2 subsubmod");
    expect(produced(table(), "handles")).toBe("mod submod1 submod2 subsubmod");
  });

  it("right to left, for contrast", () => {
    expect(produced(table(), "rightToLeft")).toBe("mod submod2 subsubmod submod1");
  });

  it("composable initialisation is the pre-order reversed, the wrapper's the post-order", () => {
    expect(produced(table(), "composable")).toBe("subsubmod submod2 submod1 mod");
    expect(produced(table(), "wrapper")).toBe("submod1 subsubmod submod2 mod");
  });

  it("a replicated module is not entered and contributes nothing; modules() passes through it all the same", () => {
    const ground = { ...table(), barred: new Set([2]) };
    expect(produced(ground, "handles")).toBe("mod submod1");
    expect(produced(ground, "composable")).toBe("submod1 mod");
    expect(produced(ground, "wrapper")).toBe("submod1 mod");
    expect(produced(ground, "modules")).toBe("mod submod1 submod2 subsubmod");
  });

  it("modules without a handle are passed, not produced; a walk may start inside a barred subtree", () => {
    expect(produced({ ...table(), handles: new Set([0, 3]) }, "wrapper")).toBe("subsubmod mod");
    expect(produced({ ...table(), barred: new Set([1]), starts: [2] }, "handles")).toBe("submod2 subsubmod");
    expect(produced({ ...table(), starts: [2, 1] }, "wrapper")).toBe("subsubmod submod2 submod1");
  });
});

describe("shared modules", () => {
  const shared = (refs: Reference[]) => ({ ...table(), tree: materialise({ ...payloadOf(table().tree), refs }) });

  it("are met once, by the path that comes first, and passed the second time", () => {
    const ground = shared([[0, "again", 1, "shared"]]);
    expect(edgesOf(ground.tree, 0)).toEqual([1, 2, 1]);
    expect([...walk(ground, "handles")].map(({ node, act }) => `${node} ${act}`)).toEqual(["0 visit", "1 visit", "2 visit", "3 visit", "1 again"]);
    expect(produced(ground, "rightToLeft")).toBe("mod submod1 submod2 subsubmod");
  });

  it("are reached by the second path when the first one is barred", () => {
    expect(produced({ ...shared([[0, "again", 3, "shared"]]), barred: new Set([2]) }, "handles")).toBe("mod submod1 subsubmod");
  });

  it("stand among their siblings where the payload says so", () => {
    const placed = shared([[0, "again", 3, "shared", 0]]);
    expect(edgesOf(placed.tree, 0)).toEqual([3, 1, 2]);
  });

  it("back references are not followed", () => {
    expect(produced(shared([[3, "parent", 0, "back"]]), "wrapper")).toBe("submod1 subsubmod submod2 mod");
  });
});

describe("against a naive recursion, on random trees", () => {
  it.each(KINDS)("%s", (kind) => {
    for (let seed = 1; seed <= 120; seed++) {
      const ground = randomGround(seed);
      const steps = [...walk(ground, kind)].filter((step) => step.produces).map((step) => step.node);
      expect(steps, `seed ${seed}`).toEqual(naive(ground, kind));
    }
  });

  it("a recording shows at every step the stack and the lists that the walk had then", () => {
    for (let seed = 1; seed <= 40; seed++) {
      for (const kind of KINDS) checkRecording(randomGround(seed), kind);
    }
  });
});

it("a chain of 10,000 modules and a list of 75,000 are walked without recursion", () => {
  const chain: ModuleClass[] = Array.from({ length: 10_000 }, (_, at) => ["Link", [], at ? [["next", null, at - 1] as Kid] : []]);
  const deep = materialise({ v: 1, name: "Chain", classes: chain, root: 9_999, refs: [], ties: [] });
  expect(recordWalk({ tree: deep, handles: new Set([0, 9_999]), barred: new Set(), starts: [0] }, "wrapper").produced).toEqual(Int32Array.of(9_999, 0));
  const wide = materialise({ v: 1, name: "Wide", classes: [["Leaf", [], []], ["Wide", [], [["0", "74999", 0]]]], root: 1, refs: [], ties: [] });
  const recording = recordWalk({ tree: wide, handles: new Set(), barred: new Set(), starts: [0] }, "modules");
  expect(recording.produced.length).toBe(75_001);
  expect([recording.depth[1], stackAt(recording, 1, 3)]).toEqual([75_000, [1, 2, 3]]);
});

/** Replays a walk with a stack of its own and compares what the recording shows before each step. */
function checkRecording(ground: Ground, kind: WalkKind): void {
  const recording = recordWalk(ground, kind);
  const stack: number[] = [ground.starts[0]];
  const found: number[] = [];
  const done: number[] = [];
  let at = 0;
  for (const step of walk(ground, kind)) {
    if (step.act === "take" && stack.length === 0 && recording.reversing === at) stack.push(...found);
    expect(stackAt(recording, at, 8)).toEqual(stack.slice(-8).reverse());
    expect([recording.depth[at], recording.done[at], recording.listed[at]]).toEqual([stack.length, done.length, found.length]);
    expect(Math.max(stack[stack.length - 1], ~stack[stack.length - 1])).toBe(step.node);
    stack.pop();
    stack.push(...step.pushed);
    if (step.finds) found.push(step.node);
    if (step.produces) done.push(step.node);
    at++;
  }
  expect([recording.steps, recording.top[at], recording.done[at]]).toEqual([at, -1, done.length]);
  expect([...recording.produced]).toEqual(done);
  expect([...recording.found]).toEqual(found);
}

/** The orders as a textbook would write them. */
function naive({ tree, handles, barred, starts }: Ground, kind: WalkKind): number[] {
  const whole = kind === "modules" || kind === "rightToLeft";
  const before: number[] = [];
  const after: number[] = [];
  const met = new Set<number>();
  const enter = (node: number) => {
    if (met.has(node) || (!whole && barred.has(node))) return;
    met.add(node);
    before.push(node);
    const kids = [...tree.names.keys()].filter((kid) => tree.parent[kid] === node);
    for (const [parent, , target, how] of tree.refs) if (parent === node && how === "shared") kids.push(target);
    if (kind === "rightToLeft") kids.reverse();
    kids.forEach(enter);
    after.push(node);
  };
  starts.forEach(enter);
  if (whole) return before;
  const order = kind === "wrapper" ? after : before;
  const listed = order.filter((node) => handles.has(node));
  return kind === "composable" ? listed.reverse() : listed;
}

function payloadOf(tree: Tree): TreePayload {
  return { v: 1, name: tree.title, classes: tree.classes, root: tree.cls[0], refs: tree.refs, ties: [] };
}

function randomGround(seed: number): Ground {
  const random = generator(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const classes: ModuleClass[] = [["Leaf", [], []]];
  for (let at = 1; at < 5; at++) {
    const kids = Array.from({ length: pick(4) + 1 }, (_, nth): Kid => (random() < 0.2 ? [`${10 * nth}`, `${10 * nth + 1 + pick(2)}`, pick(at)] : [`k${nth}`, null, pick(at)]));
    classes.push([`C${at}`, [], kids]);
  }
  const bare = materialise({ v: 1, name: "Random", classes, root: 4, refs: [], ties: [] });
  const refs: Reference[] = [];
  for (let nth = pick(4); nth > 0; nth--) {
    const [parent, target] = [pick(bare.size), pick(bare.size)];
    if (target < parent && bare.end[target] <= parent) refs.push([parent, `r${nth}`, target, "shared"]);
  }
  const tree = materialise({ v: 1, name: "Random", classes, root: 4, refs, ties: [] });
  const some = (share: number) => new Set([...tree.names.keys()].filter((node) => node > 0 && random() < share));
  return { tree, handles: new Set([0, ...some(0.5)]), barred: some(0.1), starts: [0] };
}

/** A small generator of reproducible numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

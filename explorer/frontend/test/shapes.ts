// Small payloads for the tests, and the plan states over them.
import type { ModuleClass, TreePayload } from "../src/payload";
import type { PlanState, Unit } from "../src/plan";

const LINEAR: ModuleClass = ["Linear", [["weight", [4, 3], "float32", ""], ["bias", [4], "float32", ""]], []];
const BLOCK: ModuleClass = ["Block", [], [["a", null, 0], ["b", null, 0]]];

/** GPT-like: wte, a list of blocks of two Linears, a head tied to wte. Indices: 0, wte 1, h 2, blocks 3 + 3k, head. */
export function stack(blocks: number): TreePayload {
  return {
    v: 1,
    name: "Stack",
    classes: [
      LINEAR,
      BLOCK,
      ["Embedding", [["weight", [10, 3], "float32", "t"], ["cache", [99], "float32", "b"]], []],
      ["ModuleList", [], [["0", String(blocks - 1), 1]]],
      ["Linear", [["weight", [10, 3], "float32", "s"]], []],
      ["Stack", [], [["wte", null, 2], ["h", null, 3], ["head", null, 4]]],
    ],
    root: 5,
    refs: [],
    ties: [["wte.weight", "head.weight"]],
  };
}

export function planState(changes: Partial<PlanState> = {}): PlanState {
  return {
    v: 1, rev: 1, status: [], units: [], unit_of: [], orders: {}, conflicts: [], findings: [],
    totals: {}, code: "", last: "", undo: false, redo: false, ...changes,
  };
}

export function unit(n: number, index: number, changes: Partial<Unit> = {}): Unit {
  return {
    n, index, fqns: [String(index)], nparams: 4, numel: 32, is_root: false, local_root: "", within: null,
    handle: n, init_c: n, init_w: n, strategy: "full_shard", ...changes,
  };
}

/** Every block of `stack` its own unit, under a root unit. */
export function unitPerBlock(blocks: number): PlanState {
  const end = 3 + 3 * blocks;
  const numbers = Array.from({ length: blocks }, (_, k) => k);
  return planState({
    status: [[0, 1, 1, "F"], [1, 3, 1, "f"], [3, end, 3, "F"], [4, end, 3, "f"], [5, end, 3, "f"], [end, end + 1, 1, "f"]],
    units: [unit(0, 0, { is_root: true }), ...numbers.map((k) => unit(k + 1, 3 + 3 * k))],
    unit_of: [[0, 3, 1, 0], ...numbers.map((k): [number, number, number, number] => [3 + 3 * k, 6 + 3 * k, 1, k + 1]), [end, end + 1, 1, 0]],
    orders: { handles: ["", ...numbers.map((k) => `h.${k}`)], init_composable: [""], init_wrapper: ["h.0"] },
  });
}

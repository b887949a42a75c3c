// Small payloads for the tests, and the plan states over them.
import type { ModuleClass, TreePayload } from "../src/payload";
import type { Plan, PlanState as Known, Remark, Unit } from "../src/extras/plan";
import { STATUSES, type PlanPayload } from "../src/plan";

/** A plan written out, easier to write down than its payload: status and unit by runs of [start, end, step, value]. */
export interface PlanState extends Known {
  status: [start: number, end: number, step: number, letter: string][];
  unit_of: [start: number, end: number, step: number, unit: number][];
}

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
    v: 2, rev: 1, status: [], units: [], unit_of: [], orders: {}, conflicts: [], findings: [],
    totals: {}, code: "", last: "", undo: false, redo: false, ...changes,
  };
}

export function unit(n: number, index: number, changes: Partial<Unit> = {}): Unit {
  return {
    n, index, fqns: [String(index)], nparams: 4, numel: 32, is_root: false, local_root: 0, apart: 0, within: null,
    handle: n, init_c: n, init_w: n, strategy: "full_shard", options: {}, ...changes,
  };
}

/** Every block of `stack` its own unit, under a root unit. */
export function unitPerBlock(blocks: number): PlanState {
  const end = 3 + 3 * blocks;
  const numbers = Array.from({ length: blocks }, (_, k) => k);
  return planState({
    status: [[0, 1, 1, "F"], [1, 3, 1, "f"], [3, end, 3, "F"], [4, end, 3, "f"], [5, end, 3, "f"], [end, end + 1, 1, "f"]],
    units: [
      unit(0, 0, { is_root: true, init_c: blocks, init_w: blocks }),
      ...numbers.map((k) => unit(k + 1, 3 + 3 * k, { init_c: blocks - 1 - k, init_w: k })),
    ],
    unit_of: [[0, 3, 1, 0], ...numbers.map((k): [number, number, number, number] => [3 + 3 * k, 6 + 3 * k, 1, k + 1]), [end, end + 1, 1, 0]],
    orders: { handles: ["", ...numbers.map((k) => `h.${k}`)], init_composable: [""], init_wrapper: ["h.0"] },
  });
}

const SEVERITIES = ["", "info", "warn", "error"];

/** The plan that those runs mean. */
export function decodePlan(state: PlanState, size: number): Plan {
  const status = new Uint8Array(size);
  const unitOf = new Int32Array(size).fill(-1);
  const head = unitOf.slice();
  const alarm = new Uint8Array(size);
  for (const [start, end, step, letter] of state.status) for (let at = start; at < end; at += step) status[at] = STATUSES.indexOf(letter);
  for (const [start, end, step, n] of state.unit_of) {
    for (let at = start; at < end; at += step) [unitOf[at], head[at]] = [n, state.units.find((each) => each.n === n)?.index ?? -1];
  }
  const raise = ({ indices }: Remark, level: number) => indices.forEach((at) => (alarm[at] = Math.max(alarm[at], level)));
  for (const finding of state.findings) raise(finding, Math.max(1, SEVERITIES.indexOf(finding.severity ?? "warn")));
  for (const conflict of state.conflicts) raise(conflict, 3);
  const made = state.units.map(({ strategy, options, nparams }) => JSON.stringify([strategy, options, nparams]));
  const payload = { rev: state.rev, totals: state.totals } as PlanPayload;
  const unitAt = new Map(state.units.map((each) => [each.index, each]));
  const members = new Map(state.units.map(({ index }) => [index, [index]]));
  return { payload, state, status, unitOf, head, alarm, unitAt, members, made, groups: new Map() };
}

/** The same as Python would send it, module by module. */
export function payloadOf(state: PlanState, size: number): PlanPayload {
  const { status, head } = decodePlan(state, size);
  const settings = [...new Set(state.units.map(({ strategy, options }) => JSON.stringify([strategy, options])))];
  const letter = (at: number) => STATUSES[status[at]];
  const back = (at: number) => (/f/i.test(letter(at)) && head[at] >= 0 ? String(at - head[at] || "") : "");
  const column = (values: unknown[]): [null, ...[number, unknown][]] => [null, ...values.map((value, n): [number, unknown] => [n, value])];
  const numbers = (key: "nparams" | "numel" | "handle" | "init_c" | "init_w" | "local_root"): [number, ReturnType<typeof column>] => [0, column(state.units.map((each) => each[key]))];
  const remarks = (all: Remark[]) => all.map(({ fqns: _, indices, ...rest }) => ({ ...rest, at: indices.map((at): [number, string] => [at, ""]) }));
  const { rev, totals, code, last, undo, redo } = state;
  return {
    v: 2, rev, totals, code, last, undo, redo,
    areas: Array.from(status, (_, at): [number, number, string] => [at, 1, letter(at) + back(at)]),
    units: {
      num: state.units.length, nparams: numbers("nparams"), numel: numbers("numel"), handle: numbers("handle"),
      init_c: numbers("init_c"), init_w: numbers("init_w"), local_root: numbers("local_root"),
      setting: column(state.units.map(({ strategy, options }) => settings.indexOf(JSON.stringify([strategy, options])))), settings: settings.map((each) => JSON.parse(each)),
    },
    conflicts: remarks(state.conflicts),
    findings: remarks(state.findings),
  };
}

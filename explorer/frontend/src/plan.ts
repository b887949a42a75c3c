// The plan layer over the tree: what Python resolved, spread out to one number per module for drawing.
// The page never works out a status, a unit or an order itself.

export type Run<T> = [start: number, end: number, step: number, value: T]; // range(start, end, step)

export interface Unit {
  n: number;
  index: number;
  fqns: string[];
  nparams: number;
  numel: number;
  is_root: boolean;
  local_root: string;
  within: string | null;
  handle: number | null;
  init_c: number | null;
  init_w: number | null;
  strategy: string;
  options?: Record<string, string>; // settings that differ from the defaults
}

export interface Remark {
  kind: string;
  severity?: string;
  fqns: string[];
  indices: number[];
  message: string;
  fix?: string;
  advice?: string;
}

export interface PlanState {
  v: number;
  rev: number;
  status: Run<string>[];
  units: Unit[];
  unit_of: Run<number>[];
  orders: Record<string, string[]>;
  conflicts: Remark[];
  findings: Remark[];
  totals: Record<string, number>;
  code: string;
  last: string;
  undo: boolean;
  redo: boolean;
}

export interface Plan {
  readonly state: PlanState;
  readonly status: Uint8Array; // position in STATUSES
  readonly unitOf: Int32Array; // unit number, -1 for none
  readonly head: Int32Array; // index of the unit's first module, -1 for none
  readonly unitAt: Map<number, Unit>; // by the index of its first module
  readonly alarm: Uint8Array; // 0 nothing, 1 info, 2 warning, 3 error or conflict
}

export const STATUSES = "uFfRrIi";
const SEVERITIES = ["", "info", "warn", "error"];

const EMPTY: PlanState = {
  v: 1, rev: 0, status: [], units: [], unit_of: [], orders: {}, conflicts: [], findings: [],
  totals: {}, code: "", last: "", undo: false, redo: false,
};

export function parsePlan(text: string, size: number): Plan {
  return decodePlan(text ? { ...EMPTY, ...(JSON.parse(text) as PlanState) } : EMPTY, size);
}

export function decodePlan(state: PlanState, size: number): Plan {
  const status = new Uint8Array(size);
  const unitOf = new Int32Array(size).fill(-1);
  const head = new Int32Array(size).fill(-1);
  const alarm = new Uint8Array(size);
  spread(state.status, (index, letter) => (status[index] = Math.max(0, STATUSES.indexOf(letter))));
  const byNumber = new Map(state.units.map((unit) => [unit.n, unit]));
  spread(state.unit_of, (index, unit) => {
    unitOf[index] = unit;
    head[index] = byNumber.get(unit)?.index ?? -1;
  });
  const raise = (remark: Remark, level: number) => {
    for (const index of remark.indices) alarm[index] = Math.max(alarm[index], level);
  };
  for (const finding of state.findings) raise(finding, Math.max(1, SEVERITIES.indexOf(finding.severity ?? "warn")));
  for (const conflict of state.conflicts) raise(conflict, 3);
  return { state, status, unitOf, head, alarm, unitAt: new Map(state.units.map((unit) => [unit.index, unit])) };
}

function spread<T>(runs: Run<T>[], put: (index: number, value: T) => void): void {
  for (const [start, end, step, value] of runs) for (let index = start; index < end; index += step || 1) put(index, value);
}

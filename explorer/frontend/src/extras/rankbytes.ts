// The parameter bytes that rank 0 keeps of each module, from the costs: what its unit keeps, in proportion to the module's
// part of it; all of it where nothing shards it.
import { numelOf, type Own, type Tree } from "../payload";
import type { Plan } from "./plan";

/** What is read of the rows of `costs.units`: equal units, by runs over their numbers. */
export interface UnitBytes {
  runs: [start: number, end: number, step: number][];
  numel: number;
  shard_nbytes: number;
  max_shard_nbytes?: number; // of rank 0, where ranks keep different amounts
}

const BITS: Record<string, number> = { bool: 8, half: 16, bfloat16: 16, double: 64, complex64: 64, complex128: 128 };
const bytesOfDtype = (dtype: string) => (BITS[dtype] ?? Number(/\d+/.exec(dtype)?.[0] ?? 32)) / 8;
const nbytesOf = (param: Own) => (/[bs]/.test(param[3]) ? 0 : numelOf(param) * bytesOfDtype(param[2]));

/** Bytes of each module's own parameters. */
export function rankBytes(tree: Tree, plan: Plan, units: UnitBytes[]): (node: number) => number {
  const own = tree.classes.map(([, params]) => params.reduce((sum, param) => sum + nbytesOf(param), 0));
  const kept = new Map<number, number>(); // share of its elements' bytes that a unit keeps, by number
  for (const { runs, numel, shard_nbytes, max_shard_nbytes } of units) {
    for (const [start, end, step] of runs) for (let n = start; n < end; n += step) kept.set(n, numel ? (max_shard_nbytes ?? shard_nbytes) / numel : 0);
  }
  return (node) => {
    const cls = tree.cls[node];
    const share = kept.get(plan.unitOf[node]);
    return share === undefined ? own[cls] : share * tree.own[cls];
  };
}

// One module looked at closely, as Python answers `inspect`, and how it reads. No DOM, and no reasons of its own.
import { count, exactBytes } from "./amounts";
import type { Costs, UnitCost } from "./costs";

export interface InspectedParam {
  name: string;
  shape: number[] | null; // null while it is lazy
  dtype: string;
  numel: number;
  frozen: boolean;
  tied: string[];
  owner_kind: "unit" | "replicate" | "ignored" | "unmanaged";
  owner: string | null;
  piece: [start: number, stop: number] | null; // elements on rank 0; null where nothing is cut
  nbytes_per_rank: number;
}

export interface Inspection {
  fqn: string;
  index: number;
  names: string[];
  cls: string;
  status: string;
  why: string;
  unit: number | null;
  unit_fqn: string | null;
  local_root: string | null;
  within: string | null;
  world_size: number;
  own_numel: number;
  total_numel: number;
  params: InspectedParam[];
  findings: { kind: string; severity: string; message: string; advice: string }[];
  conflicts: { kind: string; message: string; fix: string }[];
  code: string[];
}

export const nameOf = (fqn: string): string => fqn || "(root)";

/** `weight [768, 2304] float32, frozen` */
export function paramTitle({ name, shape, dtype, numel, frozen }: InspectedParam, fqn: string): string {
  const short = fqn && name.startsWith(`${fqn}.`) ? name.slice(fqn.length + 1) : name;
  const size = shape === null ? "lazy" : shape.length === 0 ? "scalar" : `[${shape.join(", ")}]`;
  return `${short} ${size} ${dtype}, ${count(numel)} elements${frozen ? ", frozen" : ""}`;
}

/** Who owns it, and what rank 0 holds of it. */
export function paramFacts(param: InspectedParam, worldSize: number): string {
  const owners = { unit: "unit of ", replicate: "replicated with ", ignored: "ignored with ", unmanaged: "unmanaged" };
  const alone = param.owner_kind === "ignored" && param.owner === null;
  const owner = alone ? "ignored by itself" : param.owner_kind === "unmanaged" ? owners.unmanaged : owners[param.owner_kind] + nameOf(param.owner ?? "");
  const tied = param.tied.length ? `; tied to ${listed(param.tied)}` : "";
  return `${owner}; ${pieceText(param, worldSize)}, ${exactBytes(param.nbytes_per_rank)}${tied}`;
}

function pieceText({ piece }: InspectedParam, worldSize: number): string {
  if (piece === null) return "whole on every rank";
  const held = piece[1] > piece[0] ? `elements ${count(piece[0])} to ${count(piece[1])}` : "nothing";
  return `rank 0 of ${count(worldSize)} holds ${held}`;
}

const listed = (names: string[]) => names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");

/** The line that says to what the module belongs; empty for what belongs to nothing. */
export function belongs({ unit, unit_fqn, local_root, within }: Inspection): string {
  const parts = [
    unit === null ? "" : `Unit u${unit}, of ${nameOf(unit_fqn ?? "")}`,
    local_root !== null && unit !== null ? `local root ${nameOf(local_root)}` : "",
    within === null ? "" : `inside ${within.replace(/^(\w+):(.*)$/, (_, kind: string, fqn: string) => `${kind === "replicate" ? "replicated" : kind} ${nameOf(fqn)}`)}`,
  ];
  return parts.filter(Boolean).join("; ");
}

/** What the unit costs, as the costs panel has it; undefined where costs were not asked for, or are of another plan. */
export function costOfUnit(costs: Costs | null, rev: number, unit: number | null): UnitCost | undefined {
  if (costs === null || costs.rev !== rev || unit === null) return undefined;
  return costs.units.find(({ runs }) => runs.some(([start, end, step]) => unit >= start && unit < end && (unit - start) % step === 0));
}

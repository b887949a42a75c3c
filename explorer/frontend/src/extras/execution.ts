// The observed order: when each unit was unsharded in the last step that the engine's events tell of.
import type { RunEvent } from "./run";

export interface Times {
  forward: number[];
  backward: number[];
}

/** By the name of the unit: its places among the unshards of a step. */
export type Execution = Map<string, Times>;

export function executionOf(events: RunEvent[]): Execution {
  const times: Execution = new Map();
  let place = 0;
  for (const [phase, kind, unit] of lastStep(events)) {
    if (kind !== "U") continue;
    const of = times.get(unit) ?? { forward: [], backward: [] };
    of[phase === "B" ? "backward" : "forward"].push(place++);
    times.set(unit, of);
  }
  return times;
}

/** From the last time that the first unit of a step was unsharded in a forward that follows another phase. */
function lastStep(events: RunEvent[]): RunEvent[] {
  const first = events.find(([, kind]) => kind === "U")?.[2];
  const begins = ([phase, kind, unit]: RunEvent, at: number) => phase === "F" && kind === "U" && unit === first && events[at - 1]?.[0] !== "F";
  return events.slice(Math.max(0, events.findLastIndex(begins)));
}

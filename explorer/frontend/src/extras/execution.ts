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

/** From the last change to forward whose first unshard is that of a step's first unit: a collective may be told before it. */
function lastStep(events: RunEvent[]): RunEvent[] {
  const unshard = (from: number) => events.slice(from).find(([, kind]) => kind === "U")?.[2];
  const first = unshard(0);
  const begins = ([phase]: RunEvent, at: number) => phase === "F" && events[at - 1]?.[0] !== "F" && unshard(at) === first;
  return events.slice(Math.max(0, events.findLastIndex(begins)));
}

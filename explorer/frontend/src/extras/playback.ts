// Where a player stands and how it moves: a position on a walk, a speed in rows a second, playing or not. No DOM, no clock.

export interface Playback {
  readonly steps: number;
  readonly at: number; // steps done
  readonly rate: number; // rows a second
  readonly playing: boolean;
  readonly owed: number; // part of a step that has passed since the last one, in [0, 1)
}

export const RATES = [1, 2, 5, 10, 30, 60, 200, 1000, 10_000];
const LONGEST_S = 0.25; // a page that slept does not jump ahead

export const still = (steps: number, rate = 2): Playback => ({ steps, at: 0, rate, playing: false, owed: 0 });

/** Some time has passed; at the end the player stops by itself. */
export function advance(now: Playback, seconds: number): Playback {
  if (!now.playing) return now;
  const due = now.owed + now.rate * Math.min(seconds, LONGEST_S);
  const at = Math.min(now.steps, now.at + Math.floor(due));
  return { ...now, at, owed: due % 1, playing: at < now.steps };
}

/** Playing on from the end starts over. */
export const play = (now: Playback): Playback => ({ ...now, at: now.at === now.steps ? 0 : now.at, owed: 0, playing: now.steps > 0 });
export const pause = (now: Playback): Playback => ({ ...now, playing: false, owed: 0 });
export const seek = (now: Playback, at: number): Playback => ({ ...now, at: Math.max(0, Math.min(now.steps, Math.round(at))), owed: 0 });

/** One step by hand: it pauses first, so that nothing else moves. */
export const stepBy = (now: Playback, by: number): Playback => pause(seek(now, now.at + by));
export const atRate = (now: Playback, rate: number): Playback => ({ ...now, rate, owed: 0 });

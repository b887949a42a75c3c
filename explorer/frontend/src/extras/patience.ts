// How long Python may be silent: a command that gets no reply for 10 s means that the kernel is busy, or gone. Any sign of
// life ends that.
import type { Conversation, Reply } from "../commands";

export interface Clock {
  set(then: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

export const SILENCE_MS = 10_000;

const WALL: Clock = { set: (then, ms) => setTimeout(then, ms), clear: (timer) => clearTimeout(timer as number) };

export class Patience {
  #timers = new Set<unknown>();
  #silent = false;

  constructor(private talk: Conversation, private onSilence: (silent: boolean) => void, private clock: Clock = WALL) {}

  async ask(cmd: string, fields: object = {}): Promise<Reply> {
    const timer = this.clock.set(() => this.#tell(true), SILENCE_MS);
    this.#timers.add(timer);
    const reply = await this.talk.ask(cmd, fields);
    this.clock.clear(timer);
    this.#timers.delete(timer);
    return reply;
  }

  /** A message came, a reply or not. */
  hear = () => this.#tell(false);

  destroy(): void {
    for (const timer of this.#timers) this.clock.clear(timer);
    this.#timers.clear();
  }

  #tell(silent: boolean): void {
    if (this.#silent === silent) return;
    this.#silent = silent;
    this.onSilence(silent);
  }
}

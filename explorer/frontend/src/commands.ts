// The conversation with Python: every command has an id and gets exactly one reply; a long silence is told.

export interface Reply {
  type: "reply";
  id: string;
  ok: boolean;
  rev?: number;
  value?: unknown;
  error?: { title: string; detail: string };
}

export interface Clock {
  set(then: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

export const SILENCE_MS = 10_000;

const WALL: Clock = { set: (then, ms) => setTimeout(then, ms), clear: (timer) => clearTimeout(timer as number) };

export class Conversation {
  #waiting = new Map<string, { answer: (reply: Reply) => void; timer: unknown }>();
  #sent = 0;
  #silent = false;
  // Two pages may show one kernel model and both hear every reply: ids carry the page.
  #page = Math.random().toString(36).slice(2, 8);

  constructor(
    private send: (message: object) => void,
    public onSilence: (silent: boolean) => void = () => undefined,
    private clock: Clock = WALL,
  ) {}

  /** Sends a command; the promise settles with its reply, however late that comes. `patient`: its silence means nothing. */
  ask(cmd: string, fields: object = {}, patient = false): Promise<Reply> {
    const id = `${this.#page}-${++this.#sent}`;
    return new Promise((answer) => {
      const timer = patient ? undefined : this.clock.set(() => this.hear(false), SILENCE_MS);
      this.#waiting.set(id, { answer, timer });
      this.send({ id, cmd, ...fields });
    });
  }

  /** Takes a message of Python's; answers whether it was a reply to this page. */
  receive(message: Reply): boolean {
    const waiting = this.#waiting.get(message.id);
    if (message.type !== "reply" || !waiting) return false;
    this.#waiting.delete(message.id);
    this.clock.clear(waiting.timer);
    this.hear(true);
    waiting.answer(message);
    return true;
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) this.clock.clear(timer);
    this.#waiting.clear();
  }

  /** Any sign of life ends a silence. */
  hear(alive: boolean): void {
    if (this.#silent !== alive) return;
    this.#silent = !alive;
    this.onSilence(this.#silent);
  }
}

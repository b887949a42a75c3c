// The conversation with Python: every command has an id and gets exactly one reply.

export interface Reply {
  type: "reply";
  id: string;
  ok: boolean;
  rev?: number;
  value?: unknown;
  error?: { title: string; detail: string };
}

export class Conversation {
  #waiting = new Map<string, (reply: Reply) => void>();
  #sent = 0;
  // Two pages may show one kernel model and both hear every reply: ids carry the page.
  #page = Math.random().toString(36).slice(2, 8);

  constructor(private send: (message: object) => void) {}

  /** Sends a command; the promise settles with its reply, however late that comes. */
  ask(cmd: string, fields: object = {}): Promise<Reply> {
    const id = `${this.#page}-${++this.#sent}`;
    return new Promise((answer) => {
      this.#waiting.set(id, answer);
      this.send({ id, cmd, ...fields });
    });
  }

  /** Takes a message of Python's, if it is a reply to this page. */
  receive(message: Reply): void {
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    answer?.(message);
  }
}

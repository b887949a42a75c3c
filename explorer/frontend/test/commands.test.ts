import { beforeEach, describe, expect, it } from "vitest";
import { Conversation, type Reply } from "../src/commands";
import { Patience, SILENCE_MS } from "../src/extras/patience";

type Sent = { id: string; cmd: string; indices?: number[] };
let sent: Sent[];
let silences: boolean[];
let timers: Map<number, () => void>;
let talk: Conversation;
let patience: Patience;

beforeEach(() => {
  sent = [];
  silences = [];
  timers = new Map();
  let next = 0;
  const clock = {
    set: (then: () => void, ms: number) => (expect(ms).toBe(SILENCE_MS), timers.set(++next, then), next),
    clear: (timer: unknown) => void timers.delete(timer as number),
  };
  talk = new Conversation((message) => sent.push(message as Sent));
  patience = new Patience(talk, (silent) => silences.push(silent), clock);
});

const reply = (id: string, more: Partial<Reply> = {}): Reply => ({ type: "reply", id, ok: true, ...more });

describe("conversation", () => {
  it("gives every command an id of its own and settles it with its reply", async () => {
    const first = talk.ask("mark", { indices: [1] });
    const second = talk.ask("undo");
    expect(sent.map(({ cmd }) => cmd)).toEqual(["mark", "undo"]);
    expect(sent[0].id).not.toBe(sent[1].id);
    talk.receive(reply(sent[1].id, { rev: 2 }));
    talk.receive(reply(sent[0].id, { ok: false, error: { title: "t", detail: "d" } }));
    expect((await second).rev).toBe(2);
    expect((await first).error).toEqual({ title: "t", detail: "d" });
  });

  it("takes no reply meant for another page", async () => {
    const asked = talk.ask("undo");
    talk.receive(reply("other-1", { rev: 1 }));
    talk.receive(reply(sent[0].id, { rev: 2 }));
    talk.receive(reply(sent[0].id, { rev: 3 }));
    expect((await asked).rev).toBe(2);
  });
});

describe("patience", () => {
  it("tells of a silence once, and of its end at any message, and still takes the late reply", async () => {
    const asked = patience.ask("run");
    void patience.ask("stop");
    for (const ring of timers.values()) ring();
    expect(silences).toEqual([true]);
    patience.hear();
    patience.hear();
    expect(silences).toEqual([true, false]);
    talk.receive(reply(sent[0].id));
    expect((await asked).ok).toBe(true);
  });

  it("leaves no timer behind", async () => {
    const asked = patience.ask("run");
    talk.receive(reply(sent[0].id));
    await asked;
    expect(timers.size).toBe(0);
    void patience.ask("stop");
    patience.destroy();
    expect(timers.size).toBe(0);
  });
});

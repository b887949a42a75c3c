import { beforeEach, describe, expect, it } from "vitest";
import { Conversation, SILENCE_MS, type Reply } from "../src/commands";

type Sent = { id: string; cmd: string; indices?: number[] };
let sent: Sent[];
let silences: boolean[];
let timers: Map<number, () => void>;
let talk: Conversation;

beforeEach(() => {
  sent = [];
  silences = [];
  timers = new Map();
  let next = 0;
  const clock = {
    set: (then: () => void, ms: number) => (expect(ms).toBe(SILENCE_MS), timers.set(++next, then), next),
    clear: (timer: unknown) => void timers.delete(timer as number),
  };
  talk = new Conversation((message) => sent.push(message as Sent), (silent) => silences.push(silent), clock);
});

const reply = (id: string, more: Partial<Reply> = {}): Reply => ({ type: "reply", id, ok: true, ...more });

describe("conversation", () => {
  it("gives every command an id of its own and settles it with its reply", async () => {
    const first = talk.ask("mark", { indices: [1] });
    const second = talk.ask("undo");
    expect(sent.map(({ cmd }) => cmd)).toEqual(["mark", "undo"]);
    expect(sent[0].id).not.toBe(sent[1].id);
    expect(talk.receive(reply(sent[1].id, { rev: 2 }))).toBe(true);
    expect(talk.receive(reply(sent[0].id, { ok: false, error: { title: "t", detail: "d" } }))).toBe(true);
    expect((await second).rev).toBe(2);
    expect((await first).error).toEqual({ title: "t", detail: "d" });
    expect(timers.size).toBe(0);
  });

  it("takes no reply twice and none meant for another page", () => {
    void talk.ask("undo");
    expect(talk.receive(reply("other-1"))).toBe(false);
    expect(talk.receive(reply(sent[0].id))).toBe(true);
    expect(talk.receive(reply(sent[0].id))).toBe(false);
  });

  it("tells of a silence once, and of its end, and still takes the late reply", async () => {
    const asked = talk.ask("run");
    void talk.ask("stop");
    for (const ring of timers.values()) ring();
    expect(silences).toEqual([true]);
    talk.receive(reply(sent[0].id));
    expect(silences).toEqual([true, false]);
    expect((await asked).ok).toBe(true);
  });

  it("leaves no timer behind", () => {
    void talk.ask("run");
    talk.close();
    expect(timers.size).toBe(0);
  });
});

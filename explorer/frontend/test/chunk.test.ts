import { describe, expect, it } from "vitest";
import { loadExtras } from "../src/chunk";
import { Conversation } from "../src/commands";
import type { Extras } from "../src/extras/core";

/** A kernel that has one second module and answers at once. */
function kernel(digest: string, answer: object = {}) {
  const asked: { have: string[] }[] = [];
  const talk: Conversation = new Conversation((message) => {
    const { id, have } = message as { id: string; have: string[] };
    asked.push({ have });
    const value = { digest, text: have.includes(digest) ? null : `text of ${digest}` };
    queueMicrotask(() => talk.receive({ type: "reply", id, ok: true, value, ...answer }));
  });
  return { talk, asked };
}

/** A module that can be told from others. */
const extras = (name: string): Extras & { name: string } => ({ name, start: () => ({ started() {}, drawn() {}, changed() {}, dress() {}, press: () => false, hear() {}, destroy() {} }) });
const nameOf = async (loaded: Promise<Extras>) => ((await loaded) as Extras & { name: string }).name;

describe("the second module", () => {
  it("is imported once a page, however many widgets ask, and kept by its digest", async () => {
    const { talk, asked } = kernel("d1");
    const imported: string[] = [];
    const importing = async (text: string) => (imported.push(text), { default: extras("one") });
    expect(await nameOf(loadExtras(talk, importing))).toBe("one");
    expect(await nameOf(loadExtras(talk, importing))).toBe("one");
    expect(imported).toEqual(["text of d1"]);
    expect(asked[1].have).toContain("d1");
    await loadExtras(kernel("d2").talk, importing);
    expect(imported).toEqual(["text of d1", "text of d2"]);
  });

  it("is asked for again after it could not be imported", async () => {
    const { talk } = kernel("d3");
    await expect(loadExtras(talk, async () => Promise.reject(new Error("blob: refused")))).rejects.toThrow("blob: refused");
    expect(await nameOf(loadExtras(talk, async () => ({ default: extras("again") })))).toBe("again");
  });

  it("passes on why the kernel has none", async () => {
    const { talk } = kernel("d4", { ok: false, error: { title: "FileNotFoundError", detail: "no extras.js" } });
    await expect(loadExtras(talk)).rejects.toThrow("no extras.js");
  });
});

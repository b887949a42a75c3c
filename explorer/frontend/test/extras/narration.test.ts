import { describe, expect, it } from "vitest";
import { groundOf, sentence, shortName, WALKS, wordsOf } from "../../src/extras/narration";
import { recordWalk, type WalkKind } from "../../src/extras/walk";
import { materialise, type Kid, type ModuleClass } from "../../src/payload";
import { decodePlan } from "../shapes";
import { stack, unitPerBlock } from "../shapes";

const tree = materialise(stack(2)); // 0, wte 1, h 2, h.0 3 4 5, h.1 6 7 8, head 9
const state = unitPerBlock(2);
state.status.push([9, 10, 1, "R"]);
const ground = groundOf(tree, decodePlan(state, tree.size), [0]);

function told(kind: WalkKind): string[] {
  const recording = recordWalk(ground, kind);
  return Array.from({ length: recording.steps + 1 }, (_, step) => sentence(ground, recording, step));
}

describe("what the player says", () => {
  it("get_handles on two sharded blocks and a replicated head", () => {
    const lines = told("handles");
    expect(lines[0]).toBe("Visit (root) (Stack), and list its handle; its 3 children go on the stack.");
    expect(lines[2]).toBe("Visit h (ModuleList), without a handle; its 2 children go on the stack.");
    expect(lines[4]).toBe("Visit h.0.a (Linear), without a handle; it has no children.");
    expect(lines[9]).toBe("head is replicated: not entered, nothing below it is listed.");
    expect(lines[10]).toBe("Done: handles listed, 3 in all.");
  });

  it("both initialisations end with a sentence a handle", () => {
    expect(told("composable").slice(-4)).toEqual([
      "h.1 is the last of the list: its handle is made.", "h.0 is the last of the list: its handle is made.",
      "(root) is the last of the list: its handle is made.", "Done: handles made, 3 in all.",
    ]);
    expect(told("wrapper").filter((line) => line.includes("handle is made"))).toEqual([
      "All children of h.0 are done: its handle is made.", "All children of h.1 are done: its handle is made.", "All children of (root) are done: its handle is made.",
    ]);
  });

  it("a module that is shared is passed the second time", () => {
    const again = materialise({ ...stack(2), refs: [[0, "tail", 1, "shared"]] });
    const shared = { ...ground, tree: again };
    const recording = recordWalk(shared, "modules");
    expect(sentence(shared, recording, recording.steps - 1)).toBe("wte was met before, by another path: nothing to do.");
  });

  it("a chain of 10,000 modules has names that can be read", () => {
    const chain: ModuleClass[] = Array.from({ length: 10_000 }, (_, at) => ["Link", [], at ? [["next", null, at - 1] as Kid] : []]);
    const deep = materialise({ v: 1, name: "Chain", classes: chain, root: 9_999, refs: [], ties: [] });
    expect(shortName(deep, 9_999)).toBe("…next.next.next.next.next");
    expect(shortName(deep, 5)).toBe("next.next.next.next.next");
  });

  it("every walk has its words", () => {
    expect(WALKS.map(({ kind }) => wordsOf(kind).label)).toEqual(["I₁ composable init", "I₂ wrapper init", "H get_handles", "# modules()", "right to left"]);
  });
});

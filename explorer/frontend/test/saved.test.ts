// @vitest-environment jsdom
// The model of a saved page: what was saved, the panels from the file, a reason for everything else.
import { describe, expect, it, vi } from "vitest";
import { EXPORTED, kept } from "../src/chunk";
import "../src/exported";
import extras from "../src/extras/entry";
import { savedModel } from "../src/saved";

describe("a saved page's model", () => {
  it("holds the states, and what the page writes", () => {
    const model = savedModel({ tree: "{}" });
    model.set("view", "v");
    expect([model.get("tree"), model.get("view"), model.get("run")]).toEqual(["{}", "v", ""]);
  });

  it("answers that the panels are there, and they are", async () => {
    const model = savedModel({});
    const hear = vi.fn();
    model.on("msg:custom", hear);
    model.send({ id: "a-1", cmd: "chunk", name: "extras", have: [] });
    await vi.waitFor(() => expect(hear).toHaveBeenCalled());
    expect(hear).toHaveBeenCalledWith({ type: "reply", id: "a-1", ok: true, value: { digest: EXPORTED, text: null } });
    expect(await kept().get(EXPORTED)).toBe(extras);
  });

  it("says why it cannot mark, once to everybody who listens", async () => {
    const model = savedModel({});
    const [hear, gone] = [vi.fn(), vi.fn()];
    model.on("msg:custom", hear);
    model.on("msg:custom", gone);
    model.off("msg:custom", gone);
    model.send({ id: "a-2", cmd: "mark", verb: "ignore", indices: [1] });
    await vi.waitFor(() => expect(hear).toHaveBeenCalledTimes(1));
    expect(hear.mock.calls[0][0]).toMatchObject({ id: "a-2", ok: false, error: { title: "This is a saved page" } });
    expect(gone).not.toHaveBeenCalled();
  });
});

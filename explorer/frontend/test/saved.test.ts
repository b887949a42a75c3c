// The model of a saved page: what was saved, the panels from the file, a reason for everything else.
import { describe, expect, it, vi } from "vitest";
import { savedModel } from "../src/saved";

async function packed(text: string): Promise<string> {
  const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return btoa(String.fromCharCode(...new Uint8Array(await new Response(gzip).arrayBuffer())));
}

const extras = await packed("export default {}");

describe("a saved page's model", () => {
  it("holds the states, and what the page writes", () => {
    const model = savedModel({ states: { tree: "{}" }, extras });
    model.set("view", "v");
    expect([model.get("tree"), model.get("view"), model.get("run")]).toEqual(["{}", "v", ""]);
  });

  it("answers with the panels of the file", async () => {
    const model = savedModel({ states: {}, extras });
    const hear = vi.fn();
    model.on("msg:custom", hear);
    model.send({ id: "a-1", cmd: "chunk", name: "extras", have: [] });
    await vi.waitFor(() => expect(hear).toHaveBeenCalled());
    expect(hear).toHaveBeenCalledWith({ type: "reply", id: "a-1", ok: true, value: { digest: "saved", text: "export default {}" } });
  });

  it("says why it cannot mark, once to everybody who listens", async () => {
    const model = savedModel({ states: {}, extras });
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

// The model of a saved page: what was saved, the panels from the file, a reason for everything else.
import { describe, expect, it, vi } from "vitest";
import { bytesOf } from "../src/base85";
import { savedModel } from "../src/saved";

// Written by Python: base64.b85encode(gzip.compress(b"export default {}", 9, mtime=0)), "<" as ","
const extras = "ABzY8000000s~8}D9A4=QAkNmODxSPQK+s30IV-Vi4gz*00";

it.each<[string, number[]]>([
  ["", []],
  ["00", [0]],
  ["{{", [255]],
  ["0Rj", [1, 2]],
  ["|Ni{", [255, 254, 253]],
  ["00001", [0, 0, 0, 1]],
  ["|NsC0", [255, 255, 255, 255]],
  ["2gnU$0RjU", [7, 200, 13, 99, 1, 2, 3]],
  ["JUu=?KtV!7L`6nNNJ&Z", [60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74]],
])("base85 as Python writes it: %j", (text, wanted) => expect([...bytesOf(text)]).toEqual(wanted));

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

import { describe, expect, it } from "vitest";
import { bytesText, changeText, count, exactBytes, percent } from "../../src/extras/amounts";
import { COLLECTIVE_COLUMNS, precisionText, readMesh, rowSentence, settingText, UNIT_COLUMNS, unitNumbers, type UnitCost } from "../../src/extras/costs";

const UNIT: UnitCost = {
  fqn: "h.0", times: 12, runs: [[1, 13, 1]], numel: 7_087_872, trainable_numel: 7_087_872, dtypes: ["float32"], strategy: "full_shard", in_effect: "sharded",
  num_shards: 8, num_copies: 1, frees_after_forward: true, reason: "not the root", unsharded_nbytes: 28_351_488, shard_nbytes: 3_543_936, padded_nbytes: 28_351_488,
  all_gather_nbytes: 28_351_488, reduce_scatter_nbytes: 28_351_488, all_reduce_nbytes: 0, largest_buffer_nbytes: 28_351_488, waste: 0, empty_ranks: 0, collectives: 3, sent_nbytes: 74_422_656,
};

describe("amounts", () => {
  it("bytes in binary units, exact while small", () => {
    expect([0, 1023, 1024, 1536, 1024 ** 2 - 1, 28_351_488, 140e9].map(bytesText)).toEqual(["0 B", "1,023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB", "27.0 MiB", "130.4 GiB"]);
    expect([exactBytes(12), exactBytes(2048)]).toEqual(["12 bytes", "2.0 KiB (2,048 bytes)"]);
  });

  it("a small share is not nothing, and a change has a sign", () => {
    expect([0, 0.0001, 0.0513, 7].map(percent)).toEqual(["0 %", "<0.1 %", "5.1 %", "700.0 %"]);
    expect([changeText(5, 5, count), changeText(5, 1005, count), changeText(2048, 0, bytesText)]).toEqual(["±0", "+1,000", "−2.0 KiB"]);
  });
});

describe("costs in words", () => {
  it("a row of units is a sentence for those who hear it", () => {
    expect(rowSentence(UNIT_COLUMNS.slice(0, 8), UNIT)).toBe(
      "unit u1–12, first module h.0, × 12, elements 7,087,872, held sharded /8, whole 27.0 MiB, a rank 3.4 MiB, waste 0 %");
    expect(UNIT_COLUMNS.at(-1)!.text(UNIT)).toBe("frees: not the root");
    expect(UNIT_COLUMNS[4].text({ ...UNIT, in_effect: "hybrid", num_shards: 4, num_copies: 2 })).toBe("hybrid /4 ×2");
  });

  it("numbers of units as runs", () => {
    expect(unitNumbers([[0, 1, 1], [2, 25, 2], [30, 33, 1]])).toBe("u0, u2–24 by 2, u30–32");
  });

  it("a collective reads by its name", () => {
    const row = { kind: "reduce_scatter", phase: "backward", count: 13, nbytes: 1024, largest_nbytes: 512, small: 13, sent_nbytes: 512 };
    expect(rowSentence(COLLECTIVE_COLUMNS, row)).toBe("collective reduce-scatter, phase backward, a step 13, bytes 1.0 KiB, largest 512 B, small 13, sent 512 B");
  });

  it("the question is repeated", () => {
    const asked = { world_size: 4, mesh_shape: [2, 2], strategy: null, mixed_precision: { param_dtype: "bfloat16", reduce_dtype: "float32" }, optimizer: "adamw", engine: "flat", accumulation_steps: 1, traced: false, flops_per_s: null, bytes_per_s: null, latency_s: null };
    expect(settingText(asked)).toBe("4 ranks as 2 × 2, each unit's own strategy, bfloat16, reduced in float32, adamw, flat engine");
    expect(settingText({ ...asked, world_size: 1, mesh_shape: [1], strategy: "no_shard", mixed_precision: null, accumulation_steps: 4 })).toBe(
      "1 rank, no_shard, each unit's own precision, adamw, flat engine, 4 forwards and backwards a step");
    expect(precisionText({ param_dtype: "float16", reduce_dtype: "float16", buffer_dtype: "float32" })).toBe("float16, buffer_dtype float32");
  });

  it("a mesh as people type it, or what is wrong with it", () => {
    expect(["8", "2x4", " 2 × 4 ", "2,4", "2 4"].map(readMesh)).toEqual([[8], [2, 4], [2, 4], [2, 4], [2, 4]]);
    expect(readMesh("2x")).toContain('"2x" is no mesh');
    for (const wrong of ["", "0", "2x2x2", "-1", "1.5", "many"]) expect(typeof readMesh(wrong)).toBe("string");
  });
});

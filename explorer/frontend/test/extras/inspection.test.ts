import { describe, expect, it } from "vitest";
import type { Costs } from "../../src/extras/costs";
import { belongs, costOfUnit, paramFacts, paramTitle, type InspectedParam, type Inspection } from "../../src/extras/inspection";

const PARAM: InspectedParam = {
  name: "h.0.attn.weight", shape: [768, 2304], dtype: "float32", numel: 1_769_472, frozen: false, tied: [], owner_kind: "unit", owner: "h.0",
  piece: [0, 884_736], nbytes_per_rank: 3_538_944,
};
const LOOKED: Inspection = {
  fqn: "h.0.attn", index: 5, names: ["h.0.attn"], cls: "Linear", status: "in_unit", why: "", unit: 3, unit_fqn: "h.0", local_root: "", within: null, world_size: 2,
  own_numel: 0, total_numel: 0, params: [PARAM], findings: [], conflicts: [], code: [],
};

describe("a parameter in words", () => {
  it("its name in the module, shape, dtype", () => {
    expect(paramTitle(PARAM, "h.0.attn")).toBe("weight [768, 2304] float32, 1,769,472 elements");
    expect(paramTitle({ ...PARAM, shape: null, frozen: true }, "")).toBe("h.0.attn.weight lazy float32, 1,769,472 elements, frozen");
    expect(paramTitle({ ...PARAM, shape: [], numel: 1 }, "other")).toBe("h.0.attn.weight scalar float32, 1 elements");
  });

  it("its owner and the piece of rank 0", () => {
    expect(paramFacts(PARAM, 2)).toBe("unit of h.0; rank 0 of 2 holds elements 0 to 884,736, 3.4 MiB (3,538,944 bytes)");
    expect(paramFacts({ ...PARAM, piece: [0, 0], nbytes_per_rank: 0, owner: "" }, 8)).toBe("unit of (root); rank 0 of 8 holds nothing, 0 bytes");
    expect(paramFacts({ ...PARAM, piece: null, owner_kind: "unmanaged", owner: null, nbytes_per_rank: 64 }, 2)).toBe("unmanaged; whole on every rank, 64 bytes");
    expect(paramFacts({ ...PARAM, piece: null, owner_kind: "ignored", owner: null, nbytes_per_rank: 64, tied: ["a", "b", "c", "d"] }, 2)).toBe(
      "ignored by itself; whole on every rank, 64 bytes; tied to a, b, c and 1 more");
  });
});

describe("a module in words", () => {
  it("says to what it belongs", () => {
    expect(belongs(LOOKED)).toBe("Unit u3, of h.0; local root (root)");
    expect(belongs({ ...LOOKED, unit: null, unit_fqn: null, local_root: null })).toBe("");
    expect(belongs({ ...LOOKED, unit: null, local_root: null, within: "replicate:norm" })).toBe("inside replicated norm");
  });

  it("finds its unit's costs, unless they are of another plan", () => {
    const costs = { rev: 4, units: [{ fqn: "", runs: [[0, 1, 1]] }, { fqn: "h.0", runs: [[1, 25, 2]] }] } as unknown as Costs;
    expect(costOfUnit(costs, 4, 3)?.fqn).toBe("h.0");
    expect([costOfUnit(costs, 4, 2), costOfUnit(costs, 5, 3), costOfUnit(null, 4, 3), costOfUnit(costs, 4, null)]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

import { describe, expect, it } from "vitest";
import { connectorsIn, headline, pairOrders } from "../../src/extras/pairing";

/** Crossings by looking at every pair. */
function naiveCrossings(left: number[], right: number[]): number {
  let crossings = 0;
  const shared = left.filter((node) => right.includes(node));
  shared.forEach((a, at) => shared.slice(at + 1).forEach((b) => (crossings += right.indexOf(a) > right.indexOf(b) ? 1 : 0)));
  return crossings;
}

describe("two orders side by side", () => {
  it("composable and wrapper initialisation of the model of the table", () => {
    const pairing = pairOrders([3, 2, 1, 0], [1, 3, 2, 0]); // subsubmod, submod2, submod1, mod
    expect([...pairing.rightOf]).toEqual([1, 2, 0, 3]);
    expect(headline("I₁", "I₂", pairing)).toBe("I₁ vs I₂: 3 of 4 differ, 2 crossings");
  });

  it("equal orders differ nowhere; nothing at all differs nowhere either", () => {
    expect(headline("H", "#", pairOrders([5, 6], [5, 6]))).toBe("H vs #: 0 of 2 differ");
    expect(pairOrders([], []).differ).toBe(0);
  });

  it("modules that one side lacks differ, have no connector and cross nothing", () => {
    const pairing = pairOrders([1, 2, 3], [3, 1]);
    expect([pairing.places, pairing.differ, pairing.crossings]).toEqual([3, 3, 1]);
    expect(connectorsIn(pairing, 0, 3)).toEqual([{ from: 0, to: 1 }, { from: 2, to: 0 }]);
  });

  it("crossings agree with looking at every pair, on shuffled orders", () => {
    for (let seed = 1; seed < 40; seed++) {
      const order = Array.from({ length: seed }, (_, at) => at);
      const shuffled = [...order].sort((a, b) => ((a * 7919 * seed) % 101) - ((b * 7919 * seed) % 101));
      expect(pairOrders(order, shuffled.slice(0, seed - 1)).crossings).toBe(naiveCrossings(order, shuffled.slice(0, seed - 1)));
    }
  });

  it("75,000 modules reversed cross in every pair", () => {
    const order = Array.from({ length: 75_000 }, (_, at) => at);
    expect(pairOrders(order, [...order].reverse()).crossings).toBe((75_000 * 74_999) / 2);
  });

  it("only connectors with an end in view are drawn, whichever side it is on", () => {
    const pairing = pairOrders([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]);
    expect(connectorsIn(pairing, 0, 2)).toEqual([{ from: 0, to: 5 }, { from: 1, to: 4 }, { from: 4, to: 1 }, { from: 5, to: 0 }]);
    expect(connectorsIn(pairing, -3, 1).length).toBe(2);
    expect(connectorsIn(pairing, 5, 99).length).toBe(2);
  });
});

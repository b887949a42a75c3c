import { expect, it } from "vitest";
import { runsOf } from "../../src/extras/runlist";
import { unroll, type Run } from "../../src/runs";

const range = (start: number, times: number, apart: number) => Array.from({ length: times }, (_, k) => start + k * apart);

it.each<[string, number[], unknown]>([
  ["a single module", [7], [7]],
  ["two modules", [7, 9], [7, 9]],
  ["80 layers", range(4, 80, 13), [[4, 80, 13]]],
  ["experts of every layer", range(0, 58, 1299).flatMap((layer) => range(layer + 60, 256, 5)), [[60, 256, 5, 58, 1299]]],
  ["layers but one", range(4, 80, 13).filter((index) => index !== 43), [[4, 3, 13], [56, 76, 13]]],
])("%s", (_, indices, runs) => expect(runsOf(indices)).toEqual(runs));

it("stands for the same numbers, whatever they are", () => {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 300; round++) {
    const indices = [...new Set(range(0, 1 + random(40), 1).map(() => random(60)))].sort((a, b) => a - b);
    const written = runsOf(indices).map((each): Run => (typeof each === "number" ? [each] : each));
    expect(unroll(written, 0).map(([index]) => index)).toEqual(indices);
  }
});

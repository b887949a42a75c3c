import { describe, expect, it } from "vitest";
import { advance, atRate, pause, play, RATES, seek, stepBy, still } from "../../src/extras/playback";

describe("the clock of a player", () => {
  it("makes as many steps as its rate says, whatever the frame rate", () => {
    for (const rate of RATES) {
      let coarse = play(still(1_000_000, rate));
      let fine = coarse;
      for (let frame = 0; frame < 60; frame++) coarse = advance(coarse, 1 / 60);
      for (let frame = 0; frame < 144; frame++) fine = advance(fine, 1 / 144);
      expect(Math.abs(coarse.at - rate)).toBeLessThanOrEqual(1);
      expect(Math.abs(fine.at - rate)).toBeLessThanOrEqual(1);
    }
  });

  it("does not move while paused, and stops by itself at the end", () => {
    expect(advance(still(5), 0.2).at).toBe(0);
    const ended = advance(play(atRate(still(5), 1000)), 0.1);
    expect([ended.at, ended.playing]).toEqual([5, false]);
  });

  it("starts over when played from the end", () => {
    expect(play(seek(still(5), 5)).at).toBe(0);
    expect(play(seek(still(5), 3)).at).toBe(3);
    expect(play(still(0)).playing).toBe(false);
  });

  it("does not jump ahead after the page slept", () => {
    expect(advance(play(still(1000, 60)), 3600).at).toBe(15);
  });

  it("a step by hand pauses and stays within the walk", () => {
    const stepped = stepBy(play(still(3)), 1);
    expect([stepped.at, stepped.playing]).toEqual([1, false]);
    expect(stepBy(still(3), -1).at).toBe(0);
    expect(stepBy(seek(still(3), 3), 1).at).toBe(3);
    expect(pause(play(still(3))).playing).toBe(false);
  });
});

// The colours as the style sheet has them, seen with three kinds of colour blindness and without any colour.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ramp } from "../src/extras/colouring";
import { hueOf } from "../src/extras/hues";
import { STATUSES } from "../src/plan";
import { glyphOf } from "../src/words";

const css = readFileSync(new URL("../src/widget.css", import.meta.url), "utf8");

type Triple = [number, number, number];

const SIGHTS: Record<string, Triple[]> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
  grey: [[0.2126, 0.7152, 0.0722], [0.2126, 0.7152, 0.0722], [0.2126, 0.7152, 0.0722]],
};

/** The variables of a theme; the dark one says what differs from the light one. */
function theme(name: string): Record<string, string> {
  const block = (start: string) => css.slice(css.indexOf(start)).split("}")[0];
  const read = (text: string) => Object.fromEntries([...text.matchAll(/--([a-z-]+): (#[0-9a-f]{3,8})/g)].map(([, key, value]) => [key, value]));
  return { ...read(block(".shx {")), ...(name === "dark" ? read(block('.shx[data-theme="dark"]')) : {}) };
}

function linear(hex: string): Triple {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/g, "$&$&") : hex;
  return [1, 3, 5].map((at) => parseInt(long.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as Triple;
}

const luminance = ([r, g, b]: Triple) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function lab([r, g, b]: Triple): Triple {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const [x, y, z] = [0.4124 * r + 0.3576 * g + 0.1805 * b, luminance([r, g, b]), 0.0193 * r + 0.1192 * g + 0.9505 * b];
  const [fx, fy, fz] = [f(Math.max(x, 0) / 0.95047), f(Math.max(y, 0)), f(Math.max(z, 0) / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function distance(one: string, other: string, sight: Triple[]): number {
  const seen = (hex: string) => lab(sight.map((row) => Math.min(1, Math.max(0, row.reduce((sum, part, k) => sum + part * linear(hex)[k], 0)))) as Triple);
  const [a, b] = [seen(one), seen(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function hex(hsl: string): string {
  const [h, s, l] = hsl.match(/\d+/g)!.map(Number);
  const a = (s / 100) * Math.min(l / 100, 1 - l / 100);
  const channel = (n: number) => l / 100 - a * Math.max(-1, Math.min((n + h / 30) % 12 - 3, 9 - ((n + h / 30) % 12), 1));
  return `#${[0, 8, 4].map((n) => Math.round(channel(n) * 255).toString(16).padStart(2, "0")).join("")}`;
}

describe.each(["light", "dark"])("%s theme", (name) => {
  const colours = theme(name);

  it.each(Object.keys(SIGHTS))("tells every two entries of the legend apart with %s sight", (sight) => {
    [...STATUSES].forEach((one, at) => {
      for (const other of STATUSES.slice(at + 1)) {
        const far = distance(colours[hueOf(one)] ?? colours.soft, colours[hueOf(other)] ?? colours.soft, SIGHTS[sight]) >= 20;
        expect(far || glyphOf(one) !== glyphOf(other), `${one} and ${other}`).toBe(true);
      }
    });
  });

  it.each(["normal", "protan", "deutan", "tritan"])("keeps its three hues apart with %s sight, letters aside", (sight) => {
    for (const [one, other] of [["shard", "replicate"], ["shard", "ignore"], ["replicate", "ignore"]]) {
      expect(distance(colours[one], colours[other], SIGHTS[sight]), `${one} and ${other}`).toBeGreaterThanOrEqual(20);
    }
  });

  it("can be read: text, letters on swatches, finds and selected rows", () => {
    for (const ground of ["paper", "raised", "chosen", "find"]) expect(contrast(colours.ink, colours[ground]), `ink on ${ground}`).toBeGreaterThan(4.5);
    for (const ground of ["paper", "raised", "chosen"]) expect(contrast(colours.soft, colours[ground]), `soft on ${ground}`).toBeGreaterThan(4.5);
    for (const hue of ["shard", "replicate", "ignore"]) {
      expect(contrast(colours[`${hue}-ink`], colours[hue]), `letter on ${hue}`).toBeGreaterThan(4.5);
      expect(contrast(colours[hue], colours.paper), `hollow ${hue}`).toBeGreaterThan(4.5);
    }
    expect(contrast(colours.ring, colours.paper)).toBeGreaterThan(3);
    expect(contrast(colours.ring, colours.chosen)).toBeGreaterThan(3);
  });
});

describe("the ramp", () => {
  const steps = [0, 0.25, 0.5, 0.75, 1].map((t) => ramp(t));

  it.each(Object.keys(SIGHTS))("goes from light to dark in steps that %s sight tells apart", (sight) => {
    for (let k = 1; k < steps.length; k++) expect(distance(hex(steps[k - 1].colour), hex(steps[k].colour), SIGHTS[sight])).toBeGreaterThan(10);
    const light = steps.map(({ colour }) => luminance(linear(hex(colour))));
    expect(light).toEqual([...light].sort((a, b) => b - a));
  });

  it("has an ink on every tone that can be read", () => {
    for (let t = 0; t <= 1; t += 0.02) expect(contrast(hex(ramp(t).colour), ramp(t).ink), `at ${t}`).toBeGreaterThan(4.5);
  });
});

// Colours by something else than the status: one hue from light to dark, so that the order survives grey-scale and colour
// blindness. The status stays in each row's letter and shape.
import type { Tree } from "../payload";
import type { Plan } from "./plan";
import type { Paint } from "./contract";

export type Colouring = "status" | "dfs" | "unit" | "bytes";

export const COLOURINGS: Record<Colouring, string> = { status: "status", dfs: "DFS position", unit: "unit", bytes: "bytes per rank" };

const UNIT_TONES = 5; // neighbours in the order of units differ by at least two fifths of the ramp
const STEPS = [0, 3, 1, 4, 2];

const NEUTRAL: Paint = { colour: "var(--line)", ink: "var(--ink)" }; // has no number in this colouring

/** From light (0) to dark (1), with the ink that reads best on it. */
export function ramp(t: number): Paint {
  const part = Math.max(0, Math.min(1, t));
  const colour = `hsl(${Math.round(205 + 15 * part)} ${Math.round(75 - 10 * part)}% ${Math.round(88 - 66 * part)}%)`;
  return { colour, ink: part < 0.575 ? "#000" : "#fff" };
}

/** The paint of each module; null for the colours of the statuses. `bytes` are those of each module's subtree. */
export function paintBy(colouring: Colouring, tree: Tree, plan: Plan, bytes: (node: number) => number): ((node: number) => Paint) | null {
  if (colouring === "dfs") return (node) => ramp(node / Math.max(1, tree.size - 1));
  if (colouring === "unit") return (node) => (plan.unitOf[node] < 0 ? NEUTRAL : ramp(STEPS[plan.unitOf[node] % UNIT_TONES] / (UNIT_TONES - 1)));
  if (colouring === "status") return null;
  const [low, high] = boundsOf(tree, bytes);
  return (node) => (bytes(node) > 0 ? ramp(logPart(bytes(node), low, high)) : NEUTRAL);
}

/** Smallest and largest number of bytes of any module that has some. */
export function boundsOf(tree: Tree, bytes: (node: number) => number): [low: number, high: number] {
  let [low, high] = [Infinity, 0];
  for (let node = 0; node < tree.size; node++) {
    const value = bytes(node);
    if (value > 0) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return [Math.min(low, high), high];
}

const logPart = (value: number, low: number, high: number) => (high > low ? Math.log(value / low) / Math.log(high / low) : 1);

// The hue of a status: what marks a module and what only lies under a mark share it, the letter tells them apart.
export type Hue = "shard" | "replicate" | "ignore" | "none";

const HUES: Record<string, Hue> = { f: "shard", r: "replicate", i: "ignore" };

export const hueOf = (letter: string): Hue => HUES[letter.toLowerCase()] ?? "none";

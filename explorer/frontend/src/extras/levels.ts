// What a boundary that is moved one level would mark, as shown while it is dragged. Python decides when it is let go: it also
// knows what is taken. No DOM.
import type { Tree } from "../payload";

export type Way = "up" | "down";

const BARE = new Set(["ModuleList", "ModuleDict"]); // containers that can be no unit: the boundary goes past them

const isBare = (tree: Tree, node: number) => BARE.has(tree.classes[tree.cls[node]][0]);

export function targetsOf(tree: Tree, nodes: readonly number[], way: Way): number[] {
  const targets = way === "up" ? nodes.map((node) => parentOf(tree, node)).filter((node) => node >= 0) : nodes.flatMap((node) => childrenOf(tree, node));
  return [...new Set(targets)].sort((a, b) => a - b);
}

function parentOf(tree: Tree, node: number): number {
  let above = tree.parent[node];
  while (above >= 0 && isBare(tree, above)) above = tree.parent[above];
  return above;
}

function childrenOf(tree: Tree, node: number): number[] {
  const found: number[] = [];
  for (let kid = node + 1; kid < tree.end[node]; kid = tree.end[kid]) {
    if (isBare(tree, kid)) found.push(...childrenOf(tree, kid));
    else if (tree.total[tree.cls[kid]] > 0) found.push(kid);
  }
  return found;
}

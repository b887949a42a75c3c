// Tied parameters: the letters of those that a module holds, and how many modules below one hold any.
import type { Tree } from "../payload";

export interface Ties {
  lettersOf: ReadonlyMap<number, string[]>; // by module
  holders: Int32Array; // modules with tied parameters before each one
}

const known = new WeakMap<Tree, Ties>();

export function tiesOf(tree: Tree): Ties {
  const ties = known.get(tree) ?? worked(tree);
  known.set(tree, ties);
  return ties;
}

function worked({ ties, size }: Tree): Ties {
  const lettersOf = new Map<number, string[]>();
  ties.forEach((nodes, at) => {
    const letter = at < 26 ? String.fromCharCode(97 + at) : String(at);
    for (const node of nodes) lettersOf.set(node, [...(lettersOf.get(node) ?? []), letter]);
  });
  const holders = new Int32Array(size + 1);
  for (const node of lettersOf.keys()) if (node >= 0) holders[node + 1] = 1;
  for (let at = 0; at < size; at++) holders[at + 1] += holders[at];
  return { lettersOf, holders };
}

export const tiedBelow = (tree: Tree, node: number) => tiesOf(tree).holders[tree.end[node]] - tiesOf(tree).holders[node + 1];

// Parameters that another parallelism has cut already, as two letters: TP, PP, EP; DT for a DTensor that none of these cut.
import type { Tree } from "../payload";

const CHIPS: Record<string, string> = { T: "TP", P: "PP", E: "EP", D: "DT" };
export const CUT_WORDS: Record<string, string> = { TP: "cut by tensor parallelism", PP: "cut by pipeline parallelism", EP: "cut by expert parallelism", DT: "a DTensor already" };

interface Cuts {
  own: string[][]; // by class
  total: string[][]; // of the whole subtree
}

const known = new WeakMap<Tree, Cuts>();

/** The chips of a module's own parameters, or of all below it too. */
export function cutsOf(tree: Tree, node: number, below: boolean): string[] {
  const cuts = known.get(tree) ?? worked(tree);
  known.set(tree, cuts);
  return cuts[below ? "total" : "own"][tree.cls[node]];
}

/** Classes are listed children first, so one pass is enough. */
function worked({ classes }: Tree): Cuts {
  const cuts: Cuts = { own: [], total: [] };
  for (const [, params, kids] of classes) {
    const own = Object.keys(CHIPS).filter((letter) => params.some(([, , , flags]) => flags.includes(letter))).map((letter) => CHIPS[letter]);
    cuts.own.push(own);
    cuts.total.push([...new Set([...own, ...kids.flatMap(([, , kid]) => cuts.total[kid])])]);
  }
  return cuts;
}

// Which modules learn nothing: they have parameters, and all of them are frozen.
import type { Tree } from "../payload";

const known = new WeakMap<Tree, Uint8Array>(); // by class: 0 no parameter, 1 only frozen ones, 2 others too

export function isFrozen(tree: Tree, node: number): boolean {
  const learning = known.get(tree) ?? learningOf(tree);
  known.set(tree, learning);
  return learning[tree.cls[node]] === 1;
}

/** Classes are listed children first, so one pass is enough. */
function learningOf({ classes }: Tree): Uint8Array {
  const learning = new Uint8Array(classes.length);
  classes.forEach(([, own, kids], at) => {
    for (const [, , , flags] of own) if (!flags.includes("b")) learning[at] = Math.max(learning[at], flags.includes("f") ? 1 : 2);
    for (const [, , kid] of kids) learning[at] = Math.max(learning[at], learning[kid]);
  });
  return learning;
}

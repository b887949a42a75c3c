// The geometry of the icicle: the model as rectangles, width by parameters, one level under the other. Drawn from classes:
// what is narrower than a pixel is never entered, so the work depends on the width of the strip, not on the model. No DOM.
import type { Tree } from "../payload";

export interface Block {
  node: number; // its module; the first one where several share the rectangle
  many: number; // modules side by side that are too narrow to be told apart, 1 for a single one
  stride: number; // indices from one of them to the next
  level: number;
  left: number; // pixels
  width: number;
}

export const THINNEST = 1;

/** Rectangles from the root down to `levels` levels, parents before children, from left to right. */
export function blocksOf(tree: Tree, width: number, levels: number): Block[] {
  const whole = tree.total[tree.cls[0]];
  if (!(whole > 0)) return [];
  const scale = width / whole;
  const blocks: Block[] = [];
  const stack: Block[] = [{ node: 0, many: 1, stride: tree.size, level: 0, left: 0, width }];
  while (stack.length > 0) {
    const block = stack.pop()!;
    blocks.push(block);
    if (block.many === 1 && block.level + 1 < levels) stack.push(...kidsOf(tree, block, scale).reverse());
  }
  return blocks;
}

/** A module's own parameters come first, as free space; runs of children that are too narrow share one rectangle. */
function kidsOf(tree: Tree, parent: Block, scale: number): Block[] {
  const kids: Block[] = [];
  let left = parent.left + tree.own[tree.cls[parent.node]] * scale;
  let index = parent.node + 1;
  for (const [from, to, cls] of tree.classes[tree.cls[parent.node]][2]) {
    const times = to === null ? 1 : Number(to) - Number(from) + 1;
    const width = tree.total[cls] * scale;
    const stride = tree.end[index] - index;
    const level = parent.level + 1;
    if (width >= THINNEST) for (let k = 0; k < times; k++) kids.push({ node: index + k * stride, many: 1, stride, level, left: left + k * width, width });
    else if (width * times >= THINNEST) kids.push({ node: index, many: times, stride, level, left, width: width * times });
    left += width * times;
    index += stride * times;
  }
  return kids;
}

/** The module under a point: the deepest rectangle there; within a shared one, the module that the place stands for. */
export function moduleAt(blocks: readonly Block[], x: number, level: number): number {
  let hit: Block | undefined;
  for (const block of blocks) if (block.level <= level && x >= block.left && x < block.left + block.width) hit = block;
  if (!hit) return -1;
  return hit.node + hit.stride * Math.min(hit.many - 1, Math.floor(((x - hit.left) / hit.width) * hit.many));
}


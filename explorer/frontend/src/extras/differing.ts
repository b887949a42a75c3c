// What a plan says otherwise than an earlier one, module by module: marks that came, went or became others, and modules that
// only follow, because what rules them did. No DOM.
import { STATUSES } from "../plan";
import type { Tree } from "../payload";
import { fqnOf } from "../payload";
import { STATUS_WORDS } from "../words";
import type { Plan } from "./plan";

export const KINDS = ["", "added", "removed", "changed", "follows"] as const;
export type Kind = (typeof KINDS)[number];
export const SIGNS: Record<Kind, string> = { "": "", added: "+", removed: "−", changed: "~", follows: "→" };

export interface Difference {
  readonly kinds: Uint8Array; // by module: place in KINDS
  readonly counts: Record<Kind, number>;
  readonly before: Plan;
}

const isMark = (letter: string) => "FRI".includes(letter);

export function differenceOf(tree: Tree, before: Plan, now: Plan): Difference {
  const kinds = new Uint8Array(tree.size);
  const counts: Record<Kind, number> = { "": 0, added: 0, removed: 0, changed: 0, follows: 0 };
  const settings = [settingsOf(before), settingsOf(now)];
  for (let node = 0; node < tree.size; node++) {
    const [was, is] = [STATUSES[before.status[node]], STATUSES[now.status[node]]];
    const same = was === is && before.head[node] === now.head[node];
    const kind = isMark(was) && isMark(is) ? (same && settings[0](node) === settings[1](node) ? 0 : 3) : isMark(is) ? 1 : isMark(was) ? 2 : same ? 0 : 4;
    kinds[node] = kind;
    counts[KINDS[kind]]++;
  }
  return { kinds, counts, before };
}

/** What the unit that a module is the first of was made with, and of which modules. */
function settingsOf({ unitAt }: Plan): (node: number) => string {
  return (node) => {
    const unit = unitAt.get(node);
    return unit ? JSON.stringify([unit.strategy, unit.options, unit.fqns]) : "";
  };
}

/** `was unmanaged`, in words. */
export const wasText = ({ before }: Difference, node: number) => `was ${STATUS_WORDS[STATUSES[before.status[node]]]}`;

export interface Line {
  kind: Kind;
  name: string; // numbers in it that differ are `*`
  was: string; // letters of the statuses
  is: string;
  nodes: number[];
}

/** The changes as a list: those alike in all but the numbers in their names are one line. What only follows is left out. */
export function linesOf(tree: Tree, { kinds, before }: Difference, now: Plan): Line[] {
  const lines = new Map<string, Line>();
  kinds.forEach((kind, node) => {
    if (kind === 0 || kind === 4) return;
    const [was, is] = [STATUSES[before.status[node]], STATUSES[now.status[node]]];
    const fqn = fqnOf(tree, node);
    const name = fqn.replace(/(^|\.)\d+(?=\.|$)/g, "$1*");
    const key = `${kind} ${was} ${is} ${name}`;
    const line = lines.get(key);
    if (line) {
      line.nodes.push(node);
      line.name = name;
    } else lines.set(key, { kind: KINDS[kind], name: fqn, was, is, nodes: [node] });
  });
  return [...lines.values()];
}

/** Lines of code that are gone, and those that are new, in their order. */
export function codeChanges(before: string, now: string): { gone: string[]; fresh: string[] } {
  const [old, young] = [before, now].map((code) => code.split("\n").filter((line) => line.trim()));
  return { gone: without(old, young), fresh: without(young, old) };
}

function without(lines: string[], others: string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

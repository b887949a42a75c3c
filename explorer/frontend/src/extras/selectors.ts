// Selectors: a line of text that finds modules, read as explorer/selectors.py reads it (the cases of both are in
// tests/explorer/selectors.json), so that the page can count while one types.
//
//     layers.*                   a name or pattern; `.` is the root
//     type:Block params>10M      blanks: all of these hold
//     unit:u7, tied              commas: any of these holds
//     h.** !type:LayerNorm       `!`: does not hold
import { find, type Tree } from "../payload";
import type { Plan } from "./plan";
import { STATUSES } from "../plan";
import { componentsOf, matcher, namesMatching } from "./patterns";

export interface Term {
  kind: string;
  text: string;
  negated: boolean;
}

/** A selector that cannot be read, and the part of it that is to blame ("": the whole). */
export class SelectorError extends Error {
  constructor(readonly part: string, why: string) {
    super(part ? `${part}: ${why}` : why);
  }
}

const KINDS = ["name", "type", "unit", "status", "finding", "conflict"];
const WORDS = ["tied", "frozen", "shared"];
const SCALES: Record<string, number> = { "": 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
const STATUS_NAMES = ["unmanaged", "fully_shard", "in_unit", "replicate", "replicated", "ignored", "in_ignored"]; // as STATUSES
const BRACKETS = /(\[[^\]]+\])/;
const SIGN = /\s*(>=|<=|>|<|=)\s*/g;
const TOKEN = /(?:\[[^\]]+\]|[^,\s])+|,/g;
const BOUND = /^([^<>=]*)(>=|<=|>|<|=)(\d+(?:\.\d+)?)([KMBT]?)$/i;

/** Alternatives of terms that all hold. */
export function readSelector(text: string): Term[][] {
  const joined = text.split(BRACKETS).map((part, at) => (at % 2 ? part : part.replace(SIGN, "$1"))).join("");
  const alternatives: Term[][] = [[]];
  for (const token of joined.match(TOKEN) ?? []) {
    if (token !== ",") alternatives[alternatives.length - 1].push(readTerm(token));
    else alternatives.push([]);
  }
  if (alternatives.length === 1 && alternatives[0].length === 0) throw new SelectorError("", "it says nothing");
  if (alternatives.some((terms) => terms.length === 0)) throw new SelectorError("", "an alternative is empty");
  return alternatives;
}

function readTerm(token: string): Term {
  const negated = token.startsWith("!");
  const text = negated ? token.slice(1) : token;
  const bare = text.split(BRACKETS).filter((_, at) => at % 2 === 0).join("");
  if (WORDS.includes(text)) return { kind: text, text: "", negated };
  if (/[<>=]/.test(bare)) {
    const match = BOUND.exec(text);
    if (!match || !["params", "own"].includes(match[1])) throw new SelectorError(token, "a comparison is params or own, a sign, and a number such as 10M");
    return { kind: match[1], text: text.slice(match[1].length), negated };
  }
  const colon = bare.includes(":") ? text.indexOf(":") : -1;
  const kind = colon < 0 ? "name" : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (!KINDS.includes(kind)) throw new SelectorError(token, `no such kind; known are ${KINDS.join(", ")}`);
  if (!rest || rest.startsWith("!")) throw new SelectorError(token, "something is missing");
  return { kind, text: rest, negated };
}

/** The modules that a selector finds, ascending. */
export function select(tree: Tree, plan: Plan, text: string): number[] {
  const found = new Uint8Array(tree.size);
  for (const terms of readSelector(text)) {
    const kept = new Uint8Array(tree.size).fill(1);
    for (const term of terms) {
      const held = new Uint8Array(tree.size);
      HOLDS[term.kind](tree, plan, term.text, held);
      for (let at = 0; at < tree.size; at++) if (held[at] === (term.negated ? 1 : 0)) kept[at] = 0;
    }
    for (let at = 0; at < tree.size; at++) found[at] |= kept[at];
  }
  const nodes: number[] = [];
  for (let at = 0; at < tree.size; at++) if (found[at]) nodes.push(at);
  return nodes;
}

type Holding = (tree: Tree, plan: Plan, text: string, held: Uint8Array) => void;

const byClass = (holds: (tree: Tree, cls: number, text: string) => boolean): Holding => (tree, _, text, held) => {
  const classes = tree.classes.map((_each, cls) => holds(tree, cls, text));
  for (let at = 0; at < tree.size; at++) held[at] = Number(classes[tree.cls[at]]);
};

const byRemark = (list: "findings" | "conflicts"): Holding => (_, { state }, text, held) => {
  const matches = matcher(text);
  for (const { kind, indices } of state[list]) if (matches(kind)) for (const at of indices) held[at] = 1;
};

const flagged = (flags: RegExp) => byClass((tree, cls) => tree.classes[cls][1].some(([, , , each]) => !each.includes("b") && flags.test(each)));

const HOLDS: Record<string, Holding> = {
  name: (tree, _, text, held) => {
    const exact = text === "." ? 0 : find(tree, text);
    if (exact >= 0) held[exact] = 1;
    else namesMatching(tree, componentsOf(text), held);
  },
  type: byClass((tree, cls, text) => {
    const [type] = tree.classes[cls];
    return matcher(text)(type) || matcher(text)(type.slice(type.lastIndexOf(".") + 1));
  }),
  unit: (tree, plan, text, held) => {
    const matches = matcher(/^\d+$/.test(text) ? `u${text}` : text);
    const units = plan.state.units.map(({ n }) => matches(`u${n}`));
    for (let at = 0; at < tree.size; at++) held[at] = Number(plan.unitOf[at] >= 0 && units[plan.unitOf[at]]);
  },
  status: (tree, plan, text, held) => {
    const matches = matcher(text);
    const wanted = STATUS_NAMES.map((name, at) => text === STATUSES[at] || matches(name));
    for (let at = 0; at < tree.size; at++) held[at] = Number(wanted[plan.status[at]]);
  },
  finding: byRemark("findings"),
  conflict: byRemark("conflicts"),
  params: byClass((tree, cls, text) => compares(tree.total[cls], text)),
  own: byClass((tree, cls, text) => compares(tree.own[cls], text)),
  tied: flagged(/[ts]/),
  frozen: flagged(/f/),
  shared: (tree, _, __, held) => {
    for (const [, , target, kind] of tree.refs) if (kind === "shared") held[target] = 1;
  },
};

function compares(numel: number, text: string): boolean {
  const [, , sign, number, scale] = BOUND.exec(text)!;
  const bound = Number(number) * SCALES[scale.toUpperCase()];
  return { ">=": numel >= bound, "<=": numel <= bound, ">": numel > bound, "<": numel < bound, "=": numel === bound }[sign]!;
}

// Names and patterns as in sharding/patterns.py: `*` stays inside one name between dots, `**` as a name of its own crosses any
// number of them, `?` is one character, `[...]` a set of them. A pattern is walked down the tree, each module handing its
// children how much of it is matched so far, so that no full name is ever put together.
import type { Tree } from "../payload";

/** Whether a word as a whole matches a pattern. */
export function matcher(pattern: string): (word: string) => boolean {
  const regex = new RegExp(`^(?:${pattern.split(".").map(component).join("\\.")})$`, "s");
  return (word) => regex.test(word);
}

/** The names between the dots, as tests; null for `**`, which any number of names match. */
export type Components = (((name: string) => boolean) | null)[];

export function componentsOf(pattern: string): Components {
  return pattern.split(".").map((part) => {
    if (part === "**") return null;
    const regex = new RegExp(`^(?:${component(part)})$`, "s");
    const known = new Map<string, boolean>();
    return (name) => {
      const answer = known.get(name) ?? regex.test(name);
      known.set(name, answer);
      return answer;
    };
  });
}

function component(part: string): string {
  return part.replace(/\*\*|\*|\?|\[([^\]][^\]]*)\]|[\s\S]/g, (sign, set: string | undefined) => {
    if (set !== undefined) return `[${set.replace(/[\\\]^-]/g, "\\$&")}]`;
    return { "**": ".*", "*": "[^.]*", "?": "[^.]" }[sign] ?? sign.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  });
}

/** Marks the modules one of whose names matches. Bit k of a module's state: the first k components are matched by its name. */
export function namesMatching(tree: Tree, components: Components, held: Uint8Array): void {
  const states = new Int32Array(tree.size);
  states[0] = skipped(components, 1);
  const done = 1 << components.length;
  for (let again = true; again; ) {
    again = false;
    for (let at = 1; at < tree.size; at++) states[at] |= step(components, states[tree.parent[at]], tree.names[at]);
    for (const [parent, attr, target, kind] of tree.refs) {
      const more = kind === "shared" ? step(components, states[parent], attr) : 0;
      if ((more | states[target]) !== states[target]) again = true; // what lies below it has one more name
      states[target] |= more;
    }
  }
  for (let at = 1; at < tree.size; at++) if (states[at] & done) held[at] = 1;
}

function step(components: Components, state: number, name: string): number {
  if (state === 0) return 0;
  let next = 0;
  for (let k = 0; k < components.length; k++) {
    if (!(state & (1 << k))) continue;
    const matches = components[k];
    if (matches === null) next |= (1 << k) | (k === components.length - 1 ? 1 << (k + 1) : 0);
    else if (matches(name)) next |= 1 << (k + 1);
  }
  return skipped(components, next);
}

/** `**` between others may stand for no name at all. */
function skipped(components: Components, state: number): number {
  for (let k = 0; k < components.length - 1; k++) if (components[k] === null && state & (1 << k)) state |= 1 << (k + 1);
  return state;
}

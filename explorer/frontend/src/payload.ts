// The model as the page holds it: the class payload of Python, materialised into one typed array per fact.
// A payload lists every distinct subtree once; instances exist only here, numbered by their pre-order index.

export type Own = [name: string, shape: number[], dtype: string, flags: string];
export type Kid = [from: string, to: string | null, cls: number];
export type ModuleClass = [type: string, own: Own[], kids: Kid[], marks?: string]; // marks: "c" checkpointed
export type Reference = [parent: number, attr: string, target: number, kind: "shared" | "back", place?: number]; // place: among what the parent holds, where children follow

export interface TreePayload {
  v: number;
  name: string;
  classes: ModuleClass[]; // children before parents
  root: number;
  refs: Reference[];
  ties: string[][];
}

export interface Tree {
  readonly title: string;
  readonly classes: ModuleClass[];
  readonly size: number;
  readonly cls: Int32Array; // class of each module
  readonly end: Int32Array; // the subtree of i is [i, end[i])
  readonly depth: Int32Array;
  readonly parent: Int32Array; // -1 for the root
  readonly names: string[]; // attribute name in the parent, "" for the root
  readonly own: Float64Array; // per class: elements of its direct parameters
  readonly total: Float64Array; // per class: elements of its whole subtree, a tied tensor once
  readonly refs: Reference[];
  readonly refsOf: Map<number, number[]>; // parent index -> positions in refs
  readonly ties: number[][]; // the modules that hold each tied parameter
  readonly links: Map<number, Link[]>; // what leads from a module to another one: folds ask whether they lead alike
}

export interface Link {
  kind: "shared modules" | "ties";
  label: string;
  target: number; // of a tie: its first holder; for that, the last
}

export const VERSION = 1;

export function parseTree(text: string): Tree {
  const payload = JSON.parse(text) as TreePayload;
  if (payload.v !== VERSION) {
    throw new Error(`The tree has format ${payload.v}; this page reads format ${VERSION}. Reinstall the package and restart the kernel.`);
  }
  return materialise(payload);
}

export function materialise(payload: TreePayload): Tree {
  const { classes, root } = payload;
  const { modules, own, total } = weigh(classes);
  const size = modules[root];
  const tree: Tree = {
    title: payload.name,
    classes,
    size,
    cls: new Int32Array(size),
    end: new Int32Array(size),
    depth: new Int32Array(size),
    parent: new Int32Array(size),
    names: new Array<string>(size),
    own,
    total,
    refs: payload.refs ?? [],
    refsOf: new Map(),
    ties: [],
    links: new Map(),
  };
  number(tree, root, modules);
  tree.refs.forEach(([parent, attr, target, kind], at) => {
    add(tree.refsOf, parent, at);
    add(tree.links, parent, { kind: "shared modules", label: `${kind} ${attr}`, target });
  });
  linkTies(tree, payload.ties ?? []);
  return tree;
}

/** Modules and elements below each class; classes are listed children first, so one pass is enough. */
function weigh(classes: ModuleClass[]) {
  const modules = new Float64Array(classes.length);
  const own = new Float64Array(classes.length);
  const total = new Float64Array(classes.length);
  classes.forEach(([type, params, kids], at) => {
    own[at] = params.reduce((sum, param) => sum + (counts(param) ? numelOf(param) : 0), 0);
    modules[at] = 1;
    total[at] = own[at];
    for (const kid of kids) {
      if (!(kid[2] < at)) throw new Error(`The tree payload is broken: class ${at} (${type}) comes before its child ${kid[0]}.`);
      modules[at] += repeats(kid) * modules[kid[2]];
      total[at] += repeats(kid) * total[kid[2]];
    }
  });
  return { modules, own, total };
}

const counts = ([, , , flags]: Own) => !flags.includes("b") && !flags.includes("s");
const repeats = ([from, to]: Kid) => (to === null ? 1 : Number(to) - Number(from) + 1);
export const numelOf = ([, shape]: Own) => shape.reduce((product, dim) => product * dim, 1);

/** Gives every instance its pre-order index. An explicit stack: chains of 10,000 modules are real. */
function number(tree: Tree, root: number, modules: Float64Array): void {
  const stack: { kids: Kid[]; kid: number; nth: number; index: number }[] = [];
  let next = 0;
  const enter = (cls: number, name: string, parent: number) => {
    const index = next++;
    tree.cls[index] = cls;
    tree.end[index] = index + modules[cls];
    tree.depth[index] = stack.length;
    tree.parent[index] = parent;
    tree.names[index] = name;
    if (tree.classes[cls][2].length > 0) stack.push({ kids: tree.classes[cls][2], kid: 0, nth: 0, index });
  };
  enter(root, "", -1);
  while (stack.length > 0) {
    const top = stack[stack.length - 1];
    if (top.kid === top.kids.length) {
      stack.pop();
      continue;
    }
    const kid = top.kids[top.kid];
    const name = kid[1] === null ? kid[0] : String(Number(kid[0]) + top.nth);
    if (++top.nth === repeats(kid)) {
      top.kid++;
      top.nth = 0;
    }
    enter(kid[2], name, top.index);
  }
}

function linkTies(tree: Tree, ties: string[][]): void {
  const index = finder(tree);
  for (const names of ties) {
    const holders = names.map((name): [node: number, attr: string] => {
      const dot = name.lastIndexOf(".");
      return [index(name.slice(0, Math.max(0, dot))), name.slice(dot + 1)];
    });
    tree.ties.push(holders.map(([node]) => node));
    holders.forEach(([node, attr], nth) => {
      const [target, other] = holders[nth ? 0 : holders.length - 1];
      add(tree.links, node, { kind: "ties", label: `${attr} ${other}`, target });
    });
  }
}

function add<T>(lists: Map<number, T[]>, node: number, value: T): void {
  const list = lists.get(node);
  if (list) list.push(value);
  else lists.set(node, [value]);
}

export function fqnOf(tree: Tree, index: number): string {
  const parts: string[] = [];
  for (let at = index; at > 0; at = tree.parent[at]) parts.push(tree.names[at]);
  return parts.reverse().join(".");
}

/** The module of that FQN, -1 when there is none. */
export const find = (tree: Tree, fqn: string) => finder(tree)(fqn);

/** Finds many modules by FQN: children are looked up by name, not one after the other. */
function finder(tree: Tree): (fqn: string) => number {
  const kids = new Map<number, Map<string, number>>();
  const below = (parent: number) => {
    const named = kids.get(parent) ?? new Map<string, number>();
    if (named.size === 0) for (let kid = parent + 1; kid < tree.end[parent]; kid = tree.end[kid]) named.set(tree.names[kid], kid);
    kids.set(parent, named);
    return named;
  };
  return (fqn) => (fqn === "" ? 0 : fqn.split(".").reduce((at, part) => below(at).get(part) ?? -1, 0));
}

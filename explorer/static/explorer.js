// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.

// src/theme.ts
function hostTheme(body) {
  const jupyter = body.dataset.jpThemeLight;
  if (jupyter) return jupyter === "false" ? "dark" : "light";
  if (/\bvscode-(dark|high-contrast)\b/.test(body.className)) return "dark";
  return body.classList.contains("vscode-light") ? "light" : null;
}
function followTheme(root) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => root.dataset.theme = hostTheme(document.body) ?? (system.matches ? "dark" : "light");
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  system.addEventListener("change", apply);
  apply();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", apply);
  };
}

// src/dom.ts
function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}
function fit(element, count, make) {
  while (element.children.length < count) element.append(make());
  while (element.children.length > count) element.lastElementChild.remove();
}

// src/chunk.ts
var KEPT = Symbol.for("sharding-explorer.chunks");
var kept = () => globalThis[KEPT] ??= new Map();
var fromBlob = async (text) => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(
      /* @vite-ignore */
      url
    );
  } finally {
    URL.revokeObjectURL(url);
  }
};
async function loadExtras(talk, importing = fromBlob) {
  const known = kept();
  const reply = await talk.ask("chunk", { name: "extras", have: [...known.keys()] });
  if (!reply.ok) throw new Error(reply.error?.detail ?? "The kernel refused and gave no reason.");
  const { digest, text } = reply.value;
  const module = known.get(digest) ?? importing(text).then((loaded) => loaded.default);
  known.set(digest, module);
  module.catch(() => known.delete(digest));
  return module;
}

// src/runs.ts
function unroll(runs, parts) {
  const all = runs.flatMap(([start, ...rest]) => {
    const key = rest.splice(0, parts);
    let starts = [start];
    for (let at = 0; at < rest.length; at += 2) {
      const before = starts;
      const [times, apart] = [rest[at], rest[at + 1]];
      starts = Array.from({ length: times }, (_, k) => before.map((each) => each + k * apart)).flat();
    }
    return starts.map((each) => [each, ...key]);
  });
  return all.sort((a, b) => a[0] - b[0]);
}
function spread([common, ...runs], size) {
  const values = new Array(size).fill(common);
  for (const [place, value] of unroll(runs, 1)) values[place] = value;
  return values;
}
var spreadNumbers = ([slope, column], size) => spread(column, size).map((value, place) => value === null ? null : value + slope * place);

// src/plan.ts
var STATUSES = "uFfRrIi";
var PLAN_VERSION = 2;
var SEVERITIES = ["", "info", "warn", "error"];
var NO_PLAN = { v: PLAN_VERSION, rev: 0, areas: [], units: { num: 0, nparams: [0, [0]] }, conflicts: [], findings: [] };
function parsePlan(text, { size }) {
  const payload = text ? JSON.parse(text) : NO_PLAN;
  if (payload.v !== PLAN_VERSION) throw new Error(`The plan has format ${payload.v}, this page reads ${PLAN_VERSION}. Restart the kernel.`);
  const { num, nparams, setting = [0] } = payload.units;
  const counts2 = spreadNumbers(nparams, num);
  const plan = {
    payload,
    status: new Uint8Array(size),
    unitOf: new Int32Array(size).fill(-1),
    head: new Int32Array(size).fill(-1),
    members: new Map(),
    made: spread(setting, num).map((made, n) => `setting ${made}, ${counts2[n]} parameters`),
    alarm: new Uint8Array(size),
    groups: new Map()
  };
  for (const area of unroll(payload.areas, 2)) paint(plan, ...area);
  for (const { at, severity } of [...payload.findings, ...payload.conflicts]) {
    const level = severity === void 0 ? 3 : SEVERITIES.indexOf(severity);
    for (const [index] of unroll(at, 1)) plan.alarm[index] = Math.max(plan.alarm[index], level);
  }
  return plan;
}
function paint({ status, unitOf, head, members }, start, num, code) {
  const [letter] = code;
  const first = /f/i.test(letter) ? start - Number(code.slice(1)) : -1;
  if (start === first) members.set(first, []);
  if (letter === "F") members.get(first).push(start);
  status.fill(STATUSES.indexOf(letter.toLowerCase()), start, start + num);
  status[start] = STATUSES.indexOf(letter);
  head.fill(first, start, start + num);
  unitOf.fill(start === first ? members.size - 1 : unitOf[first] ?? -1, start, start + num);
}

// src/fold.ts
var MAX_PERIOD = 4;
function groupsOf(tree, plan, parent, split) {
  if (split) return kidsOf(tree, parent).map((kid) => single(tree, kid));
  const groups = plan.groups.get(parent) ?? gather(tree, plan, parent);
  plan.groups.set(parent, groups);
  return groups;
}
var holds = ({ end }, { first, times, stride }, node) => node >= first && node < first + times * stride && (node - first) % stride < end[first] - first;
function kidsOf(tree, parent) {
  const kids = [];
  for (let kid = parent + 1; kid < tree.end[parent]; kid = tree.end[kid]) kids.push(kid);
  return kids;
}
var single = (tree, first) => ({ first, times: 1, period: 1, stride: tree.end[first] - first });
function gather(tree, plan, parent) {
  const kids = kidsOf(tree, parent);
  const groups = [];
  let end = 0;
  for (let start = 0; start < kids.length; ) {
    if (start >= end) for (end = start + 1; end < kids.length && follows(tree, kids[end - 1], kids[end]); ) end++;
    const [period, reach] = longest(tree, plan, kids, start, end);
    for (let k = 0; k < Math.min(period, reach); k++) {
      const times = Math.ceil((reach - k) / period);
      const group = single(tree, kids[start + k]);
      groups.push(times === 1 ? group : { ...group, times, period, stride: kids[start + k + period] - group.first });
    }
    start += reach;
  }
  return groups;
}
var INTEGER = /^(0|[1-9]\d*)$/;
var follows = (tree, a, b) => INTEGER.test(tree.names[a]) && String(Number(tree.names[a]) + 1) === tree.names[b];
function longest(tree, plan, kids, start, end) {
  let best = [1, 1];
  for (let period = 1; period <= MAX_PERIOD && best[1] < end - start; period++) {
    let stop = start + period;
    while (stop < end && difference(tree, plan, kids[stop - period], kids[stop]) === "") stop++;
    const reach = stop - start;
    if (stop <= end && reach >= 2 * period && reach > best[1]) best = [period, reach];
  }
  return best;
}
function difference(tree, plan, a, b) {
  if (tree.cls[a] !== tree.cls[b]) return tree.classes[tree.cls[a]][0] === tree.classes[tree.cls[b]][0] ? "structure" : "type";
  const { status, head, alarm } = plan;
  const size = tree.end[a] - a;
  const place = (node, start) => node >= start && node < start + size ? node - start : -2 - node;
  for (let k = 0; k < size; k++) {
    if (status[a + k] !== status[b + k]) return "status";
    if (place(head[a + k], a) !== place(head[b + k], b)) return "owner";
    if (settingsOf(plan, a + k) !== settingsOf(plan, b + k)) return "unit settings";
    if (alarm[a + k] !== alarm[b + k]) return "findings";
    const unlike = unlikeLink(tree, a, b, k, place);
    if (unlike) return unlike;
  }
  return "";
}
function settingsOf(plan, index) {
  return plan.head[index] === index ? `${plan.made[plan.unitOf[index]]}, ${plan.members.get(index)?.length} modules` : "";
}
function unlikeLink({ links }, a, b, k, place) {
  if (links.size === 0) return "";
  const [one, other] = [links.get(a + k) ?? [], links.get(b + k) ?? []];
  for (let nth = 0; nth < one.length || nth < other.length; nth++) {
    const [mine, its] = [one[nth], other[nth]];
    if (!mine || !its || mine.label !== its.label || place(mine.target, a) !== place(its.target, b)) {
      return mine?.kind === "shared modules" ? mine.kind : (its ?? mine).kind;
    }
  }
  return "";
}

// src/rows.ts
var newFolds = (tree) => ({ open: new Uint8Array(tree.size), split: new Set() });
var NONE = [];
function visibleRows(tree, plan, folds) {
  const rows = [];
  const root = { first: 0, times: 1, period: 1, stride: tree.size };
  const stack = [{ groups: [root], refs: [], next: 0, parent: null }];
  while (stack.length > 0) {
    const frame = stack[stack.length - 1];
    const { groups, refs, next, parent } = frame;
    const siblings = groups.length + refs.length;
    if (next === siblings) {
      stack.pop();
      continue;
    }
    const ref = next < groups.length ? -1 : refs[next - groups.length];
    const { first, times, period, stride } = ref < 0 ? groups[next] : root;
    const node = ref < 0 ? first : tree.refs[ref][2];
    const row = { at: rows.length, node, ref, times, period, stride, parent, level: stack.length, position: ++frame.next, siblings };
    rows.push(row);
    if (ref < 0 && folds.open[node]) {
      stack.push({ groups: groupsOf(tree, plan, node, folds.split.has(node)), refs: tree.refsOf.get(node) ?? NONE, next: 0, parent: row });
    }
  }
  return rows;
}
var hasChildren = (tree, node) => tree.end[node] > node + 1 || tree.refsOf.has(node);
function upwards(row) {
  const all = [];
  for (let each = row; each; each = each.parent) all.push(each);
  return all;
}
var countOf = (row) => upwards(row).reduce((count, { times }) => count * times, 1);
var lastOf = (row) => upwards(row).reduce((last, { times, stride }) => last + (times - 1) * stride, row.node);
var labelOf = (tree, row) => upwards(row).slice(0, -1).map((each) => nameOf(tree, each)).reverse().join(".");
function nameOf(tree, { node, ref, times, period }) {
  const name = ref < 0 ? tree.names[node] : tree.refs[ref][1];
  if (times === 1) return name;
  const range = `${name}–${Number(name) + (times - 1) * period}`;
  return period === 1 ? range : `(${range})/${period}`;
}
function shownAt(tree, plan, folds, node, opening = false) {
  const path = [];
  for (let at = node; at > 0; at = tree.parent[at]) path.push(at);
  let shift = 0;
  let shown = 0;
  for (const at of path.reverse()) {
    if (opening) folds.open[shown] = 1;
    else if (!folds.open[shown]) return shown;
    const { first, stride } = groupsOf(tree, plan, shown, folds.split.has(shown)).find((group) => holds(tree, group, at - shift));
    shown = first + (at - shift - first) % stride;
    shift = at - shown;
  }
  return shown;
}
function openFirstLevels(tree, plan, folds, limit = 40) {
  folds.open[0] = 1;
  for (; ; ) {
    const closed = visibleRows(tree, plan, folds).filter(({ ref, node }) => ref < 0 && !folds.open[node] && hasChildren(tree, node));
    for (const { node } of closed) folds.open[node] = 1;
    if (closed.length === 0) return;
    if (visibleRows(tree, plan, folds).length > limit) {
      for (const { node } of closed) folds.open[node] = 0;
      return;
    }
  }
}

// src/payload.ts
var VERSION = 1;
function parseTree(text) {
  const payload = JSON.parse(text);
  if (payload.v !== VERSION) {
    throw new Error(`The tree has format ${payload.v}; this page reads format ${VERSION}. Reinstall the package and restart the kernel.`);
  }
  return materialise(payload);
}
function materialise(payload) {
  const { classes, root } = payload;
  const { modules, own, total } = weigh(classes);
  const size = modules[root];
  const tree = {
    title: payload.name,
    classes,
    size,
    cls: new Int32Array(size),
    end: new Int32Array(size),
    depth: new Int32Array(size),
    parent: new Int32Array(size),
    names: new Array(size),
    own,
    total,
    refs: payload.refs ?? [],
    refsOf: new Map(),
    ties: [],
    links: new Map()
  };
  number(tree, root, modules);
  tree.refs.forEach(([parent, attr, target, kind], at) => {
    add(tree.refsOf, parent, at);
    add(tree.links, parent, { kind: "shared modules", label: `${kind} ${attr}`, target });
  });
  linkTies(tree, payload.ties ?? []);
  return tree;
}
function weigh(classes) {
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
var counts = ([, , , flags]) => !flags.includes("b") && !flags.includes("s");
var repeats = ([from, to]) => to === null ? 1 : Number(to) - Number(from) + 1;
var numelOf = ([, shape]) => shape.reduce((product, dim) => product * dim, 1);
function number(tree, root, modules) {
  const stack = [];
  let next = 0;
  const enter = (cls, name, parent) => {
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
function linkTies(tree, ties) {
  const index = finder(tree);
  for (const names of ties) {
    const holders = names.map((name) => {
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
function add(lists, node, value) {
  const list = lists.get(node);
  if (list) list.push(value);
  else lists.set(node, [value]);
}
function fqnOf(tree, index) {
  const parts = [];
  for (let at = index; at > 0; at = tree.parent[at]) parts.push(tree.names[at]);
  return parts.reverse().join(".");
}
function finder(tree) {
  const kids = new Map();
  const below = (parent) => {
    const named2 = kids.get(parent) ?? new Map();
    if (named2.size === 0) for (let kid = parent + 1; kid < tree.end[parent]; kid = tree.end[kid]) named2.set(tree.names[kid], kid);
    kids.set(parent, named2);
    return named2;
  };
  return (fqn) => fqn === "" ? 0 : fqn.split(".").reduce((at, part) => below(at).get(part) ?? -1, 0);
}

// src/words.ts
var STATUS_WORDS = {
  u: "unmanaged",
  F: "fully sharded",
  f: "in a sharded unit",
  R: "replicated",
  r: "inside a replicated module",
  I: "ignored",
  i: "inside an ignored module"
};
var glyphOf = (letter) => letter === "u" ? "" : letter;
var SCALES = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]];
function shortNumel(numel) {
  const found = numel >= 1e4 && SCALES.find(([scale]) => numel >= scale);
  return found ? `${(numel / found[0]).toFixed(1)} ${found[1]}` : numel.toLocaleString("en");
}
function unitText({ unitOf }, row) {
  const [first, last] = [unitOf[row.node], unitOf[lastOf(row)]];
  return first < 0 ? "" : first === last ? `u${first}` : `u${first}–${last}`;
}
function describe(tree, plan, row) {
  const name = labelOf(tree, row) || "the root module";
  const { node, times } = row;
  if (row.ref >= 0) return `${name}: the same module as ${fqnOf(tree, node) || "the root"}, number ${node}`;
  const total = tree.total[tree.cls[node]];
  const count = countOf(row);
  const parts = [
    name,
    tree.classes[tree.cls[node]][0],
    times > 1 && `${times} alike`,
    STATUS_WORDS[STATUSES[plan.status[node]]],
    unitText(plan, row).replace("u", "unit "),
    `${shortNumel(total)} parameters${count > 1 ? ` each, ${shortNumel(total * count)} together` : ""}`,
    ["", "has a finding", "has a finding", "has a conflict"][plan.alarm[node]]
  ];
  return parts.filter(Boolean).join(", ");
}

// src/columns.ts
var SUBTREE = {
  key: "total",
  label: "subtree",
  title: "Elements of the subtree, each tensor once; of each one of a ×n row",
  text: ({ tree }, { node }) => tree.total[tree.cls[node]] ? shortNumel(tree.total[tree.cls[node]]) : ""
};
var UNIT = { key: "unit", label: "unit", title: "The unit that owns the parameters", text: ({ plan }, row) => unitText(plan, row) };

// src/commands.ts
var Conversation = class {
  constructor(send) {
    this.send = send;
  }
  send;
  #waiting = new Map();
  #sent = 0;
  #page = Math.random().toString(36).slice(2, 8);
  ask(cmd, fields = {}) {
    const id = `${this.#page}-${++this.#sent}`;
    return new Promise((answer) => {
      this.#waiting.set(id, answer);
      this.send({ id, cmd, ...fields });
    });
  }
  receive(message) {
    const answer = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    answer?.(message);
  }
};

// src/keys.ts
var PLAIN = {
  ArrowRight: { do: "open" },
  ArrowLeft: { do: "close" },
  Enter: { do: "enter" },
  "+": { do: "openAll" },
  "-": { do: "closeAll" },
  "*": { do: "openSiblings" },
  s: { do: "split" }
};
function actionOf({ key, shiftKey, ctrlKey, metaKey, altKey }, page) {
  if (altKey || ctrlKey || metaKey) return null;
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, End: Infinity, Home: -Infinity };
  if (key in steps) return { do: "move", by: steps[key], extend: shiftKey };
  const char = key.length === 1 ? key.toLowerCase() : key;
  return PLAIN[char] ?? (/^\w$/.test(char) ? { do: "typeAhead", char } : null);
}

// src/outline.ts
var NONE2 = new Set();
var Outline = class {
  constructor(tree, plan) {
    this.tree = tree;
    this.plan = plan;
    this.folds = newFolds(tree);
    openFirstLevels(tree, plan, this.folds);
    this.rows = visibleRows(tree, plan, this.folds);
  }
  tree;
  plan;
  rows = [];
  focus = 0;
  anchor = 0;
  like = NONE2;
  folds;
  arrange = (rows) => rows;
  isOpen = (row) => row.ref < 0 && this.folds.open[row.node] === 1;
  isParent = (row) => row.ref < 0 && hasChildren(this.tree, row.node);
  isSelected = ({ at, ref, node }) => at >= Math.min(this.anchor, this.focus) && at <= Math.max(this.anchor, this.focus) || ref < 0 && this.like.has(node);
  get focused() {
    return this.rows[this.focus];
  }
  select(at, extend = false) {
    this.focus = Math.max(0, Math.min(this.rows.length - 1, at));
    if (!extend) this.anchor = this.focus;
    this.like = NONE2;
  }
  typeAhead(char) {
    const { names, refs } = this.tree;
    const begins = ({ node, ref }) => (ref < 0 ? names[node] : refs[ref][1]).toLowerCase().startsWith(char);
    const next = this.rows.slice(this.focus + 1).find(begins) ?? this.rows.find(begins);
    if (next) this.select(next.at);
  }
  toggle(row) {
    if (!this.isParent(row)) return;
    this.folds.open[row.node] ^= 1;
    this.rebuild();
  }
  openSiblings() {
    for (const { parent, ref, node } of this.rows) if (ref < 0 && parent === this.focused.parent) this.folds.open[node] = 1;
    this.rebuild();
  }
  restore(open, split = []) {
    this.folds.open.fill(0);
    for (const index of open) this.folds.open[index] = 1;
    this.folds.split = new Set(split);
    this.rebuild();
  }
  openAll() {
    this.folds.open.fill(1);
    this.rebuild();
  }
  closeAll() {
    this.folds.open.fill(0, 1);
    this.rebuild();
  }
  split(row = this.focused) {
    const run = upwards(row).find(({ times }) => times > 1) ?? row;
    const parent = this.tree.parent[run.node];
    if (parent < 0 || row.ref >= 0) return;
    if (!this.folds.split.delete(parent)) this.folds.split.add(parent);
    this.rebuild();
  }
  open() {
    if (this.isOpen(this.focused)) this.select(this.focus + 1);
    else this.toggle(this.focused);
  }
  close() {
    if (this.isOpen(this.focused) && this.isParent(this.focused)) this.toggle(this.focused);
    else this.select(this.focused.parent?.at ?? 0);
  }
  enter() {
    if (this.focused.ref >= 0) this.jump(this.focused.node);
    else this.toggle(this.focused);
  }
  jump(node) {
    shownAt(this.tree, this.plan, this.folds, node, true);
    this.rebuild();
    this.select(this.rowOf(node));
  }
  rowOf(node) {
    const shown = shownAt(this.tree, this.plan, this.folds, node);
    return this.rows.findIndex((row) => row.ref < 0 && row.node === shown);
  }
  rebuild() {
    const [focus, anchor] = [this.focused, this.rows[this.anchor]];
    this.rows = this.arrange(visibleRows(this.tree, this.plan, this.folds));
    this.focus = this.#rowNear(focus);
    this.anchor = this.#rowNear(anchor);
  }
  #rowNear({ ref, node }) {
    if (ref < 0) return this.rowOf(node);
    const same = this.rows.findIndex((row) => row.ref === ref);
    return same >= 0 ? same : this.rowOf(this.tree.refs[ref][0]);
  }
};

// src/rowview.ts
var INDENT = 14;
var span = () => h("span");
function makeRow(kind, id) {
  return h("div", { class: kind, ...id ? { id, role: "treeitem" } : {} }, h("span", { class: "words" }), h("span", { class: "main", "aria-hidden": "true" }));
}
function lookOf(outline, columns, row) {
  const { tree, plan, focus } = outline;
  const { at, node } = row;
  const isModule = row.ref < 0;
  const letter = STATUSES[plan.status[node]];
  const isOpen = outline.isParent(row) ? outline.isOpen(row) : null;
  return {
    attributes: {
      "data-row": at,
      "data-status": isModule ? letter : "ref",
      "data-alarm": isModule ? plan.alarm[node] : 0,
      "data-lane": isModule && plan.unitOf[node] === unitOver(outline, row) ? "on" : "starts"
    },
    item: {
      "data-index": node,
      "data-fqn": labelOf(tree, row),
      "data-count": row.times,
      "data-focus": at === focus || null,
      "aria-level": row.level,
      "aria-posinset": row.position,
      "aria-setsize": row.siblings,
      "aria-selected": outline.isSelected(row),
      "aria-expanded": isOpen
    },
    style: { "--indent": `${Math.min(row.level - 1, 24) * INDENT}px` },
    main: isModule ? [["fold", isOpen === null ? "" : isOpen ? "▾" : "▸"], ["swatch", glyphOf(letter)], ...named(outline, row)] : reference(outline, row),
    cells: columns.map(({ key, text }) => {
      const said = isModule ? text(outline, row) : "";
      return { text: said, attributes: { class: `num ${key}`, "data-cell": key, "aria-hidden": true } };
    }),
    words: describe(tree, plan, row)
  };
}
function unitOver({ rows, plan }, { at }) {
  const above = rows[at - 1];
  return above && above.ref < 0 ? plan.unitOf[above.node] : -2;
}
function reference({ tree }, { ref, node }) {
  const [, attr, , kind] = tree.refs[ref];
  const type = `same as ${node === 0 ? tree.title : fqnOf(tree, node)} (#${node})`;
  return [["fold", kind === "back" ? "↺" : "↪"], ["swatch", ""], ["name", attr], ["type", type]];
}
function named({ tree, plan, folds }, row) {
  const { node, times } = row;
  const [type] = tree.classes[tree.cls[node]];
  const name = nameOf(tree, row);
  const above = tree.names[tree.parent[node]];
  const marks = [
    ["times", times > 1 ? `×${times}` : folds.split.has(tree.parent[node]) ? "⊟" : ""],
    ["alarm", ["", "i", "▲", "!"][plan.alarm[node]]]
  ];
  return [
    ["name", node === 0 ? tree.title : above && /^\(?\d/.test(name) ? `${above}.${name}` : name],
    ["type", node === 0 && type === tree.title ? "" : type],
    ...marks.filter(([, text]) => text)
  ];
}
function drawRow(element, { attributes, item, style, main, cells, words }, pinned) {
  const [spoken, seen] = element.children;
  setAttributes(element, attributes);
  if (!pinned) {
    setAttributes(element, item);
    setText(spoken, words);
  }
  for (const name in style) element.style.setProperty(name, style[name]);
  fit(seen, main.length, span);
  main.forEach(([cell, text], k) => {
    setAttributes(seen.children[k], { "data-cell": cell });
    setText(seen.children[k], text);
  });
  fit(element, 2 + cells.length, span);
  cells.forEach(({ text, attributes: attributes2 }, k) => {
    setAttributes(element.children[2 + k], attributes2);
    setText(element.children[2 + k], text);
  });
}

// src/virtual.ts
var SPARE = 1;
var TALLEST = 16e6;
var VirtualList = class {
  constructor(rowHeight, attributes, make, fill) {
    this.rowHeight = rowHeight;
    this.make = make;
    this.fill = fill;
    this.view = h("div", attributes, this.#pad);
    this.view.addEventListener("scroll", () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.paint());
    });
    this.#resize.observe(this.view);
  }
  rowHeight;
  make;
  fill;
  view;
  #pad = h("div", { class: "pad", role: "presentation" });
  #pool = [];
  #shown = [];
  #count = 0;
  #frame = 0;
  #shift = 0;
  #resize = new ResizeObserver(() => this.paint());
  get page() {
    return Math.max(1, Math.floor(this.view.clientHeight / this.rowHeight));
  }
  get first() {
    return this.view.scrollTop * this.#scale / this.rowHeight;
  }
  jumpTo(row) {
    this.view.scrollTop = row * this.rowHeight / this.#scale;
  }
  get #scale() {
    const whole = this.#count * this.rowHeight;
    const { clientHeight } = this.view;
    return whole <= TALLEST ? 1 : (whole - clientHeight) / (TALLEST - clientHeight);
  }
  show(count, wanted = -1, lead = 0) {
    this.#count = count;
    this.#pad.style.height = `${Math.min(TALLEST, count * this.rowHeight)}px`;
    this.#shown.fill(-1);
    const seen = this.view.clientHeight / this.rowHeight;
    if (wanted >= 0 && wanted < this.first + lead) this.jumpTo(Math.max(0, wanted - lead));
    else if (seen > 0 && wanted + 1 > this.first + seen) this.jumpTo(wanted + 1 - seen);
    this.paint();
  }
  paint() {
    const fit2 = Math.min(this.#count, this.page + 1 + 2 * SPARE);
    const first = Math.max(0, Math.floor(this.first) - SPARE);
    const last = Math.min(this.#count, first + fit2);
    const shift = this.view.scrollTop * (1 - this.#scale);
    while (this.#pool.length < fit2) this.#grow();
    if (shift !== this.#shift) this.#shown.fill(-1);
    this.#shift = shift;
    for (let row = first; row < first + this.#pool.length; row++) {
      const slot = row % this.#pool.length;
      const element = this.#pool[slot];
      element.hidden = row >= last;
      if (element.hidden || this.#shown[slot] === row) continue;
      this.#shown[slot] = row;
      element.style.transform = `translateY(${row * this.rowHeight + shift}px)`;
      this.fill(element, row);
    }
  }
  elementOf(row) {
    return this.#pool.find((element, slot) => this.#shown[slot] === row && !element.hidden);
  }
  destroy() {
    this.#resize.disconnect();
    cancelAnimationFrame(this.#frame);
  }
  #grow() {
    const element = this.make(this.#pool.length);
    this.#pool.push(element);
    this.#pad.append(element);
    this.#shown = this.#pool.map(() => -1);
  }
};

// src/tree.ts
var ROW_HEIGHT = 24;
var COMPACT = 20;
var SEEN = 18;
var TreeView = class {
  element;
  stage = h("div", { class: "stage" });
  list;
  rows;
  extras;
  pinned = 0;
  heads = h("div", { class: "heads", "aria-hidden": "true" });
  #height = "";
  #outline;
  #columns = [];
  constructor() {
    const attributes = { class: "rows", role: "tree", tabindex: 0, "aria-multiselectable": "true", "aria-label": "Modules" };
    this.list = new VirtualList(ROW_HEIGHT, attributes, (slot) => makeRow("row", `row-${slot}`), (element, at) => this.fill(element, at));
    this.rows = this.list.view;
    this.stage.append(this.rows);
    this.element = h("div", { class: "tree" }, this.heads, this.stage);
  }
  draw(outline = this.#outline, follow = false) {
    this.#outline = outline;
    const { rows, focus } = outline;
    const height = `${Math.min(rows.length, SEEN) * this.list.rowHeight + 2}px`;
    if (this.#height !== height) this.rows.style.height = this.#height = height;
    this.list.show(rows.length, follow ? focus : -1, Math.min(this.pinned, rows[focus].level - 1));
    setAttributes(this.rows, { "aria-activedescendant": this.list.elementOf(focus)?.id ?? null });
    this.extras?.drawn();
  }
  fill(element, at, pinned = false) {
    const row = this.#outline.rows[at];
    const look = lookOf(this.#outline, this.#columns, row);
    this.extras?.dress(look, row);
    drawRow(element, look, pinned);
  }
  show(columns, compact) {
    this.#columns = columns;
    this.list.rowHeight = compact ? COMPACT : ROW_HEIGHT;
    this.element.style.setProperty("--row", `${this.list.rowHeight}px`);
    this.heads.replaceChildren(h("span", { class: "main" }, "module"), ...columns.map(({ key, label, title }) => h("span", { class: `num ${key}`, title }, label)));
  }
  takeFocus = () => this.rows.focus({ preventScroll: true });
};

// src/explorer.ts
var MESSAGES = 1e3;
var ABSENT = "F fully sharded, f in its unit, R replicated, I ignored. Edits, runs and panels come from the kernel; without one the tree can be read, folded and walked with the keys.";
var Explorer = class {
  constructor(model) {
    this.model = model;
    this.talk = new Conversation((message) => model.send(message));
    this.view.rows.addEventListener("click", (event) => this.#click(event));
    this.view.rows.addEventListener("keydown", (event) => this.#press(event) && event.preventDefault());
    this.root.append(
      h("div", { class: "head" }, this.#title, " ", this.totals),
      h("div", { class: "body" }, h("div", { class: "outline" }, this.view.element)),
      this.status,
      this.panels
    );
  }
  model;
  root = h("div", { class: "shx", "data-kernel": "alive" });
  panels = h("div", { class: "slot tab note" }, ABSENT);
  status = h("div", { class: "status", "data-role": "status", role: "status", "aria-live": "polite" });
  talk;
  view = new TreeView();
  outline;
  restored = "";
  #title = h("b", { "data-role": "title" });
  totals = h("span", { class: "note", "data-role": "totals" });
  #unheard = [];
  #ended = false;
  readTree = () => {
    try {
      const tree = parseTree(this.#trait("tree"));
      this.outline = new Outline(tree, parsePlan(this.#trait("plan"), tree));
    } catch (error) {
      this.status.replaceChildren(h("b", {}, "The tree cannot be drawn"), h("p", {}, String(error)));
      return setAttributes(this.status, { "data-kind": "error" });
    }
    setText(this.#title, this.outline.tree.title);
    this.#restore();
    this.#changed("tree");
    return this.#showPlan();
  };
  readPlan = () => {
    if (!this.outline) return;
    this.outline.plan = parsePlan(this.#trait("plan"), this.outline.tree);
    this.outline.rebuild();
    this.#showPlan();
  };
  #showPlan() {
    const { tree, plan } = this.outline;
    setText(this.totals, `${tree.size.toLocaleString("en")} modules`);
    setAttributes(this.root, { "data-rev": plan.payload.rev });
    this.#changed("plan", "rows");
    this.view.draw(this.outline);
  }
  hear = (message) => {
    if (message.type === "reply") this.talk.receive(message);
    if (this.view.extras) this.view.extras.hear(message);
    else if (this.#unheard.length < MESSAGES) this.#unheard.push(message);
  };
  ready() {
    setAttributes(this.root, { "data-ready": 1 });
    if (!this.outline) return;
    loadExtras(this.talk).then(
      (extras) => {
        if (this.#ended) return;
        this.view.extras = extras.start(this);
        this.view.extras.started();
        for (const message of this.#unheard.splice(0)) this.hear(message);
      },
      (error) => setText(this.panels, `The panels could not be loaded: ${error.message}`)
    );
  }
  destroy() {
    this.#ended = true;
    this.view.list.destroy();
    this.view.extras?.destroy();
  }
  #trait = (name) => String(this.model.get(name) ?? "");
  #changed = (...changes) => this.view.extras?.changed(...changes);
  #press(event) {
    if (this.view.extras?.press(event)) return true;
    const action = actionOf(event, this.view.list.page - 1);
    if (action) this.act(action);
    return action !== null;
  }
  #click({ target, shiftKey }) {
    const { cell } = target.dataset;
    const row = this.outline.rows[Number(target.closest("[data-row]")?.dataset.row)];
    if (!row) return;
    if (cell === "fold" && this.outline.isParent(row)) this.#folded(() => this.outline.toggle(row));
    else if (cell === "times") this.#folded(() => this.outline.split(row));
    else this.moved(() => this.outline.select(row.at, shiftKey));
    this.view.takeFocus();
  }
  act(action) {
    const { outline } = this;
    if (action.do === "move") this.moved(() => outline.select(outline.focus + action.by, action.extend));
    else if (action.do === "typeAhead") this.moved(() => outline.typeAhead(action.char));
    else if (action.do === "open" || action.do === "close" || action.do === "enter") this.moved(() => outline[action.do]());
    else this.#folded(() => outline[action.do]());
  }
  moved(change) {
    change();
    this.#changed("focus", "rows");
    this.view.draw(this.outline, true);
  }
  #folded(change) {
    change();
    this.#changed("rows");
    this.view.draw();
  }
  #restore() {
    this.restored = this.#trait("view");
    const { open, split, selected = -1 } = JSON.parse(this.restored || "{}");
    this.view.show([SUBTREE, UNIT], false);
    if (open) this.outline.restore(open, split);
    if (selected >= 0 && selected < this.outline.tree.size) this.outline.jump(selected);
  }
};

// src/host.ts
function keepEvents(element) {
  element.setAttribute("data-lm-suppress-shortcuts", "true");
  for (const kind of ["keydown", "keyup", "keypress", "paste", "copy", "cut"]) {
    element.addEventListener(kind, (event) => event.stopPropagation());
  }
}

// src/widget.css
var widget_default = `
:host { display: block; min-width: 0; }
.shx {
  --ink: #1c2430; --soft: #5a6675; --paper: #fff; --raised: #f4f6f9; --line: #d5dbe3; --chosen: #dbe9fb; --ring: #0b5cad; --find: #ffe08a;
  --shard: #0072b2; --shard-ink: #fff; --replicate: #b85c00; --replicate-ink: #fff; --ignore: #6b7280; --ignore-ink: #fff; --bad: #b3261e; --bad-paper: #fdecea;
  --mono: var(--jp-code-font-family, ui-monospace, "DejaVu Sans Mono", monospace);
  color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 8px 10px; overflow: hidden;
  font: 13px/1.4 var(--jp-ui-font-family, system-ui, sans-serif); container-type: inline-size; color-scheme: light;
}
.shx[data-theme="dark"] {
  --ink: #e4e9f0; --soft: #a3afbd; --paper: #14181e; --raised: #1e242c; --line: #38424f; --chosen: #1d3a5c; --ring: #6cb6ff; --find: #6b5600;
  --shard: #56b4e9; --shard-ink: #06121c; --replicate: #f0a04b; --replicate-ink: #1c0f00; --ignore: #9aa5b1; --ignore-ink: #10151b; --bad: #ff8a80; --bad-paper: #3a1b1b;
  color-scheme: dark;
}
[data-status] { --hue: var(--soft); }
[data-status="F" i] { --hue: var(--shard); --hue-ink: var(--shard-ink); --lane: var(--hue); }
[data-status="R" i] { --hue: var(--replicate); --hue-ink: var(--replicate-ink); --lane: var(--hue); }
[data-status="I" i] { --hue: var(--ignore); --hue-ink: var(--ignore-ink); --lane: var(--hue); }
[hidden] { display: none !important; }
:focus-visible, .rows:focus .row[data-focus] { outline: 2px solid var(--ring); outline-offset: -2px; }
.note, .heads { color: var(--soft); }
.head { padding-bottom: 6px; }
.head b { font-size: 15px; }
[data-cell="swatch"] { box-sizing: border-box; width: 15px; height: 15px; border-radius: 3px; border: 2px solid var(--hue); color: var(--hue); font: 700 10px/11px var(--mono); text-align: center; }
[data-status="u"] [data-cell="swatch"] { border-style: dotted; }
:is([data-status="F"], [data-status="R"], [data-status="I"]) [data-cell="swatch"] { background: var(--hue); color: var(--hue-ink); }
[data-status="ref"] [data-cell="swatch"] { visibility: hidden; }
.heads, .row, .pin { display: flex; gap: 6px; padding: 0 6px; }
.heads { font-size: 11px; border-bottom: 1px solid var(--line); scrollbar-gutter: stable; overflow: hidden; cursor: help; }
.rows, .pad { position: relative; }
.rows { overflow: auto; contain: strict; scrollbar-gutter: stable; border-bottom: 1px solid var(--line); resize: vertical; min-height: 26px; }
.stage, .body { display: flex; }
.rows, .outline { flex: 1; min-width: 0; }
.row, .pin { position: absolute; left: 0; right: 0; height: var(--row); line-height: var(--row); white-space: nowrap; cursor: default; font-family: var(--mono); font-size: 12px; }
.row::before, .pin::before { content: ""; position: absolute; inset: 0 auto 0 0; width: 4px; background: var(--lane, none); }
[data-lane="starts"]::before { top: 2px; }
.row:hover { background: var(--raised); }
.row[aria-selected="true"] { background: var(--chosen); }
.main { display: flex; flex: 1; align-items: center; gap: 5px; padding-left: var(--indent, 0); min-width: 0; overflow: hidden; }
.words { position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%); }
.main > * { flex: none; }
[data-cell="fold"] { width: 14px; text-align: center; color: var(--soft); cursor: pointer; }
.main > :is([data-cell="name"], [data-cell="type"]) { flex-shrink: 1; overflow: hidden; text-overflow: ellipsis; }
[data-cell="name"] { font-weight: 600; }
.main > [data-cell="type"] { color: var(--soft); flex-shrink: 9999; }
.main > :nth-child(n+5) { border: 1px solid var(--line); border-radius: 3px; line-height: 14px; padding: 0 4px; font-size: 11px; }
.main > [data-cell="times"] { border-radius: 9px; padding: 0 7px; cursor: pointer; background: var(--raised); }
[data-alarm="3"] [data-cell="alarm"] { color: var(--bad); border-color: var(--bad); }
.num { flex: none; width: 52px; text-align: right; overflow: hidden; text-overflow: ellipsis; font-variant-numeric: tabular-nums; }
.unit { width: 62px; }
.total { width: 74px; }
.row > .unit:not(:empty) { box-sizing: border-box; border: 1px solid var(--hue); color: var(--hue); border-radius: 9px; font-size: 11px; line-height: 16px; align-self: center; text-align: center; }
[data-status="F"] > .unit:not(:empty) { background: var(--hue); color: var(--hue-ink); }
.status { overflow-wrap: anywhere; white-space: pre-wrap; }
.status:not(:empty) { padding: 4px 6px; border-left: 3px solid var(--line); }
.status p { margin: 2px 0 0; }
.status[data-kind="error"] { border-color: var(--bad); background: var(--bad-paper); }
@container (max-width: 720px) {
  .body { display: block; }
}
@container (max-width: 420px) {
  .total, .unit { display: none; }
}
@media (forced-colors: active) {
  .row[aria-selected="true"] { outline: 1px solid Highlight; }
}
`;

// src/widget.ts
function render({ model, el }) {
  const explorer = new Explorer(model);
  const shadow = el.shadowRoot ?? el.attachShadow({ mode: "open" });
  shadow.replaceChildren(h("style", {}, widget_default), explorer.root);
  keepEvents(el);
  const endTheme = followTheme(explorer.root);
  const heard = [
    ["change:tree", explorer.readTree],
    ["change:plan", explorer.readPlan],
    ["msg:custom", explorer.hear]
  ];
  for (const [event, callback] of heard) model.on(event, callback);
  explorer.readTree();
  readyOnceSeen(explorer, false);
  return () => {
    for (const [event, callback] of heard) model.off(event, callback);
    endTheme();
    explorer.destroy();
  };
}
function readyOnceSeen(explorer, late) {
  requestAnimationFrame(() => {
    const { outline, view, root } = explorer;
    if (!root.isConnected || outline && !view.rows.clientHeight) return readyOnceSeen(explorer, true);
    if (late && outline) view.draw(outline, true);
    requestAnimationFrame(() => explorer.ready());
    return void 0;
  });
}
var widget_default2 = { render };
export {
  widget_default2 as default
};

// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.

// src/dom.ts
var SVG = "http://www.w3.org/2000/svg";
function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}
function svg(tag, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
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
function fit(element, count2, make) {
  while (element.children.length < count2) element.append(make());
  while (element.children.length > count2) element.lastElementChild.remove();
}
function button(cmd, label, title, press) {
  return h("button", { type: "button", "data-cmd": cmd, title, click: press }, label);
}

// src/extras/amounts.ts
var UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
function bytesText(nbytes) {
  let unit = 0;
  let value = nbytes;
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return unit === 0 ? `${count(nbytes)} B` : `${value.toFixed(1)} ${UNITS[unit]}`;
}
var exactBytes = (nbytes) => nbytes < 1024 ? `${count(nbytes)} bytes` : `${bytesText(nbytes)} (${count(nbytes)} bytes)`;
var count = (value) => value.toLocaleString("en");
var percent = (share) => share === 0 ? "0 %" : share < 5e-4 ? "<0.1 %" : `${(100 * share).toFixed(1)} %`;
function changeText(before, after, text) {
  if (before === after) return "±0";
  return after > before ? `+${text(after - before)}` : `−${text(before - after)}`;
}

// src/extras/colouring.ts
var COLOURINGS = { status: "status", dfs: "DFS position", unit: "unit", bytes: "bytes per rank" };
var UNIT_TONES = 5;
var STEPS = [0, 3, 1, 4, 2];
var NEUTRAL = { colour: "var(--line)", ink: "var(--ink)" };
function ramp(t) {
  const part2 = Math.max(0, Math.min(1, t));
  const colour = `hsl(${Math.round(205 + 15 * part2)} ${Math.round(75 - 10 * part2)}% ${Math.round(88 - 66 * part2)}%)`;
  return { colour, ink: part2 < 0.575 ? "#000" : "#fff" };
}
function paintBy(colouring, tree, plan, bytes2) {
  if (colouring === "dfs") return (node) => ramp(node / Math.max(1, tree.size - 1));
  if (colouring === "unit") return (node) => plan.unitOf[node] < 0 ? NEUTRAL : ramp(STEPS[plan.unitOf[node] % UNIT_TONES] / (UNIT_TONES - 1));
  if (colouring === "status") return null;
  const [low, high] = boundsOf(tree, bytes2);
  return (node) => bytes2(node) > 0 ? ramp(logPart(bytes2(node), low, high)) : NEUTRAL;
}
function boundsOf(tree, bytes2) {
  let [low, high] = [Infinity, 0];
  for (let node = 0; node < tree.size; node++) {
    const value = bytes2(node);
    if (value > 0) [low, high] = [Math.min(low, value), Math.max(high, value)];
  }
  return [Math.min(low, high), high];
}
var logPart = (value, low, high) => high > low ? Math.log(value / low) / Math.log(high / low) : 1;

// src/payload.ts
var numelOf = ([, shape]) => shape.reduce((product, dim) => product * dim, 1);
function fqnOf(tree, index) {
  const parts = [];
  for (let at = index; at > 0; at = tree.parent[at]) parts.push(tree.names[at]);
  return parts.reverse().join(".");
}
var find = (tree, fqn) => finder(tree)(fqn);
function finder(tree) {
  const kids = new Map();
  const below = (parent) => {
    const named = kids.get(parent) ?? new Map();
    if (named.size === 0) for (let kid = parent + 1; kid < tree.end[parent]; kid = tree.end[kid]) named.set(tree.names[kid], kid);
    kids.set(parent, named);
    return named;
  };
  return (fqn) => fqn === "" ? 0 : fqn.split(".").reduce((at, part2) => below(at).get(part2) ?? -1, 0);
}

// src/extras/rankbytes.ts
var BITS = { bool: 8, half: 16, bfloat16: 16, double: 64, complex64: 64, complex128: 128 };
var bytesOfDtype = (dtype) => (BITS[dtype] ?? Number(/\d+/.exec(dtype)?.[0] ?? 32)) / 8;
var nbytesOf = (param) => /[bs]/.test(param[3]) ? 0 : numelOf(param) * bytesOfDtype(param[2]);
function rankBytes(tree, plan, units) {
  const own = tree.classes.map(([, params]) => params.reduce((sum, param) => sum + nbytesOf(param), 0));
  const kept = new Map();
  for (const { runs, numel, shard_nbytes, max_shard_nbytes } of units) {
    for (const [start, end, step2] of runs) for (let n = start; n < end; n += step2) kept.set(n, numel ? (max_shard_nbytes ?? shard_nbytes) / numel : 0);
  }
  return (node) => {
    const cls = tree.cls[node];
    const share = kept.get(plan.unitOf[node]);
    return share === void 0 ? own[cls] : share * tree.own[cls];
  };
}

// src/extras/appearance.ts
var STOPS = 5;
var Appearance = class {
  constructor(page) {
    this.page = page;
    this.#columns = page.columns.map(({ key, title }) => h("input", { type: "checkbox", value: key, title, change: () => this.#pick() }));
    const labels = page.columns.map(({ label, title }, at) => h("label", { title }, this.#columns[at], ` ${label}`));
    const sheet = h("div", { class: "sheet" });
    const menu = h("details", { class: "menu" }, h("summary", { "data-role": "columns" }, "Columns"), sheet);
    menu.addEventListener("toggle", () => sheet.replaceChildren(...menu.open ? labels : []));
    this.element = h("div", { class: "bar appearance" }, h("label", {}, "colour by ", this.#by), this.#scale, menu, h("label", {}, this.#compact, " compact"));
    this.#colouring = page.kept("colour") ?? "status";
    this.#by.value = this.#colouring;
    this.#compact.checked = page.kept("compact") === true;
  }
  page;
  element;
  #by = h(
    "select",
    { "data-role": "colour-by", change: () => this.#choose(this.#by.value) },
    ...Object.entries(COLOURINGS).map(([value, label]) => h("option", { value }, label))
  );
  #scale = h("span", { class: "scale", "data-role": "scale", role: "img" });
  #columns;
  #compact = h("input", { type: "checkbox", "data-role": "compact", change: () => this.page.compact(this.#compact.checked) });
  #colouring = "status";
  #asked = false;
  update(changes) {
    for (const box of this.#columns) box.checked = !this.page.hidden.has(box.value);
    if (["tree", "plan", "costs"].some((change) => changes.has(change))) this.#paint();
  }
  destroy = () => void 0;
  #choose(colouring) {
    this.#colouring = colouring;
    this.page.keep("colour", colouring);
    this.#paint();
  }
  #pick() {
    this.page.hide(this.#columns.filter((box) => !box.checked).map((box) => box.value));
    this.#paint();
  }
  #paint() {
    const { page } = this;
    const wanted = this.#colouring === "bytes" || !page.hidden.has("bytes");
    const own = wanted ? this.#ownBytes() : null;
    page.measure(own);
    const subtree = own ? subtreeBytes(page.tree.size, page.tree.end, own) : () => 0;
    page.paint(paintBy(this.#colouring, page.tree, page.plan, subtree));
    this.#showScale(subtree);
  }
  #ownBytes() {
    const costs = this.page.trait("costs");
    if (costs) return rankBytes(this.page.tree, this.page.plan, costs.units);
    if (!this.#asked) void this.page.ask("what_if", {});
    this.#asked = true;
    return null;
  }
  #showScale(bytes2) {
    const { tree, plan } = this.page;
    const [low, high] = this.#colouring === "bytes" ? boundsOf(tree, bytes2) : [0, 0];
    const said = {
      status: () => "",
      dfs: (t) => `#${Math.round(t * (tree.size - 1))}`,
      unit: (t) => plan.state.units.length ? `u${[0, 2, 4, 1, 3][t * (STOPS - 1)]}+5k` : "",
      bytes: (t) => high > 0 ? bytesText(low * (high / low) ** t) : ""
    };
    const stops = Array.from({ length: STOPS }, (_, k) => k / (STOPS - 1)).filter((t) => said[this.#colouring](t));
    this.#scale.replaceChildren(...stops.map((t) => {
      const stop = h("span", {}, said[this.#colouring](t));
      const { colour, ink } = ramp(t);
      stop.style.cssText = `background:${colour};color:${ink}`;
      return stop;
    }));
    this.#scale.setAttribute("aria-label", `From light to dark: ${stops.map(said[this.#colouring]).join(", ")}`);
    this.#scale.hidden = stops.length === 0;
    if (this.#colouring === "bytes" && high === 0) {
      this.#scale.hidden = false;
      setText(this.#scale, "the costs are being worked out");
    }
  }
};
function subtreeBytes(size, end, own) {
  const before = new Float64Array(size + 1);
  for (let at = 0; at < size; at++) before[at + 1] = before[at] + own(at);
  return (node) => before[end[node]] - before[node];
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
  for (const [place2, value] of unroll(runs, 1)) values[place2] = value;
  return values;
}
var spreadNumbers = ([slope, column], size) => spread(column, size).map((value, place2) => value === null ? null : value + slope * place2);

// src/plan.ts
var STATUSES = "uFfRrIi";

// src/fold.ts
var MAX_PERIOD = 4;
function groupsOf(tree, plan, parent, split) {
  if (split) return kidsOf(tree, parent).map((kid) => single(tree, kid));
  const groups = plan.groups.get(parent) ?? gather(tree, plan, parent);
  plan.groups.set(parent, groups);
  return groups;
}
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
  const place2 = (node, start) => node >= start && node < start + size ? node - start : -2 - node;
  for (let k = 0; k < size; k++) {
    if (status[a + k] !== status[b + k]) return "status";
    if (place2(head[a + k], a) !== place2(head[b + k], b)) return "owner";
    if (settingsOf(plan, a + k) !== settingsOf(plan, b + k)) return "unit settings";
    if (alarm[a + k] !== alarm[b + k]) return "findings";
    const unlike = unlikeLink(tree, a, b, k, place2);
    if (unlike) return unlike;
  }
  return "";
}
function settingsOf(plan, index) {
  return plan.head[index] === index ? `${plan.made[plan.unitOf[index]]}, ${plan.members.get(index)?.length} modules` : "";
}
function unlikeLink({ links }, a, b, k, place2) {
  if (links.size === 0) return "";
  const [one, other] = [links.get(a + k) ?? [], links.get(b + k) ?? []];
  for (let nth = 0; nth < one.length || nth < other.length; nth++) {
    const [mine, its] = [one[nth], other[nth]];
    if (!mine || !its || mine.label !== its.label || place2(mine.target, a) !== place2(its.target, b)) {
      return mine?.kind === "shared modules" ? mine.kind : (its ?? mine).kind;
    }
  }
  return "";
}

// src/rows.ts
function upwards(row2) {
  const all = [];
  for (let each = row2; each; each = each.parent) all.push(each);
  return all;
}
var countOf = (row2) => upwards(row2).reduce((count2, { times }) => count2 * times, 1);
var lastOf = (row2) => upwards(row2).reduce((last, { times, stride }) => last + (times - 1) * stride, row2.node);
var labelOf = (tree, row2) => upwards(row2).slice(0, -1).map((each) => nameOf(tree, each)).reverse().join(".");
function nameOf(tree, { node, ref, times, period }) {
  const name = ref < 0 ? tree.names[node] : tree.refs[ref][1];
  if (times === 1) return name;
  const range = `${name}–${Number(name) + (times - 1) * period}`;
  return period === 1 ? range : `(${range})/${period}`;
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
function unitText({ unitOf }, row2) {
  const [first, last] = [unitOf[row2.node], unitOf[lastOf(row2)]];
  return first < 0 ? "" : first === last ? `u${first}` : `u${first}–${last}`;
}
function describe(tree, plan, row2) {
  const name = labelOf(tree, row2) || "the root module";
  const { node, times } = row2;
  if (row2.ref >= 0) return `${name}: the same module as ${fqnOf(tree, node) || "the root"}, number ${node}`;
  const total = tree.total[tree.cls[node]];
  const count2 = countOf(row2);
  const parts = [
    name,
    tree.classes[tree.cls[node]][0],
    times > 1 && `${times} alike`,
    STATUS_WORDS[STATUSES[plan.status[node]]],
    unitText(plan, row2).replace("u", "unit "),
    `${shortNumel(total)} parameters${count2 > 1 ? ` each, ${shortNumel(total * count2)} together` : ""}`,
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
var UNIT = { key: "unit", label: "unit", title: "The unit that owns the parameters", text: ({ plan }, row2) => unitText(plan, row2) };

// src/extras/members.ts
var runsAround = (row2) => upwards(row2).filter(({ times }) => times > 1);
var membersOf = (row2) => row2.members ??= runsAround(row2).reduce((members, { times, stride }) => Array.from({ length: times }, (_, k) => members.map((index) => index + k * stride)).flat(), [row2.node]);
function stepOf(row2) {
  const [inner, ...outer] = runsAround(row2);
  let span = inner ? inner.stride * inner.times : 0;
  for (const { stride, times } of outer) {
    if (stride !== span) return -1;
    span = stride * times;
  }
  return inner?.stride ?? 0;
}

// src/extras/plan.ts
var NOTHING = { code: "", last: "", undo: false, redo: false, totals: {} };
var known = new WeakMap();
function wholePlan(tree, drawn) {
  const plan = known.get(drawn) ?? unpack(tree, drawn);
  known.set(drawn, plan);
  return plan;
}
function unpack(tree, drawn) {
  const { payload } = drawn;
  const units = unitsOf(tree, drawn);
  const state = {
    ...NOTHING,
    ...payload,
    units,
    orders: ordersOf(units),
    conflicts: payload.conflicts.map((remark) => placed(remark, tree)),
    findings: payload.findings.map((remark) => placed(remark, tree))
  };
  return { ...drawn, state, unitAt: new Map(units.map((unit) => [unit.index, unit])) };
}
function unitsOf(tree, { payload, members }) {
  const { num, settings, apart, within, setting, ...numbers } = payload.units;
  const columns = Object.entries(numbers).map(([name, column]) => [name, spreadNumbers(column, num)]);
  const [roots, places, made2] = [spread(apart ?? [0], num), spread(within ?? [null], num), spread(setting ?? [0], num)];
  return [...members].map(([index, nodes], n) => {
    const facts = Object.fromEntries(columns.map(([name, values]) => [name, values[n]]));
    const [strategy, options] = settings[made2[n]];
    const fqns = nodes.map((each) => fqnOf(tree, each));
    return { ...facts, n, index, fqns, is_root: facts.local_root === n, apart: roots[n], within: places[n], strategy, options };
  });
}
function ordersOf(units) {
  const orders = { handles: [], init_composable: [], init_wrapper: [] };
  for (const { fqns, init_c, init_w, apart, local_root } of units) {
    if (init_c === null) continue;
    const root = apart ? `:${units[local_root].fqns[0]}` : "";
    (orders[`init_composable${root}`] ??= [])[init_c] = fqns[0];
    (orders[`init_wrapper${root}`] ??= [])[init_w] = fqns[0];
    orders[`handles${root}`] = orders[`init_composable${root}`];
  }
  for (const name in orders) if (name.startsWith("handles")) orders[name] = orders[name].slice().reverse();
  return orders;
}
function placed(remark, tree) {
  const places = unroll(remark.at, 1);
  const name = ([index, attr]) => [fqnOf(tree, index), attr].filter(Boolean).join(".");
  return { ...remark, indices: places.map(([index]) => index), fqns: places.map(name) };
}

// src/extras/cuts.ts
var CHIPS = { T: "TP", P: "PP", E: "EP", D: "DT" };
var CUT_WORDS = { TP: "cut by tensor parallelism", PP: "cut by pipeline parallelism", EP: "cut by expert parallelism", DT: "a DTensor already" };
var known2 = new WeakMap();
function cutsOf(tree, node, below) {
  const cuts = known2.get(tree) ?? worked(tree);
  known2.set(tree, cuts);
  return cuts[below ? "total" : "own"][tree.cls[node]];
}
function worked({ classes }) {
  const cuts = { own: [], total: [] };
  for (const [, params, kids] of classes) {
    const own = Object.keys(CHIPS).filter((letter) => params.some(([, , , flags]) => flags.includes(letter))).map((letter) => CHIPS[letter]);
    cuts.own.push(own);
    cuts.total.push([...new Set([...own, ...kids.flatMap(([, , kid]) => cuts.total[kid])])]);
  }
  return cuts;
}

// src/extras/exceptions.ts
function exceptionOf({ tree, plan, folds }, { node, ref, times }) {
  const parent = tree.parent[node];
  if (ref >= 0 || times > 1 || parent < 0 || folds.split.has(parent)) return "";
  const beside = besideOf(tree, plan, parent, node);
  return beside < 0 ? "" : difference(tree, plan, beside, node);
}
function besideOf(tree, plan, parent, node) {
  if (!INTEGER.test(tree.names[node])) return -1;
  const groups = groupsOf(tree, plan, parent, false);
  const at = placeOf(groups, node);
  const times = (group) => group && INTEGER.test(tree.names[group.first]) ? group.times : 0;
  if (groups[at].times > 1) return -1;
  const longer = times(groups[at + 1]) > times(groups[at - 1]) ? groups[at + 1] : groups[at - 1];
  return times(longer) > 1 ? longer.first : -1;
}
function placeOf(groups, node) {
  let [low, high] = [0, groups.length - 1];
  while (low < high) {
    const middle = low + high >> 1;
    if (groups[middle].first < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

// src/extras/words.ts
function inFull(outline, row2) {
  const differs = exceptionOf(outline, row2);
  const handle = row2.ref < 0 ? wholePlan(outline.tree, outline.plan).unitAt.get(row2.node)?.handle : null;
  const cut = row2.ref < 0 ? cutsOf(outline.tree, row2.node, true).map((chip) => CUT_WORDS[chip]).join(" and ") : "";
  const checkpointed = row2.ref < 0 && isCheckpointed(outline.tree, row2.node) ? "checkpointed" : "";
  const parts = [describe(outline.tree, outline.plan, row2), cut, checkpointed, handle == null ? "" : `handle ${handle}`, differs && `differs from its neighbours in ${differs}`];
  return parts.filter(Boolean).join(", ");
}
var isCheckpointed = (tree, node) => tree.classes[tree.cls[node]][3]?.includes("c") ?? false;
function progression(values) {
  if (values.length === 0 || values.some((value) => value < 0)) return "";
  const step2 = (values[1] ?? values[0]) - values[0];
  if (!values.every((value, k) => value === values[0] + k * step2)) return `${values.reduce((a, b) => Math.min(a, b))}…`;
  return steps(values[0], step2);
}
function steps(first, step2) {
  const times = Math.abs(step2) === 1 ? "" : Math.abs(step2);
  return step2 === 0 ? String(first) : `${first}${step2 < 0 ? "−" : "+"}${times}k`;
}
function ownParameters(tree, node) {
  const said = (flags) => `${flags.includes("b") ? " buffer" : ""}${flags.includes("f") ? " frozen" : ""}${/[ts]/.test(flags) ? " tied" : ""}`;
  return tree.classes[tree.cls[node]][1].map(([name, shape, dtype, flags]) => `${name} [${shape.join(", ")}] ${dtype}${said(flags)}`).join("; ");
}
function totalsText(modules, { state: { totals, rev, units } }) {
  const many = (count2, word) => `${count2.toLocaleString("en")} ${word}${count2 === 1 ? "" : "s"}`;
  const parts = ["sharded", "replicated", "ignored", "unmanaged"].filter((kind) => totals[kind]).map((kind) => `${shortNumel(totals[kind])} ${kind}`);
  const numel = totals.numel === void 0 ? "" : ` · ${shortNumel(totals.numel)} parameters${parts.length ? ": " : ""}${parts.join(", ")}`;
  return `${many(modules, "module")}${numel} · ${many(units.length, "unit")} · revision ${rev}`;
}

// src/extras/columns.ts
var FIRST_HIDDEN = ["own", "bytes", "exec"];
var Measured = class {
  execution = new Map();
  #before = null;
  columns = [
    { key: "own", label: "own", title: "Elements of the module's direct parameters", text: ({ tree }, { node }) => positive(tree.own[tree.cls[node]], shortNumel) },
    SUBTREE,
    { key: "bytes", label: "B/rank", title: "Parameter bytes of the subtree on rank 0 between steps, as Costs is set", text: ({ tree }, { node }) => this.#bytesOf(tree, node) },
    UNIT,
    { key: "dfs", label: "#", title: "Place in the pre-order (DFS); k counts the modules of a ×n row", text: (_, row2) => `#${stepOf(row2) < 0 ? `${row2.node}…` : steps(row2.node, stepOf(row2))}` },
    { key: "handle", label: "H", title: "Place of the unit's handle in get_handles(root)", text: (outline, row2) => placesOf(outline, row2, "handle") },
    { key: "init_c", label: "I₁", title: "When its handle is made by fully_shard (composable path)", text: (outline, row2) => placesOf(outline, row2, "init_c") },
    { key: "init_w", label: "I₂", title: "When its handle is made by FullyShardedDataParallel (wrapper path)", text: (outline, row2) => placesOf(outline, row2, "init_w") },
    {
      key: "exec",
      label: "X",
      title: "When the last run unsharded it: → forward, ← backward, counted through the step",
      text: ({ tree, plan }, row2) => executed(wholePlan(tree, plan).unitAt, row2, this.execution)
    }
  ];
  valueOf(key) {
    if (key === "bytes") return ({ tree }, { node }) => (this.#before ? this.#before[tree.end[node]] - this.#before[node] : -1) || -1;
    if (key === "exec") return ({ tree, plan }, { node }) => placeIn(this.execution.get(wholePlan(tree, plan).unitAt.get(node)?.fqns[0] ?? "\0"));
    return VALUES[key] ?? (() => -1);
  }
  measure(size, nbytes) {
    this.#before = nbytes && new Float64Array(size + 1);
    for (let at = 0; this.#before && at < size; at++) this.#before[at + 1] = this.#before[at] + nbytes(at);
  }
  #bytesOf({ end }, node) {
    const before = this.#before;
    return before ? positive(before[end[node]] - before[node], bytesText) : "";
  }
};
var place = (key) => ({ tree, plan }, { node }) => wholePlan(tree, plan).unitAt.get(node)?.[key] ?? -1;
var VALUES = {
  own: ({ tree }, { node }) => tree.own[tree.cls[node]] || -1,
  total: ({ tree }, { node }) => tree.total[tree.cls[node]] || -1,
  unit: ({ plan }, { node }) => plan.unitOf[node],
  dfs: (_, { node }) => node,
  handle: place("handle"),
  init_c: place("init_c"),
  init_w: place("init_w")
};
var placeIn = (ran) => ran?.forward[0] ?? ran?.backward[0] ?? -1;
var positive = (value, text) => value > 0 ? text(value) : "";
var known3 = new WeakMap();
function placesOf({ tree, plan }, row2, key) {
  const { unitAt } = wholePlan(tree, plan);
  if (!unitAt.has(row2.node)) return "";
  const texts = known3.get(plan) ?? new Map();
  known3.set(plan, texts);
  const name = `${key} ${row2.node} ${countOf(row2)}`;
  const text = texts.get(name) ?? progression(membersOf(row2).map((index) => unitAt.get(index)?.[key] ?? -1));
  texts.set(name, text);
  return text;
}
function executed(unitAt, row2, execution) {
  if (execution.size === 0 || !unitAt.has(row2.node)) return "";
  const members = membersOf(row2).map((index) => execution.get(unitAt.get(index)?.fqns[0] ?? "\0"));
  const said = (arrow, way) => {
    const text = members.length === 1 ? members[0]?.[way].join(",") ?? "" : progression(members.map((each) => each?.[way][0] ?? -1));
    return text && arrow + text;
  };
  return [said("→", "forward"), said("←", "backward")].filter(Boolean).join(" ");
}

// src/extras/frozen.ts
var known4 = new WeakMap();
function isFrozen(tree, node) {
  const learning = known4.get(tree) ?? learningOf(tree);
  known4.set(tree, learning);
  return learning[tree.cls[node]] === 1;
}
function learningOf({ classes }) {
  const learning = new Uint8Array(classes.length);
  classes.forEach(([, own, kids], at) => {
    for (const [, , , flags] of own) if (!flags.includes("b")) learning[at] = Math.max(learning[at], flags.includes("f") ? 1 : 2);
    for (const [, , kid] of kids) learning[at] = Math.max(learning[at], learning[kid]);
  });
  return learning;
}

// src/extras/hits.ts
var Hits = class {
  constructor(nodes = [], tree) {
    this.nodes = nodes;
    this.tree = tree;
    if (nodes.length === 0 || !tree) return;
    const before = new Int32Array(tree.size + 1);
    for (const node of nodes) before[node + 1] = 1;
    for (let at = 0; at < tree.size; at++) before[at + 1] += before[at];
    this.#before = before;
  }
  nodes;
  tree;
  #before = null;
  at(row2, open) {
    const before = this.#before;
    if (!before || row2.ref >= 0) return null;
    const { end } = this.tree;
    if (before[end[lastOf(row2)]] === before[row2.node]) return null;
    const members = membersOf(row2);
    if (members.some((node) => before[node + 1] > before[node])) return "on";
    return !open && members.some((node) => before[end[node]] > before[node + 1]) ? "in" : null;
  }
};

// src/extras/hues.ts
var HUES = { f: "shard", r: "replicate", i: "ignore" };
var hueOf = (letter) => HUES[letter.toLowerCase()] ?? "none";

// src/extras/ties.ts
var known5 = new WeakMap();
function tiesOf(tree) {
  const ties = known5.get(tree) ?? worked2(tree);
  known5.set(tree, ties);
  return ties;
}
function worked2({ ties, size }) {
  const lettersOf = new Map();
  ties.forEach((nodes, at) => {
    const letter = at < 26 ? String.fromCharCode(97 + at) : String(at);
    for (const node of nodes) lettersOf.set(node, [...lettersOf.get(node) ?? [], letter]);
  });
  const holders = new Int32Array(size + 1);
  for (const node of lettersOf.keys()) if (node >= 0) holders[node + 1] = 1;
  for (let at = 0; at < size; at++) holders[at + 1] += holders[at];
  return { lettersOf, holders };
}
var tiedBelow = (tree, node) => tiesOf(tree).holders[tree.end[node]] - tiesOf(tree).holders[node + 1];

// src/extras/dressing.ts
var Dressing = class {
  constructor(core) {
    this.core = core;
    core.view.rows.addEventListener("mouseover", this.#over);
    core.view.rows.addEventListener("mouseleave", this.#out);
    for (const kind of ["focus", "blur"]) core.view.rows.addEventListener(kind, this.#turned);
  }
  core;
  #hits = new Hits();
  #paint = null;
  #pending = new Map();
  #refused = new Set();
  #tie = "";
  #pointed = { now: [], live: [] };
  #rows = { now: new Set(), live: new Set() };
  #ofRows = [];
  dress(look, row2) {
    const { outline } = this.core;
    const { tree } = outline;
    const isModule = row2.ref < 0;
    const letters = isModule && tiesOf(tree).lettersOf.get(row2.node) || [];
    const looked = this.#looked();
    if (outline.rows !== this.#ofRows) this.#findPointed();
    const asked = isModule ? this.#pending.get(row2.node) : void 0;
    if (asked !== void 0) {
      look.attributes["data-status"] = asked;
      look.main[1] = ["swatch", glyphOf(asked)];
    }
    Object.assign(look.attributes, {
      "data-hit": this.#hits.at(row2, outline.isOpen(row2)),
      "data-pending": asked !== void 0 || null,
      "data-refused": this.#refused.has(row2.node) || null,
      "data-dim": looked.length > 0 && !letters.some((letter) => looked.includes(letter)) || null,
      "data-frozen": isModule && isFrozen(tree, row2.node) || null,
      "data-checkpointed": isModule && isCheckpointed(tree, row2.node) || null
    });
    Object.assign(look.item, { "data-now": this.#rows.now.has(row2.at) || null, "data-live": this.#rows.live.has(row2.at) || null });
    this.#colour(look, isModule ? row2 : null);
    const inside = !isModule || outline.isOpen(row2) && row2.times === 1 ? 0 : tiedBelow(tree, row2.node);
    if (look.attributes["data-frozen"]) look.main.push(["frozen", "fz"]);
    if (letters.length) look.main.push(["ties", letters.map((letter) => `tie ${letter}`).join(" ")]);
    if (isModule) for (const cut of cutsOf(tree, row2.node, !outline.isOpen(row2))) look.main.push(["cut", cut]);
    if (inside) look.main.push(["inside", `${inside} tied inside`]);
    const differs = exceptionOf(outline, row2);
    if (differs) look.main.push(["differs", `differs in ${differs}`]);
    look.words = inFull(outline, row2);
    look.item.title = isModule && ownParameters(tree, row2.node) || null;
    dressCells(look);
  }
  colourOf(node) {
    const hue = hueOf(STATUSES[this.core.outline.plan.status[node]]);
    return this.#paint?.(node)?.colour ?? `var(--${hue === "none" ? "line" : hue})`;
  }
  point(tone, nodes) {
    this.#pointed[tone] = nodes;
    this.#ofRows = [];
    this.core.view.draw();
  }
  paint(paint) {
    this.#paint = paint;
    this.core.view.draw();
  }
  find(nodes) {
    this.#hits = new Hits(nodes, this.core.outline.tree);
    this.core.view.draw();
  }
  pend(nodes, letter) {
    this.#pending = new Map(letter ? nodes.map((node) => [node, letter]) : []);
    this.#refused = new Set(letter ? [] : nodes);
    this.core.view.draw();
  }
  destroy() {
    this.core.view.rows.removeEventListener("mouseover", this.#over);
    this.core.view.rows.removeEventListener("mouseleave", this.#out);
    for (const kind of ["focus", "blur"]) this.core.view.rows.removeEventListener(kind, this.#turned);
  }
  #colour(look, row2) {
    const [first, last] = row2 && this.#paint ? [this.#paint(row2.node), this.#paint(lastOf(row2))] : [null, null];
    look.attributes["data-painted"] = first && true;
    look.style["--hue"] = first?.colour ?? null;
    look.style["--hue-ink"] = first?.ink ?? null;
    look.style["--lane"] = first && lastOf(row2) > row2.node ? `linear-gradient(${first.colour}, ${last.colour})` : null;
  }
  #findPointed() {
    const { outline } = this.core;
    this.#ofRows = outline.rows;
    for (const tone of ["now", "live"]) this.#rows[tone] = new Set(this.#pointed[tone].map((node) => outline.rowOf(node)));
  }
  #over = ({ target }) => this.#lookAtTie(target);
  #out = () => this.#lookAtTie(null);
  #turned = () => this.core.outline && tiesOf(this.core.outline.tree).lettersOf.size > 0 && this.core.view.draw();
  #looked() {
    const { outline, view } = this.core;
    if (this.#tie) return [this.#tie];
    const hasKeys = view.rows.getRootNode().activeElement === view.rows;
    return hasKeys && outline.focused.ref < 0 && tiesOf(outline.tree).lettersOf.get(outline.focused.node) || [];
  }
  #lookAtTie(target) {
    const tie = target?.dataset.cell === "ties" ? target.textContent.split(" ")[1] : "";
    if (tie === this.#tie) return;
    this.#tie = tie;
    this.core.view.draw();
  }
};
function dressCells({ cells }) {
  const inits = cells.filter(({ attributes }) => String(attributes["data-cell"]).startsWith("init_"));
  const pair = inits.length === 2 && inits[0].text ? inits[0].text === inits[1].text ? "same" : "differ" : null;
  for (const cell of cells) {
    cell.attributes["data-pair"] = inits.includes(cell) ? pair : null;
    cell.attributes.title = cell.text.endsWith("…") ? "irregular; the least" : cell.text || null;
  }
}

// src/extras/runlist.ts
var LEVELS = 3;
function runsOf(indices) {
  let runs = indices.map((index) => [index]);
  for (let level = 0; level < LEVELS; level++) runs = gathered(runs);
  return runs.map((run) => run.length === 1 ? run[0] : run);
}
function gathered(runs) {
  const fewer = [];
  for (let at = 0; at < runs.length; ) {
    const apart = at + 1 < runs.length ? runs[at + 1][0] - runs[at][0] : 0;
    let stop = at + 1;
    while (stop < runs.length && runs[stop][0] - runs[stop - 1][0] === apart && sameRepeats(runs[stop], runs[at])) stop++;
    if (stop - at > 2) fewer.push([...runs[at], stop - at, apart]);
    else fewer.push(...runs.slice(at, stop = Math.max(at + 1, stop - 1)));
    at = stop;
  }
  return fewer;
}
var sameRepeats = (one, other) => one.length === other.length && one.every((number2, at) => at === 0 || number2 === other[at]);

// src/extras/selection.ts
function selectedModules(outline) {
  const chosen = outline.rows.filter((row2) => row2.ref < 0 && outline.isSelected(row2));
  return [...new Set([...chosen.flatMap(membersOf), ...outline.like])].sort((a, b) => a - b);
}
function selectLike(outline) {
  const { cls } = outline.tree;
  const wanted = cls[outline.focused.node];
  outline.like = new Set(Array.from(cls.keys()).filter((node) => cls[node] === wanted));
  outline.anchor = outline.focus;
}
function selectionText({ focus, anchor, like }) {
  const range = Math.abs(focus - anchor) + 1;
  const parts = [range > 1 ? `${range} rows selected` : "", like.size > 1 ? `${like.size} alike selected` : ""];
  return parts.filter(Boolean).join(" · ");
}

// src/extras/editing.ts
var LETTERS = { fully_shard: "F", replicate: "R", ignore: "I", clear: "u" };
var TOLD = { run: "The run has started.", stop: "The run is being stopped.", undo: "Undone.", redo: "Redone." };
var GONE = "No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a restart.";
var Editing = class {
  constructor(core, patience, dressing, status, isLive2) {
    this.core = core;
    this.patience = patience;
    this.dressing = dressing;
    this.status = status;
    this.isLive = isLive2;
    this.gone.hidden = true;
  }
  core;
  patience;
  dressing;
  status;
  isLive;
  gone = h("div", { class: "gone", "data-role": "gone", role: "alert" }, GONE);
  silent(silent) {
    this.gone.hidden = !silent;
    setAttributes(this.core.root, { "data-kernel": silent ? "gone" : "alive" });
  }
  act = (edit) => {
    switch (edit.do) {
      case "mark":
        return this.#edit("mark", { verb: edit.verb });
      case "group":
        return this.#edit("group");
      case "undo":
      case "redo":
        return void this.command(edit.do);
      case "find":
        return this.core.root.querySelector('[data-role="find"]')?.focus();
      case "leave":
        return this.#leave();
      case "selectLike":
        return this.core.moved(() => selectLike(this.core.outline));
    }
  };
  command = async (cmd, fields = {}, marks = []) => {
    const { dressing, status } = this;
    const { root, outline } = this.core;
    const { verb } = fields;
    dressing.pend(marks, LETTERS[verb ?? "fully_shard"]);
    setAttributes(root, { "data-waiting": cmd });
    const reply = await this.patience.ask(cmd, fields);
    setAttributes(root, { "data-waiting": null });
    dressing.pend(reply.ok ? [] : marks);
    if (!reply.ok) status.refuse(reply.error ?? { title: "The kernel refused", detail: "It gave no reason." });
    else if (cmd !== "stop" || this.isLive()) status.tell(TOLD[cmd] ?? (wholePlan(outline.tree, outline.plan).state.last || cmd));
    return reply.ok;
  };
  #leave() {
    const { view, root } = this.core;
    view.rows.blur();
    root.getRootNode().host.closest("[tabindex]")?.focus();
  }
  #edit(cmd, fields = {}) {
    const indices = selectedModules(this.core.outline);
    if (indices.length) void this.command(cmd, { ...fields, indices: runsOf(indices) }, indices);
    else this.status.refuse({ title: "This row is a reference", detail: "Its module is listed elsewhere: Enter goes there, then mark it." });
  }
};

// src/extras/levels.ts
var BARE = new Set(["ModuleList", "ModuleDict"]);
var isBare = (tree, node) => BARE.has(tree.classes[tree.cls[node]][0]);
function targetsOf(tree, nodes, way) {
  const targets = way === "up" ? nodes.map((node) => parentOf(tree, node)).filter((node) => node >= 0) : nodes.flatMap((node) => childrenOf(tree, node));
  return [...new Set(targets)].sort((a, b) => a - b);
}
function parentOf(tree, node) {
  let above = tree.parent[node];
  while (above >= 0 && isBare(tree, above)) above = tree.parent[above];
  return above;
}
function childrenOf(tree, node) {
  const found = [];
  for (let kid = node + 1; kid < tree.end[node]; kid = tree.end[kid]) {
    if (isBare(tree, kid)) found.push(...childrenOf(tree, kid));
    else if (tree.total[tree.cls[kid]] > 0) found.push(kid);
  }
  return found;
}

// src/extras/boundary.ts
var LANE = 10;
var SLACK = 6;
var KINDS = ["pointerdown", "pointermove", "pointerup", "pointercancel"];
var Boundary = class {
  constructor(core, mover) {
    this.core = core;
    this.mover = mover;
    for (const kind of KINDS) core.view.rows.addEventListener(kind, this.#heard);
    core.root.addEventListener("keydown", this.#cancel, true);
  }
  core;
  mover;
  #drag = null;
  move(nodes, way) {
    const targets = targetsOf(this.core.outline.tree, nodes, way);
    void this.mover.command("boundary", { way, indices: runsOf(nodes) }, targets);
  }
  moveSelected(way) {
    const { outline } = this.core;
    const selected = selectedModules(outline);
    const units = selected.filter((node) => STATUSES[outline.plan.status[node]] === "F");
    if (selected.length) this.move(units.length ? units : selected, way);
  }
  destroy() {
    for (const kind of KINDS) this.core.view.rows.removeEventListener(kind, this.#heard);
    this.core.root.removeEventListener("keydown", this.#cancel, true);
  }
  #heard = (event) => {
    if (event.type === "pointerdown") this.#grab(event);
    else if (event.type === "pointermove") this.#pull(event);
    else if (event.type === "pointerup") this.#drop();
    else this.#cancel(event);
  };
  #grab(event) {
    const target = event.target;
    const element = target.closest(".row");
    if (event.button !== 0 || !element) return;
    const onLane = event.clientX - element.getBoundingClientRect().left < LANE;
    const row2 = this.core.outline.rows[Number(element.dataset.row)];
    if (row2.ref >= 0 || STATUSES[this.core.outline.plan.status[row2.node]] !== "F" || !(onLane || target.dataset.cell === "unit")) return;
    this.#drag = { row: row2, from: event.clientY, way: null };
  }
  #pull(event) {
    if (!this.#drag) return;
    const { row: row2, from, way: before } = this.#drag;
    const by = event.clientY - from;
    const way = Math.abs(by) < SLACK ? null : by < 0 ? "up" : "down";
    if (way === before) return;
    this.core.view.rows.setPointerCapture?.(event.pointerId);
    this.#drag.way = way;
    const targets = way ? targetsOf(this.core.outline.tree, membersOf(row2), way) : [];
    this.mover.outline(targets);
    this.mover.tell(way ? this.#said(row2, way, targets) : "The boundary stays where it is.");
    this.core.root.toggleAttribute("data-dragging", way !== null);
  }
  #drop() {
    const drag = this.#end();
    if (drag?.way) this.move(membersOf(drag.row), drag.way);
  }
  #cancel = (event) => {
    const key = event.key ?? "Escape";
    if (key !== "Escape" || !this.#end()) return;
    this.mover.tell("The boundary stays where it is.");
    event.stopPropagation();
  };
  #end() {
    const drag = this.#drag;
    this.#drag = null;
    this.core.root.removeAttribute("data-dragging");
    if (drag?.way) this.mover.outline([]);
    return drag;
  }
  #said(row2, way, targets) {
    const { tree } = this.core.outline;
    const name = labelOf(tree, row2) || "the root module";
    const many = `${targets.length.toLocaleString("en")} module${targets.length === 1 ? "" : "s"}`;
    if (targets.length === 0) return `There is no level ${way === "up" ? "above" : "below"} ${name} to move the boundary to.`;
    return `Let go to move the boundary of ${name} ${way} to ${many}; Escape lets it be.`;
  }
};

// src/extras/execution.ts
function executionOf(events) {
  const times = new Map();
  let place2 = 0;
  for (const [phase, kind, unit] of lastStep(events)) {
    if (kind !== "U") continue;
    const of = times.get(unit) ?? { forward: [], backward: [] };
    of[phase === "B" ? "backward" : "forward"].push(place2++);
    times.set(unit, of);
  }
  return times;
}
function lastStep(events) {
  const unshard = (from) => events.slice(from).find(([, kind]) => kind === "U")?.[2];
  const first = unshard(0);
  const begins = ([phase], at) => phase === "F" && events[at - 1]?.[0] !== "F" && unshard(at) === first;
  return events.slice(Math.max(0, events.findLastIndex(begins)));
}

// src/extras/run.ts
var NO_RUN = {
  id: "",
  seq: 0,
  phase: "idle",
  nprocs: 0,
  backend: "",
  devices: "",
  step: 0,
  steps: 0,
  losses: [],
  reference: null,
  events: [],
  error: null,
  log: [],
  seconds: 0
};
var LOG_LINES = 500;
var parseRun = (text) => text ? { ...NO_RUN, ...JSON.parse(text) } : NO_RUN;
function merge(run, batch) {
  const base = batch.id !== void 0 && batch.id !== run.id ? NO_RUN : run;
  if (batch.seq !== void 0 && base !== NO_RUN && batch.seq <= base.seq) return run;
  return {
    ...base,
    ...batch,
    losses: [...base.losses, ...batch.losses ?? []],
    log: [...base.log, ...batch.log ?? []].slice(-LOG_LINES)
  };
}
var isLive = (run) => run.phase === "starting" || run.phase === "running";
var PHASES = {
  idle: "Not run yet.",
  starting: "Starting",
  running: "Running",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped"
};
function phaseText(run) {
  const where = [run.backend, run.devices].filter(Boolean).join(", ");
  const workers = run.nprocs ? ` on ${run.nprocs} ${run.nprocs === 1 ? "worker" : "workers"}${where ? ` (${where})` : ""}` : "";
  const step2 = run.steps ? `, step ${run.step} of ${run.steps}` : "";
  const time = run.seconds ? `, ${run.seconds.toFixed(1)} s` : "";
  return run.phase === "idle" ? PHASES.idle : `${PHASES[run.phase]}${workers}${step2}${time}`;
}

// src/extras/following.ts
var Following = class {
  constructor(model, status, changed, executed3) {
    this.model = model;
    this.status = status;
    this.changed = changed;
    this.executed = executed3;
    model.on("change:run", this.#read);
    model.on("change:costs", this.#costsChanged);
    model.on("change:comparison", this.#compared);
    this.#read();
  }
  model;
  status;
  changed;
  executed;
  run = NO_RUN;
  hear(message) {
    if (message.type === "run") this.#follow(merge(this.run, message));
    else if (message.type === "notice") this.status.refuse(message.error);
  }
  destroy() {
    this.model.off("change:run", this.#read);
    this.model.off("change:costs", this.#costsChanged);
    this.model.off("change:comparison", this.#compared);
  }
  #costsChanged = () => this.changed("costs");
  #compared = () => this.changed("comparison");
  #read = () => this.#follow(parseRun(String(this.model.get("run") ?? "")));
  #follow(run) {
    const [was, is] = [isLive(this.run), isLive(run)];
    const { events } = this.run;
    this.run = run;
    if (run.events !== events) this.executed(executionOf(run.events));
    const { status } = this;
    if (is && !was) status.tell("The run has started.");
    else if (was && !is && !status.failing) status.tell(phaseText(run));
    this.changed("run");
  }
};

// src/extras/legend.ts
var MARKS = [
  ["u7", "unit"],
  ["H I₁ I₂", "handles: listed, made by fully_shard, by the wrapper"],
  ["5+10k", "k-th of a ×n row"],
  ["↪", "same module again"],
  ["tie a", "tied parameters"],
  ["fz", "frozen"],
  ["TP PP EP", "cut by another parallelism"],
  ["⧈", "checkpointed: a double border"],
  ["▲", "finding"],
  ["!", "conflict"]
];
function legend() {
  const statuses = [...STATUSES].map(
    (letter) => h("span", { class: "key", "data-status": letter }, h("span", { "data-cell": "swatch" }, glyphOf(letter)), STATUS_WORDS[letter])
  );
  const marks = MARKS.map(([sign, word]) => h("span", { class: "key" }, h("b", {}, sign), word));
  return h("div", { class: "legend", role: "group", "aria-label": "Legend" }, ...statuses, ...marks);
}

// src/extras/keys.ts
var EDITS = ["mark", "group", "undo", "redo", "find", "selectLike", "leave", "review", "boundary"];
var isEdit = (action) => EDITS.includes(action.do);
var PLAIN = {
  f: { do: "mark", verb: "fully_shard" },
  r: { do: "mark", verb: "replicate" },
  i: { do: "mark", verb: "ignore" },
  u: { do: "mark", verb: "clear" },
  g: { do: "group" },
  l: { do: "selectLike" },
  "/": { do: "find" },
  "=": { do: "review" },
  Escape: { do: "leave" }
};
var LEVELS2 = { ArrowUp: { do: "boundary", way: "up" }, ArrowDown: { do: "boundary", way: "down" } };
function editOf({ key, shiftKey, ctrlKey, metaKey, altKey }) {
  const char = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return LEVELS2[char] ?? null;
  if (!ctrlKey && !metaKey) return PLAIN[char] ?? null;
  if (char === "z") return { do: shiftKey ? "redo" : "undo" };
  return char === "y" ? { do: "redo" } : null;
}

// src/extras/patience.ts
var SILENCE_MS = 1e4;
var WALL = { set: (then, ms) => setTimeout(then, ms), clear: (timer) => clearTimeout(timer) };
var Patience = class {
  constructor(talk, onSilence, clock = WALL) {
    this.talk = talk;
    this.onSilence = onSilence;
    this.clock = clock;
  }
  talk;
  onSilence;
  clock;
  #timers = new Set();
  #silent = false;
  async ask(cmd, fields = {}) {
    const timer = this.clock.set(() => this.#tell(true), SILENCE_MS);
    this.#timers.add(timer);
    const reply = await this.talk.ask(cmd, fields);
    this.clock.clear(timer);
    this.#timers.delete(timer);
    return reply;
  }
  hear = () => this.#tell(false);
  destroy() {
    for (const timer of this.#timers) this.clock.clear(timer);
    this.#timers.clear();
  }
  #tell(silent) {
    if (this.#silent === silent) return;
    this.#silent = silent;
    this.onSilence(silent);
  }
};

// src/rowview.ts
function makeRow(kind, id) {
  return h("div", { class: kind, ...id ? { id, role: "treeitem" } : {} }, h("span", { class: "words" }), h("span", { class: "main", "aria-hidden": "true" }));
}

// src/extras/pins.ts
var PINS = 4;
var Pins = class {
  constructor(core) {
    this.core = core;
    core.view.rows.prepend(this.#element);
    core.view.pinned = PINS;
  }
  core;
  #element = h("div", { class: "pins", "aria-hidden": "true" });
  draw() {
    const { view, outline } = this.core;
    const { first, rowHeight } = view.list;
    const pinned = this.#pinned(Math.floor(first));
    fit(this.#element, pinned.length, () => makeRow("pin"));
    pinned.forEach((at, k) => {
      const element = this.#element.children[k];
      element.style.transform = `translateY(${k * rowHeight}px)`;
      view.fill(element, at, true);
      setAttributes(element, { "data-selected": outline.isSelected(outline.rows[at]) || null });
    });
  }
  #pinned(first) {
    const { rows } = this.core.outline;
    const pinned = [];
    while (pinned.length < PINS && first + pinned.length < rows.length) {
      const place2 = first + pinned.length;
      const ancestor = upwards(rows[place2]).at(-1 - pinned.length);
      if (!ancestor || ancestor.at >= place2 || rows[place2].level === 1) break;
      pinned.push(ancestor.at);
    }
    return pinned;
  }
};

// src/extras/baselines.ts
var BASELINES = { opened: "since this page was opened", run: "since the last run began", edit: "by the last edit" };
var Baselines = class {
  #plans = {};
  #now = null;
  #run = null;
  of = (baseline) => this.#plans[baseline] ?? null;
  plan(plan) {
    if (this.#now?.state.rev === plan.state.rev) return void (this.#now = plan);
    if (this.#now) this.#plans.edit = this.#now;
    this.#plans.opened ??= plan;
    this.#now = plan;
  }
  run(id) {
    const began = this.#run !== null && id !== "" && id !== this.#run;
    if (began && this.#now) this.#plans.run = this.#now;
    this.#run = id;
    return began;
  }
  forget() {
    this.#plans = {};
    this.#now = null;
  }
};

// src/extras/differing.ts
var KINDS2 = ["", "added", "removed", "changed", "follows"];
var SIGNS = { "": "", added: "+", removed: "−", changed: "~", follows: "→" };
var isMark = (letter) => "FRI".includes(letter);
function differenceOf(tree, before, now) {
  const kinds = new Uint8Array(tree.size);
  const counts = { "": 0, added: 0, removed: 0, changed: 0, follows: 0 };
  const settings = [settingsOf2(before), settingsOf2(now)];
  for (let node = 0; node < tree.size; node++) {
    const [was, is] = [STATUSES[before.status[node]], STATUSES[now.status[node]]];
    const same = was === is && before.head[node] === now.head[node];
    const kind = isMark(was) && isMark(is) ? same && settings[0](node) === settings[1](node) ? 0 : 3 : isMark(is) ? 1 : isMark(was) ? 2 : same ? 0 : 4;
    kinds[node] = kind;
    counts[KINDS2[kind]]++;
  }
  return { kinds, counts, before };
}
function settingsOf2({ unitAt }) {
  return (node) => {
    const unit = unitAt.get(node);
    return unit ? JSON.stringify([unit.strategy, unit.options, unit.fqns]) : "";
  };
}
var wasText = ({ before }, node) => `was ${STATUS_WORDS[STATUSES[before.status[node]]]}`;
function linesOf(tree, { kinds, before }, now) {
  const lines = new Map();
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
    } else lines.set(key, { kind: KINDS2[kind], name: fqn, was, is, nodes: [node] });
  });
  return [...lines.values()];
}
function codeChanges(before, now) {
  const [old, young] = [before, now].map((code) => code.split("\n").filter((line) => line.trim()));
  return { gone: without(old, young), fresh: without(young, old) };
}
function without(lines, others) {
  const left = new Map();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count2 = left.get(line) ?? 0;
    left.set(line, count2 - 1);
    return count2 <= 0;
  });
}

// src/extras/review.ts
var MARKED = [1, 2, 3];
var Review = class {
  baselines = new Baselines();
  #since = null;
  last = "opened";
  difference = null;
  #before = [];
  get since() {
    return this.#since;
  }
  set since(since) {
    this.#since = since;
    this.last = since ?? this.last;
  }
  compare(tree, plan) {
    const before = this.since && this.baselines.of(this.since);
    this.difference = before && differenceOf(tree, before, plan);
    this.#before = this.difference ? MARKED.map((kind) => summed(this.difference.kinds, kind)) : [];
  }
  dress(look, row2, tree, open) {
    look.attributes["data-change"] = null;
    if (!this.difference) return;
    const own = row2.ref < 0 ? this.#own(row2) : null;
    const inside = row2.ref < 0 && !open ? this.#inside(row2, tree) : "";
    look.attributes["data-change"] = own && KINDS2[own.kind];
    if (own) look.main.push(["change", `${own.sign} ${own.kind === 4 ? "follows" : own.was}`]);
    if (inside) look.main.push(["changes", `${inside} inside`]);
    const said = [own && `${own.kind === 4 ? "follows another mark" : KINDS2[own.kind]}${own.count > 1 ? ` ${own.count} times` : ""}, ${own.was}`, inside && `changes inside: ${spoken(inside)}`];
    look.words = [look.words, ...said.filter(Boolean)].join(", ");
  }
  #own(row2) {
    const { kinds } = this.difference;
    const changed = membersOf(row2).filter((node) => kinds[node] > 0);
    const first = changed.find((node) => kinds[node] < 4) ?? changed[0];
    if (first === void 0) return null;
    const kind = kinds[first];
    const count2 = changed.filter((node) => kinds[node] === kind).length;
    return { kind, sign: SIGNS[KINDS2[kind]] + (count2 > 1 && count2 < row2.times ? String(count2) : ""), was: wasText(this.difference, first), count: count2 };
  }
  #inside(row2, { end }) {
    const members = lastOf(row2) > row2.node ? membersOf(row2) : [row2.node];
    const counts = this.#before.map((before) => members.reduce((sum, node) => sum + before[end[node]] - before[node + 1], 0));
    return counts.map((count2, at) => count2 ? `${SIGNS[KINDS2[MARKED[at]]]}${count2}` : "").filter(Boolean).join(" ");
  }
  get summary() {
    if (!this.difference || !this.since) return "";
    const { counts } = this.difference;
    const said = MARKED.map((kind) => KINDS2[kind]).filter((kind) => counts[kind]).map((kind) => `${counts[kind].toLocaleString("en")} ${kind}`);
    const follow = counts.follows ? ` (${counts.follows.toLocaleString("en")} follow)` : "";
    return `${said.join(", ") || "No mark changed"} ${BASELINES[this.since]}${follow}.`;
  }
};
var spoken = (inside) => inside.replace(/\+/g, "added ").replace(/−/g, "removed ").replace(/~/g, "changed ");
function summed(kinds, kind) {
  const before = new Int32Array(kinds.length + 1);
  for (let at = 0; at < kinds.length; at++) before[at + 1] = before[at] + (kinds[at] === kind ? 1 : 0);
  return before;
}

// src/extras/saving.ts
var DELAY_MS = 250;
var OPEN = 2e3;
var Saving = class {
  constructor(core) {
    this.core = core;
    this.#known = core.restored;
    core.model.on("change:view", this.follow);
  }
  core;
  #kept = {};
  #known;
  #timer;
  soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), DELAY_MS);
  }
  read = () => ({ ...JSON.parse(this.#trait() || "{}"), ...this.#kept });
  keep(name, value) {
    this.#kept[name] = value;
    this.soon();
  }
  follow = () => {
    if (this.#trait() === this.#known) return;
    this.#known = this.#trait();
    const { outline } = this.core;
    const { selected } = this.read();
    if (selected !== void 0 && selected < outline.tree.size) this.core.moved(() => outline.jump(selected));
  };
  destroy() {
    clearTimeout(this.#timer);
    this.core.model.off("change:view", this.follow);
  }
  #trait = () => String(this.core.model.get("view") ?? "");
  #save() {
    const { model, outline } = this.core;
    const { rows, focused, isOpen, folds } = outline;
    const open = rows.filter(isOpen).map(({ node }) => node).slice(0, OPEN);
    this.#known = JSON.stringify({ ...this.read(), selected: focused.node, open, split: [...folds.split] });
    model.set("view", this.#known);
    model.save_changes();
  }
};

// src/extras/heads.ts
var WALKS = { dfs: "modules", handle: "handles", init_c: "composable", init_w: "wrapper" };
var Heads = class {
  constructor(element, sort, play2) {
    this.sort = sort;
    this.play = play2;
    this.#element = element;
    element.before(this.#table);
    this.#table.append(element);
    element.removeAttribute("aria-hidden");
    setAttributes(element, { role: "row" });
    element.addEventListener("click", this.#click);
    element.addEventListener("keydown", this.#press);
  }
  sort;
  play;
  #element;
  #table = h("div", { role: "table", "aria-label": "Columns, each sorts the rows", class: "headtable" });
  show(columns, order) {
    const [module, ...heads] = this.#element.children;
    setAttributes(module, { role: "columnheader" });
    heads.forEach((head, at) => {
      const { key, label, title } = columns[at];
      const mine = order?.key === key ? order : null;
      const walk2 = WALKS[key];
      setAttributes(head, {
        role: "columnheader",
        "data-sort": key,
        tabindex: at === this.#stop(heads) ? 0 : -1,
        "aria-sort": mine ? mine.down ? "descending" : "ascending" : "none",
        "aria-label": `${label}: ${title}`,
        title: `${title}. Press: sort the rows, the other way round, the tree again${walk2 ? "; P plays this order" : ""}.`
      });
      head.replaceChildren(...walk2 ? [h("span", { class: "play", "data-play": walk2, "aria-hidden": "true", title: "Play this order (P)" }, "▸")] : [], `${label}${mine ? mine.down ? "▾" : "▴" : ""}`);
    });
  }
  destroy() {
    this.#element.removeEventListener("click", this.#click);
    this.#element.removeEventListener("keydown", this.#press);
  }
  #stop = (heads) => Math.max(0, heads.indexOf(this.#element.getRootNode().activeElement));
  #click = ({ target }) => {
    const { play: play2 } = target.dataset;
    const key = target.closest("[data-sort]")?.dataset.sort;
    if (play2) this.play(play2);
    else if (key) this.sort(key);
  };
  #press = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const heads = [...this.#element.querySelectorAll("[data-sort]")].filter((head) => getComputedStyle(head).display !== "none");
    const at = heads.indexOf(event.target);
    const key = heads[at]?.dataset.sort;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + heads.length, Home: 0, End: heads.length - 1 }[event.key];
    if (!key) return;
    if (event.key === "Enter" || event.key === " ") this.sort(key);
    else if (event.key.toLowerCase() === "p" && WALKS[key]) this.play(WALKS[key]);
    else if (to === void 0) return;
    else this.#go(heads, heads[to % heads.length]);
    event.preventDefault();
  };
  #go(heads, head) {
    for (const each of heads) each.tabIndex = each === head ? 0 : -1;
    head.focus();
  }
};

// src/extras/sorting.ts
var AMOUNTS = new Set(["own", "total", "bytes"]);
function pressed(now, key) {
  const first = AMOUNTS.has(key);
  if (now?.key !== key) return { key, down: first };
  return now.down === first ? { key, down: !first } : null;
}
function sorted(outline, rows, valueOf2, down) {
  const values = new Float64Array(rows.length);
  for (const row2 of rows) {
    const value = row2.ref < 0 ? valueOf2(outline, row2) : -1;
    values[row2.at] = value < 0 ? Infinity : down ? -value : value;
  }
  const list = new Array(rows.length);
  const places = placesOf2(values);
  for (let from = 0; from < rows.length; from++) {
    const row2 = rows[from];
    const at = places[from];
    row2.at = at;
    row2.level = 1;
    row2.position = at + 1;
    row2.siblings = rows.length;
    list[at] = row2;
  }
  return list;
}
function placesOf2(values) {
  const order = values.slice().sort();
  const taken = new Uint32Array(values.length);
  const places = new Uint32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const first = firstOf(order, values[at]);
    places[at] = first + taken[first]++;
  }
  return places;
}
function firstOf(order, value) {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = low + high >> 1;
    if (order[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// src/extras/sorter.ts
var Sorter = class {
  constructor(core, measured, tell, play2) {
    this.core = core;
    this.measured = measured;
    this.tell = tell;
    this.#heads = new Heads(core.view.heads, (key) => this.#by(key), play2);
  }
  core;
  measured;
  tell;
  order = null;
  #heads;
  #columns = [];
  show(columns) {
    this.#columns = columns;
    this.#heads.show(columns, this.order);
  }
  destroy = () => this.#heads.destroy();
  #by(key) {
    this.order = pressed(this.order, key);
    this.#arrange();
    this.tell(this.#said());
  }
  #said() {
    if (!this.order) return "The rows are a tree again.";
    const { label } = this.#columns.find(({ key }) => key === this.order.key);
    return `${this.core.outline.rows.length.toLocaleString("en")} rows by ${label}, ${this.order.down ? "largest" : "least"} first. Enter shows a module in the tree again.`;
  }
  follow() {
    if (this.order) this.#arrange();
  }
  press({ key, altKey, ctrlKey, metaKey }) {
    if (!this.order || altKey || ctrlKey || metaKey || !["ArrowLeft", "ArrowRight", "Enter"].includes(key)) return false;
    if (key === "Enter") {
      const { node } = this.core.outline.focused;
      this.order = null;
      this.#arrange();
      this.core.moved(() => this.core.outline.jump(node));
    }
    return true;
  }
  dress(look, row2) {
    if (!this.order) return;
    const { tree } = this.core.outline;
    const [, swatch, [, name], ...more] = look.main;
    look.main = [["place", ""], swatch, ["name", labelOf(tree, row2) || name], ...more];
    look.item["aria-expanded"] = null;
    look.attributes["data-lane"] = "starts";
  }
  #arrange() {
    const { outline } = this.core;
    const { order, measured } = this;
    outline.arrange = order ? (rows) => sorted(outline, rows, measured.valueOf(order.key), order.down) : (rows) => rows;
    this.#heads.show(this.#columns, order);
    this.core.moved(() => outline.rebuild());
  }
};

// src/extras/slots.ts
var slot = (name) => h("div", { class: `slot ${name}` });
function slotsIn({ root, view, panels: panels2 }) {
  const slots = { tools: slot("tools"), top: slot("top"), edge: slot("edge"), side: slot("side"), tab: panels2 };
  root.querySelector(".head").after(slots.tools);
  root.querySelector(".body").append(slots.side);
  view.element.before(slots.top);
  view.stage.append(slots.edge);
  return slots;
}

// src/extras/status.ts
var StatusLine = class {
  constructor(element) {
    this.element = element;
  }
  element;
  get failing() {
    return this.element.dataset.kind === "error";
  }
  get empty() {
    return this.element.textContent === "";
  }
  tell(text) {
    this.element.replaceChildren(text);
    setAttributes(this.element, { "data-kind": "told" });
  }
  refuse({ title, detail }) {
    this.element.replaceChildren(h("b", {}, title), h("p", {}, detail));
    setAttributes(this.element, { "data-kind": "error" });
  }
};

// src/extras/tabs.ts
var Tabs = class {
  constructor(opened) {
    this.opened = opened;
    this.element.append(this.#list);
  }
  opened;
  element = h("div", { class: "panels" });
  #list = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels", keydown: (event) => this.#press(event) });
  #tabs = [];
  get current() {
    return this.#tabs.find(({ place: place2 }) => !place2.hidden)?.name ?? "";
  }
  place(name, label) {
    const known6 = this.#tabs.find((each) => each.name === name);
    if (known6) return known6.place;
    const tab = h("button", {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      "data-tab": name,
      "aria-selected": "false",
      tabindex: -1,
      click: () => this.open(name)
    }, label);
    const place2 = h("div", { role: "tabpanel", "aria-labelledby": tab.id });
    place2.hidden = true;
    this.#tabs.push({ name, tab, place: place2 });
    this.#list.append(tab);
    this.element.append(place2);
    return place2;
  }
  label(name, text) {
    const tab = this.#tabs.find((each) => each.name === name)?.tab;
    if (tab) setText(tab, text);
  }
  open(chosen) {
    for (const { name, tab, place: place2 } of this.#tabs) {
      place2.hidden = name !== chosen;
      setAttributes(tab, { "aria-selected": name === chosen, tabindex: name === chosen ? 0 : -1 });
    }
    this.opened(chosen);
  }
  #press(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const now = this.#tabs.findIndex(({ name }) => name === this.current);
    const next = this.#tabs[(now + by + this.#tabs.length) % this.#tabs.length];
    this.open(next.name);
    next.tab.focus();
  }
};

// src/extras/toolbar.ts
var BUTTONS = [
  ["fully_shard", "Fully shard", "Make each selected module a unit (F)", { do: "mark", verb: "fully_shard" }],
  ["replicate", "Replicate", "Replicate each selected module (R)", { do: "mark", verb: "replicate" }],
  ["ignore", "Ignore", "Take the selected modules out of sharding (I)", { do: "mark", verb: "ignore" }],
  ["clear", "Clear", "Remove the marks of the selected modules (U)", { do: "mark", verb: "clear" }],
  ["group", "One unit", "Make one unit of all selected modules (G)", { do: "group" }],
  ["boundary_up", "Unit ↑", "Move the boundary of the selected units up to their parents (Alt+Up, or drag the unit's chip)", { do: "boundary", way: "up" }],
  ["boundary_down", "Unit ↓", "Move the boundary of the selected units down to their children (Alt+Down, or drag the unit's chip)", { do: "boundary", way: "down" }],
  null,
  ["undo", "↶ Undo", "Undo the last edit (Ctrl+Z)", { do: "undo" }],
  ["redo", "↷ Redo", "Redo (Ctrl+Shift+Z)", { do: "redo" }],
  ["changes", "± Changes", "Show what changed in the plan, or stop (=)", { do: "review" }],
  null,
  ["open_all", "Expand all", "Open every module (+)", { do: "openAll" }],
  ["close_all", "Collapse all", "Close every module (-)", { do: "closeAll" }],
  ["split", "Split ×n", "Show the siblings of a repeated row one by one, or gather them again (S)", { do: "split" }]
];
var VERBS = ["fully_shard", "replicate", "ignore", "clear"];
var LETTERS2 = { fully_shard: "F", replicate: "R", ignore: "I" };
function verbButton(verb, label, title, press) {
  const made2 = button(verb, label, title, press);
  const letter = LETTERS2[verb] ?? "";
  if (letter) made2.dataset.status = letter;
  if (letter || !label) made2.prepend(h("span", { "data-cell": "swatch", "aria-hidden": "true", class: letter ? "" : "empty" }, letter));
  if (!label) made2.classList.add("bare");
  return made2;
}
var Toolbar = class {
  element = h("div", { class: "bar", role: "toolbar", "aria-label": "Plan", keydown: (event) => this.#press(event) });
  #buttons = new Map();
  constructor(act) {
    for (const entry of BUTTONS) {
      if (entry === null) {
        this.element.append(h("span", { class: "gap" }));
        continue;
      }
      const [cmd, label, title, action] = entry;
      const made2 = verbButton(cmd, label, title, () => act(action));
      this.#buttons.set(cmd, made2);
      this.element.append(made2);
      made2.tabIndex = this.#buttons.size === 1 ? 0 : -1;
    }
  }
  enable(cmd, enabled) {
    this.#buttons.get(cmd).disabled = !enabled;
  }
  #press(event) {
    const all = [...this.#buttons.values()].filter((each) => !each.disabled);
    const now = all.findIndex((each) => each === event.target);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (now < 0 || next === void 0) return;
    event.preventDefault();
    for (const each of this.#buttons.values()) each.tabIndex = -1;
    all[next % all.length].tabIndex = 0;
    all[next % all.length].focus();
  }
};

// src/extras/curtain.ts
var Curtain = class {
  constructor(content, turned) {
    this.content = content;
    this.turned = turned;
    this.element = h("div", {}, content);
    this.observer = new ResizeObserver(() => this.look());
    this.observer.observe(this.element);
  }
  content;
  turned;
  element;
  observer;
  shown = false;
  destroy = () => this.observer.disconnect();
  look() {
    const shown = this.element.clientWidth > 0;
    if (shown === this.shown) return;
    this.shown = shown;
    if (shown) this.element.append(this.content);
    else this.content.remove();
    this.turned(shown);
  }
};

// src/extras/walk.ts
var ACTS = ["visit", "again", "barred", "leave", "take"];
var NONE = [];
function* walk(ground, kind) {
  const found = [];
  const met = new Uint8Array(ground.tree.size);
  for (const start of ground.starts) {
    const stack = [start];
    while (stack.length > 0) {
      const step2 = stepOf2(ground, kind, met, stack.pop());
      for (const node of step2.pushed) stack.push(node);
      if (step2.finds) found.push(step2.node);
      yield step2;
    }
  }
  while (found.length > 0) yield { node: found.pop(), act: "take", produces: true, finds: false, pushed: NONE };
}
function stepOf2(ground, kind, met, top) {
  const still2 = { produces: false, finds: false, pushed: NONE };
  if (top < 0) return { ...still2, node: ~top, act: "leave", produces: ground.handles.has(~top) };
  if (met[top]) return { ...still2, node: top, act: "again" };
  const whole2 = kind === "modules" || kind === "rightToLeft";
  if (!whole2 && ground.barred.has(top)) return { ...still2, node: top, act: "barred" };
  met[top] = 1;
  const kids = edgesOf(ground.tree, top);
  if (kind !== "rightToLeft") kids.reverse();
  if (kind === "wrapper") return { ...still2, node: top, act: "visit", pushed: [~top, ...kids] };
  const handle = ground.handles.has(top);
  return { node: top, act: "visit", produces: whole2 || kind === "handles" && handle, finds: kind === "composable" && handle, pushed: kids };
}
function edgesOf(tree, node) {
  const edges = [];
  for (let kid = node + 1; kid < tree.end[node]; kid = tree.end[kid]) edges.push(kid);
  const shared = (tree.refsOf.get(node) ?? NONE).filter((ref) => tree.refs[ref][3] === "shared");
  for (const ref of shared) edges.splice(placeOf2(tree, ref, edges.length), 0, tree.refs[ref][2]);
  return edges;
}
function placeOf2(tree, ref, last) {
  return Math.min(last, tree.refs[ref][4] ?? last);
}
function recordWalk(ground, kind) {
  const recorder = new Recorder(kind);
  const starts = [...ground.starts].reverse();
  recorder.begin(starts.pop());
  for (const step2 of walk(ground, kind)) {
    recorder.take(step2);
    if (recorder.idle) recorder.begin(starts.pop());
  }
  return recorder.end();
}
function stackAt(recording, step2, most) {
  const entries = [];
  for (let at = recording.top[step2]; at >= 0 && entries.length < most; at = recording.below[at]) entries.push(recording.entry[at]);
  return entries;
}
var Recorder = class {
  constructor(kind) {
    this.kind = kind;
  }
  kind;
  node = new Ints();
  act = new Ints();
  top = new Ints();
  depth = new Ints();
  done = new Ints();
  listed = new Ints();
  produced = new Ints();
  found = new Ints();
  stack = new Entries();
  reversing = -1;
  get idle() {
    return this.stack.depth === 0;
  }
  begin(start) {
    if (start !== void 0) this.stack.push(start);
  }
  take(step2) {
    if (step2.act === "take" && this.reversing < 0) this.reverse();
    this.mark();
    this.node.push(step2.node);
    this.act.push(ACTS.indexOf(step2.act));
    this.stack.pop();
    for (const entry of step2.pushed) this.stack.push(entry);
    if (step2.finds) this.found.push(step2.node);
    if (step2.produces) this.produced.push(step2.node);
  }
  end() {
    this.mark();
    const steps2 = this.node.size;
    return {
      kind: this.kind,
      steps: steps2,
      reversing: this.reversing < 0 ? steps2 : this.reversing,
      node: this.node.array(),
      act: Uint8Array.from(this.act.array()),
      top: this.top.array(),
      depth: this.depth.array(),
      done: this.done.array(),
      listed: this.listed.array(),
      entry: this.stack.entry.array(),
      below: this.stack.below.array(),
      produced: this.produced.array(),
      found: this.found.array()
    };
  }
  reverse() {
    this.reversing = this.node.size;
    for (let at = 0; at < this.found.size; at++) this.stack.push(this.found.at(at));
  }
  mark() {
    this.top.push(this.stack.top);
    this.depth.push(this.stack.depth);
    this.done.push(this.produced.size);
    this.listed.push(this.found.size);
  }
};
var Entries = class {
  entry = new Ints();
  below = new Ints();
  top = -1;
  depth = 0;
  push(value) {
    this.entry.push(value);
    this.below.push(this.top);
    this.top = this.entry.size - 1;
    this.depth++;
  }
  pop() {
    this.top = this.below.at(this.top);
    this.depth--;
  }
};
var Ints = class {
  size = 0;
  values = new Int32Array(256);
  push(value) {
    if (this.size === this.values.length) {
      const wider = new Int32Array(2 * this.size);
      wider.set(this.values);
      this.values = wider;
    }
    this.values[this.size++] = value;
  }
  at = (place2) => this.values[place2];
  array = () => this.values.slice(0, this.size);
};

// src/extras/narration.ts
var WALKS2 = [
  { kind: "composable", label: "I₁ composable init", about: "fully_shard(policy): lists the handles left to right, then makes them from the end of that list.", made: "Handles made" },
  { kind: "wrapper", label: "I₂ wrapper init", about: "FullyShardedDataParallel(policy): a handle is made once all children are done (post-order).", made: "Handles made" },
  { kind: "handles", label: "H get_handles", about: "Lists the handles left to right, parents first; a replicated module is not entered.", made: "Handles listed" },
  { kind: "modules", label: "# modules()", about: "Every module once, left to right, parents first.", made: "Modules met" },
  { kind: "rightToLeft", label: "right to left", about: "Children from the right, for contrast: nothing runs in this order.", made: "Modules met" }
];
var wordsOf = (kind) => WALKS2.find((words2) => words2.kind === kind);
function groundOf(tree, plan, starts) {
  const handles = new Set(plan.state.units.filter((unit) => unit.handle !== null).map((unit) => unit.index));
  const replicated = STATUSES.indexOf("R");
  const barred = new Set();
  plan.status.forEach((status, node) => status === replicated && barred.add(node));
  return { tree, handles, barred, starts };
}
var CLIMB = 5;
function shortName(tree, node) {
  if (node === 0) return "(root)";
  const parts = [];
  let at = node;
  for (; at > 0 && parts.length < CLIMB; at = tree.parent[at]) parts.push(tree.names[at]);
  return (at > 0 ? "…" : "") + parts.reverse().join(".");
}
function sentence(ground, recording, step2) {
  const { tree, handles } = ground;
  const made2 = recording.produced.length.toLocaleString("en");
  if (step2 >= recording.steps) return `Done: ${wordsOf(recording.kind).made.toLowerCase()}, ${made2} in all.`;
  const node = recording.node[step2];
  const name = shortName(tree, node);
  const joins = handles.has(node);
  switch (ACTS[recording.act[step2]]) {
    case "again":
      return `${name} was met before, by another path: nothing to do.`;
    case "barred":
      return `${name} is replicated: not entered, nothing below it is listed.`;
    case "leave":
      return joins ? `All children of ${name} are done: its handle is made.` : `All children of ${name} are done; it has no handle.`;
    case "take":
      return `${name} is the last of the list: its handle is made.`;
    default:
      return `Visit ${name} (${tree.classes[tree.cls[node]][0]})${listing(recording.kind, joins)}; ${stacking(edgesOf(tree, node).length)}.`;
  }
}
function listing(kind, joins) {
  if (kind === "modules" || kind === "rightToLeft") return ", and list it";
  if (kind === "wrapper") return joins ? ": it has a handle, to be made when its children are done" : ", without a handle";
  return joins ? ", and list its handle" : ", without a handle";
}
function stacking(children) {
  if (children === 0) return "it has no children";
  return children === 1 ? "its child goes on the stack" : `its ${children.toLocaleString("en")} children go on the stack`;
}

// src/extras/playback.ts
var RATES = [1, 2, 5, 10, 30, 60, 200, 1e3, 1e4];
var LONGEST_S = 0.25;
var still = (steps2, rate = 2) => ({ steps: steps2, at: 0, rate, playing: false, owed: 0 });
function advance(now, seconds) {
  if (!now.playing) return now;
  const due = now.owed + now.rate * Math.min(seconds, LONGEST_S);
  const at = Math.min(now.steps, now.at + Math.floor(due));
  return { ...now, at, owed: due % 1, playing: at < now.steps };
}
var play = (now) => ({ ...now, at: now.at === now.steps ? 0 : now.at, owed: 0, playing: now.steps > 0 });
var pause = (now) => ({ ...now, playing: false, owed: 0 });
var seek = (now, at) => ({ ...now, at: Math.max(0, Math.min(now.steps, Math.round(at))), owed: 0 });
var stepBy = (now, by) => pause(seek(now, now.at + by));
var atRate = (now, rate) => ({ ...now, rate, owed: 0 });

// src/extras/player.ts
var AROUND = 4;
var SHOWN = 8;
var CALM_MS = 250;
var INDENT = 8;
var PLAY = "play-walk";
var PlayerPanel = class {
  constructor(page) {
    this.page = page;
    this.rate.value = "2";
    const back = button("step_back", "◀", "One step back (,)", () => this.move(stepBy(this.now, -1)));
    const on = button("step", "▶|", "One step on (.)", () => this.move(stepBy(this.now, 1)));
    setAttributes(back, { "aria-label": "One step back" });
    setAttributes(on, { "aria-label": "One step on" });
    const content = h(
      "div",
      { class: "player", "data-role": "player" },
      h("div", { class: "bar" }, this.walk, this.start, back, this.playing, on, this.rate, this.scrub, this.count),
      this.about,
      this.said,
      h("div", { class: "columns" }, this.around.element, this.stack.element, this.made.element)
    );
    this.curtain = new Curtain(content, (shown) => this.turn(shown));
    this.element = this.curtain.element;
    page.root.addEventListener("keydown", this.press);
    page.root.addEventListener(PLAY, this.begin);
  }
  page;
  element;
  curtain;
  shown = true;
  walk = h(
    "select",
    { "data-role": "walk", "aria-label": "Walk", change: () => this.rewalk() },
    ...WALKS2.map(({ kind, label }) => h("option", { value: kind }, label))
  );
  start = h("select", { "data-role": "walk-start", "aria-label": "Where the walk begins", change: () => this.rewalk() });
  playing = button("play", "▶ Play", "Play or pause", () => this.toggle());
  rate = h(
    "select",
    { "data-role": "rate", "aria-label": "Rows a second", change: () => this.move(atRate(this.now, Number(this.rate.value))) },
    ...RATES.map((rate) => h("option", { value: rate }, `${rate.toLocaleString("en")} rows/s`))
  );
  scrub = h("input", { type: "range", min: 0, value: 0, "data-role": "scrub", "aria-label": "Step", input: () => this.move(pause(seek(this.now, Number(this.scrub.value)))) });
  count = h("span", { class: "note", "data-role": "step" });
  about = h("p", { class: "note" });
  said = h("p", { class: "said", "data-role": "said", "aria-live": "polite" });
  around = new Lines("around", 2 * AROUND + 1, "Modules around the next one");
  stack = new Lines("stack", SHOWN, "Stack");
  made = new Lines("made", SHOWN, "Produced");
  ground;
  recording;
  metAt;
  now = still(0);
  frame = 0;
  drawnAt = 0;
  calm = matchMedia("(prefers-reduced-motion: reduce)");
  press = (event) => this.key(event);
  update(changes) {
    if (!changes.has("tree") && !changes.has("plan")) return;
    this.offerStarts();
    this.rewalk();
  }
  destroy() {
    cancelAnimationFrame(this.frame);
    this.curtain.destroy();
    this.page.root.removeEventListener("keydown", this.press);
    this.page.root.removeEventListener(PLAY, this.begin);
    this.page.point("now", []);
  }
  begin = (event) => {
    this.walk.value = event.detail;
    this.rewalk();
    this.move(play(still(this.recording.steps, this.now.rate)));
  };
  offerStarts() {
    const { tree, plan } = this.page;
    const roots = plan.state.units.filter((unit) => unit.is_root && unit.apart).slice(0, 50);
    const chosen = this.start.value;
    this.start.replaceChildren(h("option", { value: 0 }, "from the root"), ...roots.map(({ index }) => h("option", { value: index }, `from ${shortName(tree, index)}`)));
    this.start.value = roots.some(({ index }) => String(index) === chosen) ? chosen : "0";
    this.start.hidden = roots.length === 0;
  }
  rewalk() {
    const { tree, plan } = this.page;
    const kind = this.walk.value;
    const changed = this.recording?.kind !== kind;
    this.ground = groundOf(tree, plan, [Number(this.start.value)]);
    this.recording = recordWalk(this.ground, kind);
    this.metAt = new Int32Array(tree.size).fill(this.recording.steps);
    for (let step2 = this.recording.steps - 1; step2 >= 0; step2--) if (this.recording.act[step2] === 0) this.metAt[this.recording.node[step2]] = step2;
    setText(this.about, wordsOf(kind).about);
    setAttributes(this.scrub, { max: this.recording.steps });
    const fresh = still(this.recording.steps, this.now.rate);
    this.move(changed ? fresh : seek(fresh, this.now.at));
  }
  toggle() {
    this.move(this.now.playing ? pause(this.now) : play(this.now));
  }
  move(next) {
    this.now = next;
    this.draw();
    cancelAnimationFrame(this.frame);
    if (next.playing) this.follow(performance.now());
  }
  turn(shown) {
    this.shown = shown;
    if (shown) this.draw();
    else this.move(pause(this.now));
  }
  follow(before) {
    this.frame = requestAnimationFrame((time) => {
      this.now = advance(this.now, Math.max(0, time - before) / 1e3);
      if (!this.calm.matches || time - this.drawnAt >= CALM_MS || !this.now.playing) this.draw(time);
      if (this.now.playing) this.follow(Math.max(time, before));
    });
  }
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.shown) return;
    if (event.key !== "." && event.key !== ",") return;
    if (event.composedPath()[0].matches("input:not([type=range]), textarea")) return;
    event.preventDefault();
    this.move(stepBy(this.now, event.key === "." ? 1 : -1));
  }
  draw(time = performance.now()) {
    this.drawnAt = time;
    const { now, recording, ground } = this;
    const { at, steps: steps2 } = now;
    this.scrub.value = String(at);
    setAttributes(this.scrub, { "aria-valuetext": `step ${at} of ${steps2}` });
    setText(this.count, `step ${at.toLocaleString("en")} of ${steps2.toLocaleString("en")}`);
    setText(this.playing, now.playing ? "❚❚ Pause" : "▶ Play");
    setAttributes(this.said, { "aria-live": now.playing ? "off" : "polite" });
    setText(this.said, (at < steps2 ? "Next: " : "") + sentence(ground, recording, at));
    const next = at < steps2 ? recording.node[at] : -1;
    this.drawAround(next);
    this.drawStack();
    this.drawMade();
    this.page.point("now", next < 0 || !this.shown ? [] : [next]);
  }
  drawAround(next) {
    const { tree } = this.page;
    const centre = Math.max(0, next);
    const first = Math.max(0, Math.min(centre - AROUND, tree.size - 2 * AROUND - 1));
    const last = Math.min(tree.size, first + 2 * AROUND + 1);
    let base = Infinity;
    for (let node = first; node < last; node++) base = Math.min(base, tree.depth[node]);
    this.around.show("Modules", last - first, (nth) => {
      const node = first + nth;
      const sign = node === next ? "▶" : this.metAt[node] < this.now.at ? "✓" : "·";
      const indent = "  ".repeat(Math.min(INDENT, tree.depth[node] - base));
      const joins = this.ground.handles.has(node) ? " [H]" : this.ground.barred.has(node) ? " [R]" : "";
      return `${sign} ${indent}${node === 0 ? "(root)" : tree.names[node]}${joins}`;
    }, next - first);
  }
  drawStack() {
    const { recording, now } = this;
    const entries = stackAt(recording, now.at, SHOWN);
    const name = now.at >= recording.reversing && recording.reversing < recording.steps ? "Handles listed, taken from the end" : "Stack";
    this.stack.show(
      `${name}: ${recording.depth[now.at].toLocaleString("en")}`,
      entries.length,
      (nth) => entries[nth] < 0 ? `${shortName(this.page.tree, ~entries[nth])}, once its children are done` : shortName(this.page.tree, entries[nth]),
      0
    );
  }
  drawMade() {
    const { recording, now } = this;
    const listing2 = recording.kind === "composable" && now.at < recording.reversing;
    const [list, size] = listing2 ? [recording.found, recording.listed[now.at]] : [recording.produced, recording.done[now.at]];
    const first = Math.max(0, size - SHOWN);
    const heading = listing2 ? "Handles listed" : wordsOf(recording.kind).made;
    this.made.show(
      `${heading}: ${size.toLocaleString("en")} of ${list.length.toLocaleString("en")}`,
      size - first,
      (nth) => `${first + nth}  ${shortName(this.page.tree, list[first + nth])}`,
      size - first - 1
    );
  }
};
var Lines = class {
  element;
  heading = h("h4");
  lines;
  constructor(role, most, label) {
    this.lines = Array.from({ length: most }, () => h("li"));
    this.element = h("div", { "data-role": role }, this.heading, h("ol", { "aria-label": label }, ...this.lines));
  }
  show(heading, count2, text, marked) {
    setText(this.heading, heading);
    this.lines.forEach((line, nth) => {
      line.style.visibility = nth < count2 ? "visible" : "hidden";
      if (nth < count2) setText(line, text(nth));
      setAttributes(line, { "data-now": nth === marked && nth < count2 ? "1" : null });
    });
  }
};

// src/extras/board.ts
var WELCOME = "Select modules (click, Shift+click, arrows; L all alike), then mark them: F fully shard, R replicate, I ignore, U clear. / finds.";
var ALL = ["tree", "plan", "run", "costs", "comparison", "focus", "rows", "scroll", "hits", "colour", "theme", "size", "changes"];
var Board = class {
  constructor(core, panels2, style2) {
    this.core = core;
    this.#dressing = new Dressing(core);
    this.#saving = new Saving(core);
    this.#pins = new Pins(core);
    this.#status = new StatusLine(core.status);
    this.#patience = new Patience(core.talk, (silent) => this.#editing.silent(silent));
    this.#editing = new Editing(core, this.#patience, this.#dressing, this.#status, () => isLive(this.run));
    this.#following = new Following(core.model, this.#status, (change) => this.changed(change), this.#executed);
    this.#toolbar = new Toolbar((action) => isEdit(action) ? this.#act(action) : core.act(action));
    this.#sorter = new Sorter(core, this.#measured, this.tell, this.#play);
    this.#boundary = new Boundary(core, { outline: (nodes) => this.point("now", nodes), tell: this.tell, command: this.command });
    this.hidden = new Set(this.#saving.read().hidden ?? FIRST_HIDDEN);
    const slots = slotsIn(core);
    core.root.after(h("style", {}, style2));
    core.status.before(this.#detail);
    slots.tools.append(this.#toolbar.element);
    slots.tab.replaceChildren(this.#tabs.element);
    slots.tab.classList.remove("note");
    slots.tab.before(this.#editing.gone);
    for (const [name, kind] of Object.entries(panels2)) {
      const place2 = kind.slot === "tab" ? this.#tabs.place(name, kind.label) : slots[kind.slot].appendChild(h("div", { "data-panel": name }));
      this.#mounted.set(name, { kind, place: place2, owed: new Set(ALL), scrolled: [] });
    }
    slots.tools.append(legend());
    this.#compare([]);
    this.#tellTools();
    if (this.#status.empty) this.#status.tell(WELCOME);
    core.view.rows.addEventListener("scroll", this.#scrolled);
    this.#themes.observe(core.root, { attributeFilter: ["data-theme"] });
    this.#tellDetail();
    this.#tabs.open("run");
  }
  core;
  hits = [];
  hidden;
  changes = new Review();
  #measured = new Measured();
  #boundary;
  #sorter;
  #toolbar;
  #tabs = new Tabs(() => this.#show());
  #editing;
  #following;
  #detail = h("div", { class: "detail", "data-role": "detail" });
  #dressing;
  #themes = new MutationObserver(() => this.changed("theme", "colour"));
  #patience;
  #pins;
  #saving;
  #status;
  #mounted = new Map();
  #listeners = new Set();
  #fresh = new Set();
  #frame = 0;
  get root() {
    return this.core.root;
  }
  get tree() {
    return this.core.outline.tree;
  }
  get plan() {
    return wholePlan(this.tree, this.core.outline.plan);
  }
  get run() {
    return this.#following.run;
  }
  get rows() {
    return this.core.outline.rows;
  }
  get focus() {
    return this.core.outline.focus;
  }
  get focused() {
    return this.rows[this.focus].node;
  }
  get selected() {
    return selectedModules(this.core.outline);
  }
  get columns() {
    return this.#measured.columns;
  }
  get viewport() {
    const { first, page, rowHeight } = this.core.view.list;
    return { first, count: page, rowHeight };
  }
  trait = (name) => JSON.parse(String(this.core.model.get(name) || "null"));
  rowOf = (node) => this.core.outline.rowOf(node);
  colourOf = (node) => this.#dressing.colourOf(node);
  kept = (name) => this.#saving.read()[name];
  ask = (cmd, fields = {}) => this.#patience.ask(cmd, fields);
  command = (cmd, fields = {}, marks = []) => this.#editing.command(cmd, fields, marks);
  tell = (text) => this.#status.tell(text);
  refuse = (refusal) => this.#status.refuse(refusal);
  scrollTo = (row2) => this.core.view.list.jumpTo(row2);
  point = (tone, nodes) => this.#dressing.point(tone, nodes);
  focusTree = () => this.core.view.takeFocus();
  keep = (name, value) => this.#saving.keep(name, value);
  label = (panel, text) => this.#tabs.label(panel, text);
  open = (panel) => this.#tabs.open(panel);
  reveal = (node) => {
    if (node >= 0) this.core.moved(() => this.core.outline.jump(node));
    this.focusTree();
  };
  measure = (nbytes) => {
    this.#measured.measure(this.tree.size, nbytes);
    this.core.view.draw();
  };
  hide = (keys) => {
    this.hidden = new Set(keys);
    this.keep("hidden", [...this.hidden]);
    this.#showColumns();
    this.changed("rows");
  };
  find = (nodes) => {
    this.hits = nodes;
    this.#dressing.find(nodes);
    this.changed("hits");
  };
  paint = (paint) => {
    this.#dressing.paint(paint);
    this.changed("colour");
  };
  compact = (on) => {
    this.keep("compact", on);
    this.#showColumns();
    this.changed("size");
  };
  subscribe(heard) {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }
  started() {
    this.#showColumns();
    this.#saving.follow();
  }
  dress(look, row2) {
    const { outline } = this.core;
    this.#dressing.dress(look, row2);
    this.changes.dress(look, row2, outline.tree, outline.isOpen(row2));
    this.#sorter.dress(look, row2);
  }
  drawn = () => this.#pins.draw();
  press(event) {
    const edit = editOf(event);
    if (edit) this.#act(edit);
    return edit !== null || this.#sorter.press(event);
  }
  hear(message) {
    this.#patience.hear();
    this.#following.hear(message);
  }
  changed(...changes) {
    for (const change of changes) this.#fresh.add(change);
    this.#frame ||= requestAnimationFrame(() => this.#flush());
    if (changes.includes("tree")) this.#sorter.follow();
    if (["tree", "plan", "run"].some((change) => changes.includes(change))) this.#compare(changes);
    if (changes.includes("plan")) this.#tellTools();
    if (changes.includes("rows")) this.#tellDetail();
    if (changes.includes("rows") && !changes.includes("plan")) this.#saving.soon();
  }
  destroy() {
    cancelAnimationFrame(this.#frame);
    this.#following.destroy();
    this.core.view.rows.removeEventListener("scroll", this.#scrolled);
    this.#themes.disconnect();
    this.#dressing.destroy();
    this.#boundary.destroy();
    this.#sorter.destroy();
    this.#patience.destroy();
    this.#saving.destroy();
    for (const { panel } of this.#mounted.values()) panel?.destroy();
  }
  review = (since) => {
    this.changes.since = since;
    this.changes.compare(this.tree, this.plan);
    this.tell(since ? this.changes.summary : "Changes are no longer shown.");
    this.changed("changes");
    this.core.view.draw();
  };
  #act(edit) {
    if (edit.do === "review") this.#toggleReview();
    else if (edit.do === "boundary") this.#boundary.moveSelected(edit.way);
    else this.#editing.act(edit);
  }
  #toggleReview() {
    const chosen = this.changes.since;
    this.review(chosen ? null : this.changes.last);
    if (!chosen) this.open("changes");
  }
  #compare(changes) {
    const { baselines } = this.changes;
    if (!this.#following) return;
    if (changes.includes("tree")) baselines.forget();
    baselines.plan(this.plan);
    const began = baselines.run(this.run.id);
    if (began || !changes.includes("run")) this.changes.compare(this.tree, this.plan);
  }
  #play = (kind) => {
    this.open("player");
    this.root.dispatchEvent(new CustomEvent(PLAY, { detail: kind }));
  };
  #tellTools() {
    setText(this.core.totals, totalsText(this.tree.size, this.plan));
    const { undo, redo, conflicts, findings } = this.plan.state;
    const remarks = conflicts.length + findings.length;
    this.label("findings", remarks ? `Findings (${remarks})` : "Findings");
    this.#toolbar.enable("undo", undo);
    this.#toolbar.enable("redo", redo);
    if (this.#status.failing) this.#status.tell("The plan has changed.");
  }
  #tellDetail() {
    const { tree, focused: row2 } = this.core.outline;
    const parts = [selectionText(this.core.outline), inFull(this.core.outline, row2), row2.ref < 0 ? ownParameters(tree, row2.node) : ""];
    setText(this.#detail, parts.filter(Boolean).join(" · "));
  }
  #scrolled = () => {
    this.#pins.draw();
    this.changed("scroll");
  };
  #executed = (execution) => {
    this.#measured.execution = execution;
    this.core.view.draw();
  };
  #showColumns() {
    const shown = this.columns.filter(({ key }) => !this.hidden.has(key));
    this.core.view.show(shown, this.kept("compact") === true);
    this.#sorter.show(shown);
    this.core.view.draw();
  }
  #flush() {
    this.#frame = 0;
    const changes = new Set(this.#fresh);
    this.#fresh.clear();
    for (const { owed } of this.#mounted.values()) for (const change of changes) owed.add(change);
    this.#show();
    for (const heard of this.#listeners) heard(changes);
  }
  #show() {
    for (const [name, mounted] of this.#mounted) {
      const { place: place2, panel } = mounted;
      if (place2.hidden) {
        if (panel?.element.isConnected) takeOut(mounted);
        continue;
      }
      if (panel && !panel.element.isConnected) putBack(mounted);
      if (mounted.owed.size === 0) continue;
      const owed = mounted.owed;
      mounted.owed = new Set();
      try {
        mounted.panel ??= this.#made(mounted);
        mounted.panel.update(owed);
      } catch (error) {
        this.#mounted.delete(name);
        place2.replaceChildren(h("p", { class: "note" }, `The panel ${name} failed: ${error}`));
        console.error(error);
      }
    }
  }
  #made({ kind, place: place2 }) {
    const panel = kind.make(this);
    place2.append(panel.element);
    return panel;
  }
};
function takeOut(mounted) {
  const { element } = mounted.panel;
  mounted.scrolled = [...element.querySelectorAll("*")].filter(({ scrollTop }) => scrollTop > 0).map((each) => [each, each.scrollTop]);
  element.remove();
}
function putBack({ place: place2, panel, scrolled }) {
  place2.append(panel.element);
  for (const [element, top] of scrolled) element.scrollTop = top;
}

// src/extras/changes.ts
var SHOWN2 = 60;
var OFF = "Compares the plan with an earlier one, on the rows and here. Key: =";
var ChangesPanel = class {
  constructor(page) {
    this.page = page;
    this.element = h("div", { "data-role": "changes-panel" }, h("div", { class: "bar" }, this.#since, this.#toggle, this.#chips), this.#list, this.#code);
  }
  page;
  element;
  #since = h(
    "select",
    { "data-role": "since", "aria-label": "What changed", change: () => this.page.review(this.#since.value) },
    ...Object.entries(BASELINES).map(([value, label]) => h("option", { value }, `what changed ${label}`))
  );
  #toggle = button("review", "Show on the tree", "Show what changed, or stop (=)", () => this.page.review(this.page.changes.since ? null : this.#since.value));
  #chips = h("b", { "data-role": "changes-note" });
  #list = h("ol", { class: "changes", "data-role": "changes", "aria-label": "Changes", click: (event) => this.#jump(event) });
  #code = h("pre", { "data-role": "changed-code", tabindex: 0, "aria-label": "Lines of code that changed" });
  #lines = [];
  #went = new Map();
  update(changes) {
    if (!["tree", "plan", "run", "changes"].some((change) => changes.has(change))) return;
    const { since, difference: difference2, baselines } = this.page.changes;
    for (const option of this.#since.options) option.disabled = baselines.of(option.value) === null;
    if (since) this.#since.value = since;
    setText(this.#toggle, since ? "Stop (=)" : "Show on the tree");
    setAttributes(this.#toggle, { "aria-pressed": since !== null });
    setText(this.#chips, since ? this.page.changes.summary : OFF);
    this.#lines = difference2 ? linesOf(this.page.tree, difference2, this.page.plan) : [];
    this.#went.clear();
    this.#list.hidden = this.#lines.length === 0;
    this.#list.replaceChildren(...this.#lines.slice(0, SHOWN2).map((line, at) => h("li", {}, this.#line(line, at))), ...this.#more());
    this.#showCode(difference2?.before.state.code);
  }
  destroy = () => void 0;
  #line({ kind, name, was, is, nodes }, at) {
    const times = nodes.length > 1 ? ` ×${nodes.length.toLocaleString("en")}` : "";
    const words2 = was === is ? `${STATUS_WORDS[is]}, other settings or modules` : `${STATUS_WORDS[was]} → ${STATUS_WORDS[is]}`;
    return h(
      "button",
      { type: "button", class: "link", "data-change": kind, "data-line": at, title: times ? "Goes to the next of them" : "Goes there" },
      h("b", {}, SIGNS[kind]),
      ` ${name || "(root)"}${times}`,
      h("span", { class: "note" }, ` ${words2}`)
    );
  }
  #more() {
    const left = this.#lines.length - SHOWN2;
    return left > 0 ? [h("li", { class: "note" }, `and ${left.toLocaleString("en")} more lines`)] : [];
  }
  #jump({ target }) {
    const at = target.closest("[data-line]")?.dataset.line;
    if (at === void 0) return;
    const { nodes } = this.#lines[Number(at)];
    const next = this.#went.get(Number(at)) ?? 0;
    this.#went.set(Number(at), (next + 1) % nodes.length);
    this.page.reveal(nodes[next]);
    this.page.tell(`${fqnOf(this.page.tree, nodes[next]) || "the root module"}: change ${next + 1} of ${nodes.length}.`);
  }
  #showCode(before) {
    const { gone, fresh } = before === void 0 ? { gone: [], fresh: [] } : codeChanges(before, this.page.plan.state.code);
    this.#code.hidden = gone.length + fresh.length === 0;
    setText(this.#code, [...gone.map((line) => `− ${line}`), ...fresh.map((line) => `+ ${line}`)].join("\n"));
  }
};

// src/extras/changes.css
var changes_default = `
.headtable { display: block; }
.heads [data-sort] { cursor: pointer; }
.heads [data-sort]:hover { color: var(--ink); text-decoration: underline; }
.heads [aria-sort]:not([aria-sort="none"]) { color: var(--ink); font-weight: 700; }
.heads .play { padding: 0 2px; visibility: hidden; }
.heads :is(:hover, :focus) > .play { visibility: visible; }
.row > .unit:not(:empty) { cursor: ns-resize; user-select: none; touch-action: none; }
[data-dragging] .rows, [data-dragging] .rows * { cursor: ns-resize !important; user-select: none; }
[data-cell="place"] { width: 0; }
.shx { --added: #1a7037; --removed: #b3261e; --changed: #6b4f00; }
.shx[data-theme="dark"] { --added: #6fd08c; --removed: #ff8a80; --changed: #e3c15c; }
[data-change="added"] { --sign: var(--added); }
[data-change="removed"] { --sign: var(--removed); }
[data-change="changed"] { --sign: var(--changed); }
[data-change="follows"] { --sign: var(--soft); }
.main > [data-cell="change"], .main > [data-cell="changes"] { color: var(--sign, var(--soft)); border-color: currentColor; }
.main > [data-cell="change"] { font-weight: 700; }
[data-cell="cut"] { font-weight: 700; }
[data-role="changes-note"] { margin-left: 6px; }
.changes { margin: 6px 0; padding: 0; list-style: none; max-height: 220px; overflow: auto; }
.changes .link { text-decoration: none; text-align: left; }
.changes b { display: inline-block; width: 1.2em; color: var(--sign); }
`;

// src/extras/code.ts
var CodePanel = class {
  constructor(page) {
    this.page = page;
    const copy = (cmd, source) => button(cmd, "Copy", "Copy to the clipboard", () => void copyText(source.textContent ?? "").then((told) => page.tell(told)));
    this.element = h(
      "div",
      { class: "code" },
      h("p", {}, "Last edit: ", this.last, " ", copy("copy_last", this.last)),
      h("p", {}, "The whole plan: ", copy("copy_code", this.whole)),
      this.whole
    );
  }
  page;
  element;
  last = h("code", { "data-role": "last-code" });
  whole = h("pre", { "data-role": "code", tabindex: 0 });
  update(changes) {
    if (!changes.has("plan")) return;
    const { state } = this.page.plan;
    setText(this.last, state.last || "none yet");
    setText(this.whole, state.code || "plan = Plan()");
  }
  destroy = () => void 0;
};
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "The page may not write to the clipboard: select the text and copy it by hand.";
  }
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
  jumpTo(row2) {
    this.view.scrollTop = row2 * this.rowHeight / this.#scale;
  }
  get #scale() {
    const whole2 = this.#count * this.rowHeight;
    const { clientHeight } = this.view;
    return whole2 <= TALLEST ? 1 : (whole2 - clientHeight) / (TALLEST - clientHeight);
  }
  show(count2, wanted = -1, lead = 0) {
    this.#count = count2;
    this.#pad.style.height = `${Math.min(TALLEST, count2 * this.rowHeight)}px`;
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
    for (let row2 = first; row2 < first + this.#pool.length; row2++) {
      const slot2 = row2 % this.#pool.length;
      const element = this.#pool[slot2];
      element.hidden = row2 >= last;
      if (element.hidden || this.#shown[slot2] === row2) continue;
      this.#shown[slot2] = row2;
      element.style.transform = `translateY(${row2 * this.rowHeight + shift}px)`;
      this.fill(element, row2);
    }
  }
  elementOf(row2) {
    return this.#pool.find((element, slot2) => this.#shown[slot2] === row2 && !element.hidden);
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

// src/extras/choices.ts
var CHOICES = [
  { key: "init_composable", sign: "I₁", label: "I₁ composable init" },
  { key: "init_wrapper", sign: "I₂", label: "I₂ wrapper init" },
  { key: "handles", sign: "H", label: "H get_handles" },
  { key: "forward", sign: "X→", label: "X→ gathered in the forward pass" },
  { key: "backward", sign: "X←", label: "X← gathered in the backward pass" },
  { key: "modules", sign: "#", label: "# modules(), left to right" },
  { key: "rightToLeft", sign: "#R", label: "#R right to left" }
];
var choiceOf = (key) => CHOICES.find((choice) => choice.key === key);
var localRoots = (plan) => Object.keys(plan.state.orders).filter((name) => name.startsWith("handles:")).map((name) => name.slice("handles:".length));
function orderOf(key, tree, plan, run, root = "") {
  if (key === "modules" || key === "rightToLeft") return whole(tree, key);
  const indexOf = new Map(plan.state.units.map((unit) => [unit.fqns[0], unit.index]));
  const node = (fqn) => indexOf.get(fqn) ?? find(tree, fqn);
  if (key === "forward" || key === "backward") return executed2(run, key === "forward" ? "F" : "B").map(node).filter((index) => index >= 0);
  return (plan.state.orders[root ? `${key}:${root}` : key] ?? []).map(node);
}
function whole(tree, kind) {
  const ground = { tree, handles: new Set(), barred: new Set(), starts: [0] };
  return [...walk(ground, kind)].filter((step2) => step2.produces).map((step2) => step2.node);
}
function executed2(run, phase) {
  const { events = [] } = run;
  const gathered2 = events.filter(([at, kind]) => at === phase && kind === "U").map(([, , fqn]) => fqn);
  return [...new Set(gathered2)];
}

// src/extras/paint.ts
var Palette = class {
  constructor(root) {
    this.root = root;
    this.probe.hidden = true;
  }
  root;
  known = new Map();
  probe = document.createElement("i");
  of(css) {
    const found = this.known.get(css);
    if (found) return found;
    this.root.append(this.probe);
    this.probe.style.color = css;
    const colour = getComputedStyle(this.probe).color;
    this.probe.remove();
    this.known.set(css, colour);
    return colour;
  }
  forget = () => this.known.clear();
};
function penFor(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

// src/extras/pairing.ts
function pairOrders(left, right) {
  const rightOf = placesIn(left, right);
  const places = Math.max(left.length, right.length);
  let differ = 0;
  for (let place2 = 0; place2 < places; place2++) if (left[place2] !== right[place2]) differ++;
  return { left, right, rightOf, leftOf: placesIn(right, left), places, differ, crossings: inversions(rightOf, right.length) };
}
function placesIn(of, order) {
  const place2 = new Map(order.map((node, at) => [node, at]));
  return Int32Array.from(of, (node) => place2.get(node) ?? -1);
}
function inversions(sequence, size) {
  const sums = new Int32Array(size + 1);
  let crossed = 0;
  let met = 0;
  for (const value of sequence) {
    if (value < 0) continue;
    let smaller = 0;
    for (let at = value + 1; at > 0; at -= at & -at) smaller += sums[at];
    crossed += met++ - smaller;
    for (let at = value + 1; at <= size; at += at & -at) sums[at]++;
  }
  return crossed;
}
function connectorsIn({ rightOf, leftOf }, first, last) {
  const found = new Map();
  for (let place2 = Math.max(0, first); place2 < last; place2++) {
    if (place2 < rightOf.length && rightOf[place2] >= 0) found.set(place2, { from: place2, to: rightOf[place2] });
    if (place2 < leftOf.length && leftOf[place2] >= 0) found.set(leftOf[place2], { from: leftOf[place2], to: place2 });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}
function headline(left, right, { places, differ, crossings }) {
  const said = `${left} vs ${right}: ${differ.toLocaleString("en")} of ${places.toLocaleString("en")} differ`;
  return crossings ? `${said}, ${crossings.toLocaleString("en")} crossing${crossings === 1 ? "" : "s"}` : said;
}

// src/extras/compare.ts
var ROW_HEIGHT = 22;
var SEEN = 12;
var NONE2 = pairOrders([], []);
var ComparePanel = class {
  constructor(page) {
    this.page = page;
    this.palette = new Palette(page.root);
    const attributes = { class: "compare-rows", role: "grid", tabindex: 0, "aria-label": "Two orders side by side" };
    this.list = new VirtualList(ROW_HEIGHT, attributes, makeRow2, (element, place2) => this.fill(element, place2));
    const { view } = this.list;
    view.append(this.canvas);
    view.addEventListener("scroll", () => this.drawSoon());
    view.addEventListener("click", (event) => this.click(event));
    view.addEventListener("keydown", (event) => this.press(event));
    const content = h(
      "div",
      { class: "compare", "data-role": "compare" },
      h("div", { class: "bar" }, this.left, h("span", {}, "vs"), this.right, this.root, this.title),
      h("p", { class: "note" }, "Boxed places differ; lines join the two places of one module. Arrows move, Enter shows the module in the tree."),
      view
    );
    this.curtain = new Curtain(content, (shown) => shown && this.repaint());
    this.element = this.curtain.element;
  }
  page;
  element;
  curtain;
  left = this.chooser("left", "init_composable");
  right = this.chooser("right", "init_wrapper");
  root = h("select", { "data-role": "compare-root", "aria-label": "Local root", change: () => this.pair() });
  title = h("b", { "data-role": "compare-note" });
  list;
  canvas = h("canvas", { class: "connectors", "aria-hidden": "true" });
  pairing = NONE2;
  at = { place: 0, side: 0 };
  frame = 0;
  palette;
  update(changes) {
    if (changes.has("theme")) this.palette.forget();
    if (["tree", "plan", "run"].some((change) => changes.has(change))) this.pair();
    else if (changes.has("theme") || changes.has("size")) this.repaint();
  }
  destroy() {
    cancelAnimationFrame(this.frame);
    this.curtain.destroy();
    this.list.destroy();
  }
  chooser(side, chosen) {
    const options = CHOICES.map(({ key, label }) => h("option", { value: key, ...key === chosen ? { selected: "" } : {} }, label));
    return h("select", { "data-role": `compare-${side}`, "aria-label": `Order on the ${side}`, change: () => this.pair() }, ...options);
  }
  pair() {
    const { tree, plan, run } = this.page;
    this.offerRoots();
    const order = (select2) => orderOf(select2.value, tree, plan, run, this.root.value);
    this.pairing = pairOrders(order(this.left), order(this.right));
    const [left, right] = [choiceOf(this.left.value).sign, choiceOf(this.right.value).sign];
    setText(this.title, this.pairing.places ? headline(left, right, this.pairing) : "Neither order exists yet: mark a module, or run the plan.");
    this.at = { place: Math.min(this.at.place, Math.max(0, this.pairing.places - 1)), side: this.at.side };
    this.repaint();
  }
  offerRoots() {
    const roots = localRoots(this.page.plan);
    const chosen = this.root.value;
    this.root.replaceChildren(h("option", { value: "" }, "from the root"), ...roots.slice(0, 50).map((fqn) => h("option", { value: fqn }, `from ${fqn}`)));
    this.root.value = roots.includes(chosen) ? chosen : "";
    this.root.hidden = roots.length === 0;
  }
  repaint() {
    const { places } = this.pairing;
    this.list.view.style.height = `${Math.min(Math.max(places, 1), SEEN) * ROW_HEIGHT}px`;
    setAttributes(this.list.view, { "aria-rowcount": places });
    this.list.show(places);
    this.point();
    this.drawSoon();
  }
  fill(element, place2) {
    const [nth, left, right] = element.children;
    setText(nth, String(place2));
    setAttributes(element, { "aria-rowindex": place2 + 1, "data-place": place2 });
    const differs = this.pairing.left[place2] !== this.pairing.right[place2];
    this.fillCell(left, place2, 0, differs);
    this.fillCell(right, place2, 1, differs);
  }
  fillCell(cell, place2, side, differs) {
    const node = (side ? this.pairing.right : this.pairing.left)[place2];
    const other = node === void 0 ? -1 : (side ? this.pairing.leftOf : this.pairing.rightOf)[place2];
    const name = node === void 0 ? "" : fqnOf(this.page.tree, node) || "(root)";
    setText(cell, name);
    setAttributes(cell, {
      "data-node": node ?? null,
      "data-differs": differs && node !== void 0 ? "1" : null,
      "data-now": this.at.place === place2 && this.at.side === side ? "1" : null,
      title: name || null,
      "aria-label": node === void 0 ? "nothing" : `${name}, place ${place2}${differs ? `, on the other side ${other < 0 ? "missing" : `place ${other}`}` : ", the same on both sides"}`
    });
  }
  click(event) {
    const cell = event.target.closest("[data-side]");
    const row2 = cell?.closest("[data-place]");
    if (!cell || !row2) return;
    this.move(Number(row2.dataset.place), Number(cell.dataset.side));
    if (cell.dataset.node !== void 0) this.page.reveal(Number(cell.dataset.node));
  }
  press(event) {
    const { place: place2, side } = this.at;
    const page = this.list.page - 1;
    const steps2 = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -place2, End: this.pairing.places };
    if (event.key in steps2) this.move(place2 + steps2[event.key], side);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.move(place2, event.key === "ArrowLeft" ? 0 : 1);
    else if (event.key === "Enter") this.enter();
    else return;
    event.preventDefault();
  }
  enter() {
    const node = (this.at.side ? this.pairing.right : this.pairing.left)[this.at.place];
    if (node !== void 0) this.page.reveal(node);
  }
  move(place2, side) {
    this.at = { place: Math.max(0, Math.min(this.pairing.places - 1, place2)), side };
    this.list.show(this.pairing.places, this.at.place);
    this.point();
    this.drawSoon();
  }
  point() {
    const row2 = this.list.elementOf(this.at.place);
    setAttributes(this.list.view, { "aria-activedescendant": row2?.children[1 + this.at.side].id ?? null });
  }
  drawSoon() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }
  draw() {
    const { view } = this.list;
    const row2 = view.querySelector("[data-place]:not([hidden])");
    if (!row2 || view.clientHeight === 0) return;
    const [left, right] = [row2.children[1], row2.children[2]];
    const x = left.offsetLeft + left.offsetWidth;
    const width = right.offsetLeft - x;
    const height = view.clientHeight;
    Object.assign(this.canvas.style, { left: `${x}px`, top: `${view.scrollTop}px` });
    this.drawLines(penFor(this.canvas, width, height), width, view.scrollTop, height);
  }
  drawLines(pen, width, top, height) {
    const [same, crossed, ring] = ["--soft", "--replicate", "--ring"].map((name) => this.palette.of(`var(${name})`));
    const y = (place2) => (place2 + 0.5) * ROW_HEIGHT - top;
    const first = Math.floor(top / ROW_HEIGHT);
    for (const { from, to } of connectorsIn(this.pairing, first, Math.ceil((top + height) / ROW_HEIGHT))) {
      const chosen = (this.at.side ? to : from) === this.at.place;
      pen.strokeStyle = chosen ? ring : from === to ? same : crossed;
      pen.lineWidth = chosen ? 2.5 : from === to ? 1 : 1.5;
      pen.beginPath();
      pen.moveTo(0, y(from));
      pen.lineTo(width, y(to));
      pen.stroke();
    }
  }
};
var made = 0;
function makeRow2() {
  const cell = (side) => h("span", { role: "gridcell", "data-side": side, id: `compare-cell-${made++}` });
  return h("div", { class: "compare-row", role: "row" }, h("span", { role: "rowheader" }), cell(0), cell(1));
}

// src/extras/compare.css
var compare_default = `
.compare select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px 4px; max-width: 100%; }
.compare p { margin: 4px 0; }
.compare-rows { position: relative; overflow: auto; contain: strict; scrollbar-gutter: stable; border: 1px solid var(--line); border-radius: 4px; }
.compare-row { position: absolute; left: 0; right: 0; height: 22px; line-height: 20px; display: grid; column-gap: 8px; padding-right: 8px;
  grid-template-columns: 36px minmax(0, 1fr) clamp(32px, 16cqw, 160px) minmax(0, 1fr); font-family: var(--mono); font-size: 12px; }
.compare-row > :first-child { color: var(--soft); text-align: right; }
.compare-row [data-side] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding: 0 4px; margin: 1px 0; cursor: pointer; border-radius: 3px; }
.compare-row [data-side="1"] { grid-column: 4; }
.compare-row [data-now] { background: var(--chosen); }
.compare-rows:focus .compare-row [data-now] { outline: 2px solid var(--ring); outline-offset: -2px; }
.connectors { position: absolute; pointer-events: none; }
`;

// src/extras/extras.css
var extras_default = `
.bar { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; }
.gap { width: 8px; }
button, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px 8px; }
button { cursor: pointer; }
button:hover:enabled { border-color: var(--ring); }
button:disabled { opacity: .5; cursor: default; }
button:not(.bare) > [data-cell] { margin-right: 5px; }
button.link { background: none; border: 0; padding: 0 4px 0 0; color: var(--ring); text-decoration: underline; font-family: var(--mono); }
input { width: 64px; }
.slot.tools { display: flex; flex-wrap: wrap; gap: 5px 16px; padding-bottom: 5px; align-items: center; }
.slot.tools > .bar, .slot.tools > .legend { flex: 1 0 100%; }
[data-panel="finder"] { flex: 1 1 420px; min-width: 0; }
.finder { display: flex; flex-wrap: wrap; gap: 5px; align-items: center; }
.finder input { flex: 1 1 260px; width: auto; min-width: 0; max-width: 620px; font-family: var(--mono); font-size: 12px; }
[data-role="found"] { color: var(--soft); font-size: 12px; }
[data-count="0"] > .bar { display: none; }
button > [data-cell] { vertical-align: middle; }
button > .empty { background: none !important; border: 1.5px dotted var(--soft); }
select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
[type="checkbox"] { width: auto; margin: 0 2px; vertical-align: -2px; }
.appearance { gap: 4px 14px; font-size: 12px; color: var(--soft); }
.scale { display: inline-flex; border: 1px solid var(--line); border-radius: 3px; overflow: hidden; font: 11px/18px var(--mono); }
.scale span { padding: 0 7px; }
.menu { position: relative; }
.menu summary { cursor: pointer; }
.sheet { position: absolute; z-index: 3; top: 100%; right: 0; display: grid; grid-template-columns: auto auto; gap: 2px 14px; padding: 6px 10px; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; box-shadow: 0 3px 10px #0004; white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 12px; color: var(--soft); font-size: 12px; }
.key { display: inline-flex; align-items: center; gap: 4px; }
.key b { color: var(--ink); }
.row[data-hit="on"] [data-cell="name"] { background: var(--find); border-radius: 2px; }
.row[data-hit="in"] [data-cell="fold"] { background: var(--find); border-radius: 2px; }
.row[data-live] { box-shadow: inset 0 0 0 1px var(--hue); }
.row[data-now] { outline: 2px dashed var(--ring); outline-offset: -2px; }
.row[data-refused] { background: var(--bad-paper); box-shadow: inset 0 0 0 1px var(--bad); animation: back .3s; }
.row[data-pending] [data-cell="swatch"] { outline: 1px dashed var(--ink); outline-offset: 1px; }
.row[data-dim] { opacity: .45; }
@keyframes back { from { background: var(--bad); } }
[data-waiting] .status::after { content: " …"; }
.tabs { display: flex; flex-wrap: wrap; gap: 2px; border-bottom: 1px solid var(--line); margin-bottom: 8px; }
.tabs button { border: 0; border-radius: 4px 4px 0 0; background: none; padding: 4px 12px; color: var(--soft); }
.tabs button[aria-selected="true"] { color: var(--ink); box-shadow: inset 0 -2px var(--ring); font-weight: 600; }
pre { margin: 4px 0; max-height: 220px; overflow: auto; font: 12px/1.4 var(--mono); background: var(--raised); padding: 6px 8px; border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
.error pre { background: none; padding: 0; }
code { font-family: var(--mono); }
.order-rows { position: relative; overflow: auto; contain: strict; scrollbar-gutter: stable; }
.code p { margin: 4px 0; }
.order { display: grid; grid-template-columns: 44px repeat(4, minmax(0, 1fr)); gap: 8px; line-height: 22px; font-family: var(--mono); font-size: 12px; }
.order-rows .order { position: absolute; left: 0; right: 0; height: 22px; }
.order-heads { color: var(--soft); border-bottom: 1px solid var(--line); overflow: hidden; scrollbar-gutter: stable; }
.order span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; cursor: pointer; }
.order > span:first-child { color: var(--soft); text-align: right; cursor: default; }
[data-differs] { box-shadow: inset 0 0 0 1px var(--replicate); border-radius: 3px; padding: 0 3px; }
.remarks { margin: 0; padding: 0; list-style: none; max-height: 260px; overflow: auto; }
.remarks li { border-left: 3px solid var(--line); padding: 2px 8px; margin-bottom: 6px; }
.remarks li[data-severity="conflict"], .remarks li[data-severity="error"] { border-color: var(--bad); }
.remarks p { margin: 1px 0; }
progress { width: 140px; accent-color: var(--shard); }
[data-role="losses"] { margin: 6px 0; font-variant-numeric: tabular-nums; }
.chart { display: grid; grid-template: 45px 45px auto / auto 1fr; column-gap: 6px; max-width: 640px; color: var(--soft); font-size: 11px; }
.chart span:nth-child(2) { align-self: end; grid-area: 2 / 1; }
.chart svg { grid-area: 1 / 2 / 3 / 3; width: 100%; height: 90px; border-left: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.chart small { grid-area: 3 / 2; }
path { fill: none; vector-effect: non-scaling-stroke; stroke-width: 2; stroke: var(--shard); }
path.reference { stroke: var(--replicate); stroke-width: 4; stroke-dasharray: 0.1 7; stroke-linecap: round; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
`;

// src/extras/comparison.ts
var CHOICES2 = [
  ["flat", "This project's engine"],
  ["torch", "torch's FSDP2"],
  ["ddp", "torch's DistributedDataParallel"],
  ["fsdp1", "torch's FullyShardedDataParallel"]
];
var isGoing = ({ phase }) => phase === "starting" || phase === "running";
function progressText(comparison) {
  const { phase, doing, done, total, nprocs, backend, devices, seconds } = comparison;
  if (isGoing(comparison)) return `${doing}: ${count(done)} of ${count(total)}`;
  if (phase === "done") return `Done in ${seconds.toFixed(1)} s on ${nprocs} workers over ${backend} (${devices}).`;
  return phase === "stopped" ? "Stopped." : "Failed.";
}
var sent = (kind) => (row2) => {
  const [, times, nbytes] = row2.collectives.find(([each]) => each === kind) ?? [kind, 0, 0];
  return row2.outcome !== "ran" ? "-" : times ? `${count(times)}, ${bytesText(nbytes)}` : "0";
};
var ENGINE_COLUMNS = [
  { title: "engine", hint: "What trained; none is the unsharded model", text: (row2) => row2.engine, left: true },
  { title: "loss apart", hint: "Largest distance of any rank's loss in any step from the unsharded model's", text: differenceText },
  { title: "step time", hint: "As a multiple of the first engine's: median of the rounds, and their middle half", text: ratioText, left: true },
  { title: "peak a rank", hint: "Most bytes of tensors alive in a step, on the rank that holds most", text: peakText },
  { title: "all-gathers", hint: "In a step, with the bytes they fill", text: sent("all_gather") },
  { title: "reduce-scatters", hint: "In a step, with the bytes they read", text: sent("reduce_scatter") },
  { title: "all-reduces", hint: "In a step, with the bytes they average", text: sent("all_reduce") },
  { title: "", hint: "What the numbers do not say", text: remarkText, left: true }
];
function differenceText({ engine, outcome, loss_difference: difference2 }) {
  if (outcome !== "ran") return outcome;
  if (engine === "none") return "reference";
  return difference2 === null ? "-" : difference2 === 0 ? "0" : difference2.toExponential(1);
}
function ratioText({ ratio }) {
  return ratio === null ? "-" : `${ratio[0].toFixed(2)} (${ratio[1].toFixed(2)}-${ratio[2].toFixed(2)})`;
}
function peakText({ peak_nbytes: peaks }) {
  return peaks.length ? bytesText(Math.max(...peaks)) : "-";
}
function remarkText({ why, remarks }) {
  return [why, ...remarks].filter((text) => text).join("; ");
}

// src/extras/costs.ts
var bytes = (title, hint, of) => ({ title, hint, text: (row2) => of(row2) ? bytesText(of(row2)) : "0" });
var number = (title, hint, of) => ({ title, hint, text: (row2) => count(of(row2)) });
var words = (title, hint, text) => ({ title, hint, text, left: true });
function unitNumbers(runs) {
  return runs.map(([start, end, step2]) => {
    const last = start + Math.floor((end - 1 - start) / step2) * step2;
    return last === start ? `u${start}` : `u${start}–${last}${step2 > 1 ? ` by ${step2}` : ""}`;
  }).join(", ");
}
var UNIT_COLUMNS = [
  words("unit", "Number of the unit, or of all units that cost the same", (row2) => unitNumbers(row2.runs)),
  words("first module", "Its module, or that of the first of them", (row2) => row2.fqn || "(root)"),
  number("×", "How many units cost the same", (row2) => row2.times),
  number("elements", "Parameters of one of them", (row2) => row2.numel),
  words("held", "How its parameters are held, over how many ranks", heldText),
  bytes("whole", "Bytes of its parameters while they are gathered", (row2) => row2.unsharded_nbytes),
  bytes("a rank", "Bytes that a rank keeps between steps", (row2) => row2.shard_nbytes),
  { title: "waste", hint: "Padding, as a share of the parameters", text: (row2) => percent(row2.waste) },
  number("empty", "Ranks that keep nothing of it", (row2) => row2.empty_ranks),
  bytes("gathered", "Bytes of one all-gather", (row2) => row2.all_gather_nbytes),
  bytes("reduced", "Bytes of one reduce-scatter", (row2) => row2.reduce_scatter_nbytes),
  bytes("averaged", "Bytes of one all-reduce", (row2) => row2.all_reduce_nbytes),
  number("calls", "Collectives of one of them in a step", (row2) => row2.collectives),
  bytes("sent", "Bytes a rank sends for one of them in a step, if the ring is used", (row2) => row2.sent_nbytes),
  words("after forward", "Whether it frees what it gathered after its forward, and why", (row2) => `${row2.frees_after_forward ? "frees" : "keeps"}: ${row2.reason}`)
];
function heldText(row2) {
  const copies = row2.num_copies > 1 && row2.num_shards > 1 ? ` ×${row2.num_copies}` : "";
  return row2.num_shards > 1 ? `${row2.in_effect} /${row2.num_shards}${copies}` : row2.in_effect;
}
var RANK_COLUMNS = [
  words("ranks", "Ranks that keep the same", ({ ranks: [first, last] }) => first === last ? `${first}` : `${first}–${last}`),
  bytes("parameters", "Bytes of parameters between steps", (row2) => row2.parameters),
  bytes("padding", "Of them, padding", (row2) => row2.padding),
  bytes("gradients", "Bytes of gradients", (row2) => row2.gradients),
  bytes("optimizer", "Bytes of the optimizer's states", (row2) => Object.values(row2.optimizer).reduce((sum, part2) => sum + part2, 0)),
  bytes("buffers", "Bytes of buffers", (row2) => row2.buffers),
  bytes("buckets", "Bytes of replicate groups' buckets", (row2) => row2.buckets),
  bytes("offloaded", "Bytes kept on the CPU instead", (row2) => row2.offloaded),
  bytes("total", "All of it", (row2) => row2.total)
];
var COLLECTIVE_COLUMNS = [
  words("collective", "What the ranks do together", (row2) => row2.kind.replaceAll("_", "-")),
  words("phase", "When", (row2) => row2.phase),
  number("a step", "How many in a step", (row2) => row2.count),
  bytes("bytes", "Of all of them together, whole buffers", (row2) => row2.nbytes),
  bytes("largest", "Of the largest one", (row2) => row2.largest_nbytes),
  number("small", "How many carry less than 1 MiB", (row2) => row2.small),
  bytes("sent", "Bytes a rank sends, if the ring is used", (row2) => row2.sent_nbytes)
];
var GROUP_COLUMNS = [
  words("replicate group", "The replicated module", (row2) => row2.fqn || "(root)"),
  number("elements", "Its parameters", (row2) => row2.numel),
  bytes("a rank", "Bytes that every rank keeps", (row2) => row2.nbytes),
  words("buckets", "All-reduces of its gradients in a step", (row2) => row2.buckets.map(bytesText).join(", ") || "none")
];
var rowSentence = (columns, row2) => columns.map(({ title, text }) => `${title} ${text(row2)}`).join(", ");
function settingText({ world_size, mesh_shape, optimizer, engine, strategy, mixed_precision, accumulation_steps }) {
  const ranks = `${count(world_size)} rank${world_size === 1 ? "" : "s"}${mesh_shape.length > 1 ? ` as ${mesh_shape.join(" × ")}` : ""}`;
  const steps2 = accumulation_steps > 1 ? `, ${accumulation_steps} forwards and backwards a step` : "";
  return `${ranks}, ${strategy ?? "each unit's own strategy"}, ${precisionText(mixed_precision)}, ${optimizer}, ${engine} engine${steps2}`;
}
function precisionText(precision) {
  if (precision === null) return "each unit's own precision";
  const { param_dtype, reduce_dtype, ...rest } = precision;
  const parts = [param_dtype ?? "parameters as they are", reduce_dtype && reduce_dtype !== param_dtype ? `reduced in ${reduce_dtype}` : ""];
  return [...parts.filter(Boolean), ...Object.entries(rest).map(([name, value]) => `${name} ${value}`)].join(", ");
}
function readMesh(text) {
  const parts = text.trim().split(/\s*[x×*,]\s*|\s+/);
  const shape = parts.map(Number);
  if (parts.length <= 2 && parts[0] !== "" && shape.every((size) => Number.isInteger(size) && size >= 1)) return shape;
  return `${JSON.stringify(text)} is no mesh: give the number of ranks (8), or replicate x shard (2x4)`;
}

// src/extras/table.ts
var ROW_HEIGHT2 = 20;
var MEASURED = 400;
var WIDEST = 52;
var GAP = "  ";
var tables = 0;
var TextTable = class {
  constructor(role, label, columns, seen, enter) {
    this.columns = columns;
    this.seen = seen;
    this.enter = enter;
    const attributes = { class: "table-rows", role: "listbox", tabindex: 0, "aria-label": label };
    const table = tables++;
    this.list = new VirtualList(ROW_HEIGHT2, attributes, (slot2) => h("div", { class: "table-row", role: "option", id: `table-${table}-${slot2}` }), (element, at) => this.fill(element, at));
    this.list.view.prepend(this.head);
    this.list.view.addEventListener("click", (event) => this.click(event));
    this.list.view.addEventListener("keydown", (event) => this.press(event));
    setAttributes(this.head, { title: columns.map(({ title, hint }) => `${title}: ${hint}`).join("\n") });
    this.element = h("div", { class: "table", "data-role": role }, this.list.view);
  }
  columns;
  seen;
  enter;
  element;
  list;
  head = h("div", { class: "table-head", "aria-hidden": "true" });
  rows = [];
  widths = [];
  at = 0;
  show(rows) {
    this.rows = rows;
    this.widths = this.columns.map((column) => this.widthOf(column));
    setText(this.head, this.line((column) => column.title));
    this.at = Math.min(this.at, Math.max(0, rows.length - 1));
    this.list.view.style.height = `${(Math.min(rows.length, this.seen) + 1) * ROW_HEIGHT2 + 14}px`;
    this.list.view.style.setProperty("--table-width", `${this.widths.reduce((sum, width) => sum + width + GAP.length, 0)}ch`);
    this.move(this.at);
  }
  repaint = () => this.move(this.at);
  destroy = () => this.list.destroy();
  widthOf(column) {
    const some = [...this.rows.slice(0, MEASURED), ...this.rows.slice(-1)];
    return Math.min(WIDEST, some.reduce((most, row2) => Math.max(most, column.text(row2).length), column.title.length));
  }
  line(text) {
    return this.columns.map((column, nth) => {
      const width = this.widths[nth];
      const whole2 = text(column);
      const cut = whole2.length > width ? `${whole2.slice(0, width - 1)}…` : whole2;
      return column.left ? cut.padEnd(width) : cut.padStart(width);
    }).join(GAP).trimEnd();
  }
  fill(element, at) {
    const row2 = this.rows[at];
    const sentence2 = rowSentence(this.columns, row2);
    setText(element, this.line((column) => column.text(row2)));
    setAttributes(element, {
      "data-row": at,
      title: sentence2,
      "aria-posinset": at + 1,
      "aria-setsize": this.rows.length,
      "aria-selected": at === this.at
    });
  }
  click(event) {
    const row2 = event.target.closest("[data-row]");
    if (!row2) return;
    this.move(Number(row2.dataset.row));
    this.enter?.(this.rows[this.at]);
  }
  press(event) {
    const page = Math.max(1, this.seen - 1);
    const steps2 = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    if (event.key in steps2) this.move(this.at + steps2[event.key]);
    else if (event.key === "Enter" && this.rows.length) this.enter?.(this.rows[this.at]);
    else return;
    event.preventDefault();
  }
  move(to) {
    this.at = Math.max(0, Math.min(this.rows.length - 1, to));
    this.list.show(this.rows.length, this.at);
    setAttributes(this.list.view, { "aria-activedescendant": this.list.elementOf(this.at)?.id ?? null });
  }
};

// src/extras/engines.ts
var EnginesPanel = class {
  constructor(page) {
    this.page = page;
    const boxes = this.#boxes.map((box, nth) => h("label", {}, box, ` ${CHOICES2[nth][0]}`));
    const bar = h("div", { class: "bar" }, h("label", {}, "workers ", this.#nprocs), h("label", {}, "steps ", this.#steps), ...boxes, this.#start, this.#stop, this.#progress, this.#phase);
    this.element = h("div", { class: "engines", "data-role": "engines" }, bar, this.#error, this.#table.element);
    this.#show();
  }
  page;
  element;
  #nprocs = h("input", { type: "number", min: 1, max: 64, value: 2, "data-role": "engines-nprocs" });
  #steps = h("input", { type: "number", min: 1, max: 1e5, value: 5, "data-role": "engines-steps" });
  #boxes = CHOICES2.map(([engine, hint], nth) => h("input", { type: "checkbox", "data-engine": engine, title: hint, ...nth < 2 ? { checked: "" } : {} }));
  #start = button("compare", "Compare", "Train this plan on each engine, beside the unsharded model", () => void this.#ask());
  #stop = button("stop_compare", "■ Stop", "End the workers", () => void this.page.command("stop"));
  #progress = h("progress", { max: 1, value: 0, "data-role": "engines-progress", "aria-label": "Progress of the comparison" });
  #phase = h("span", { "data-role": "engines-phase", "aria-live": "polite" });
  #error = h("div", { class: "error", "data-role": "engines-error", role: "alert" });
  #table = new TextTable("engines-table", "Engines side by side", ENGINE_COLUMNS, 6);
  #waits = false;
  update(changes) {
    if (changes.has("comparison") || changes.has("size")) this.#show();
  }
  destroy() {
    this.#table.destroy();
  }
  async #ask() {
    this.#waits = true;
    this.#show();
    const engines = this.#boxes.filter(({ checked }) => checked).map((box) => box.dataset.engine);
    await this.page.command("compare", { nprocs: Number(this.#nprocs.value), steps: Number(this.#steps.value), engines });
    this.#waits = false;
    this.#show();
  }
  #show() {
    const comparison = this.page.trait("comparison");
    const going = comparison !== null && isGoing(comparison);
    this.#start.disabled = going || this.#waits;
    this.#stop.disabled = !going;
    this.#progress.hidden = !going;
    this.#error.hidden = !comparison?.error;
    this.#table.element.hidden = !comparison?.rows.length;
    setText(this.#phase, comparison ? progressText(comparison) : "Not compared yet.");
    if (!comparison) return;
    setAttributes(this.#progress, { max: comparison.total || 1, value: comparison.done });
    if (comparison.error) this.#error.replaceChildren(h("b", {}, comparison.error.title), h("pre", {}, comparison.error.detail));
    if (comparison.rows.length) this.#table.show(comparison.rows);
  }
};

// src/extras/patterns.ts
function matcher(pattern) {
  const regex = new RegExp(`^(?:${pattern.split(".").map(component).join("\\.")})$`, "s");
  return (word) => regex.test(word);
}
function componentsOf(pattern) {
  return pattern.split(".").map((part2) => {
    if (part2 === "**") return null;
    const regex = new RegExp(`^(?:${component(part2)})$`, "s");
    const known6 = new Map();
    return (name) => {
      const answer = known6.get(name) ?? regex.test(name);
      known6.set(name, answer);
      return answer;
    };
  });
}
function component(part2) {
  return part2.replace(/\*\*|\*|\?|\[([^\]][^\]]*)\]|[\s\S]/g, (sign, set) => {
    if (set !== void 0) return `[${set.replace(/[\\\]^-]/g, "\\$&")}]`;
    return { "**": ".*", "*": "[^.]*", "?": "[^.]" }[sign] ?? sign.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  });
}
function namesMatching(tree, components, held) {
  const states = new Int32Array(tree.size);
  states[0] = skipped(components, 1);
  const done = 1 << components.length;
  for (let again = true; again; ) {
    again = false;
    for (let at = 1; at < tree.size; at++) states[at] |= step(components, states[tree.parent[at]], tree.names[at]);
    for (const [parent, attr, target, kind] of tree.refs) {
      const more = kind === "shared" ? step(components, states[parent], attr) : 0;
      if ((more | states[target]) !== states[target]) again = true;
      states[target] |= more;
    }
  }
  for (let at = 1; at < tree.size; at++) if (states[at] & done) held[at] = 1;
}
function step(components, state, name) {
  if (state === 0) return 0;
  let next = 0;
  for (let k = 0; k < components.length; k++) {
    if (!(state & 1 << k)) continue;
    const matches = components[k];
    if (matches === null) next |= 1 << k | (k === components.length - 1 ? 1 << k + 1 : 0);
    else if (matches(name)) next |= 1 << k + 1;
  }
  return skipped(components, next);
}
function skipped(components, state) {
  for (let k = 0; k < components.length - 1; k++) if (components[k] === null && state & 1 << k) state |= 1 << k + 1;
  return state;
}

// src/extras/selectors.ts
var SelectorError = class extends Error {
  constructor(part2, why) {
    super(part2 ? `${part2}: ${why}` : why);
    this.part = part2;
  }
  part;
};
var KINDS3 = ["name", "type", "unit", "status", "finding", "conflict"];
var WORDS = ["tied", "frozen", "shared"];
var SCALES2 = { "": 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
var STATUS_NAMES = ["unmanaged", "fully_shard", "in_unit", "replicate", "replicated", "ignored", "in_ignored"];
var BRACKETS = /(\[[^\]]+\])/;
var SIGN = /\s*(>=|<=|>|<|=)\s*/g;
var TOKEN = /(?:\[[^\]]+\]|[^,\s])+|,/g;
var BOUND = /^([^<>=]*)(>=|<=|>|<|=)(\d+(?:\.\d+)?)([KMBT]?)$/i;
function readSelector(text) {
  const joined = text.split(BRACKETS).map((part2, at) => at % 2 ? part2 : part2.replace(SIGN, "$1")).join("");
  const alternatives = [[]];
  for (const token of joined.match(TOKEN) ?? []) {
    if (token !== ",") alternatives[alternatives.length - 1].push(readTerm(token));
    else alternatives.push([]);
  }
  if (alternatives.length === 1 && alternatives[0].length === 0) throw new SelectorError("", "it says nothing");
  if (alternatives.some((terms) => terms.length === 0)) throw new SelectorError("", "an alternative is empty");
  return alternatives;
}
function readTerm(token) {
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
  if (!KINDS3.includes(kind)) throw new SelectorError(token, `no such kind; known are ${KINDS3.join(", ")}`);
  if (!rest || rest.startsWith("!")) throw new SelectorError(token, "something is missing");
  return { kind, text: rest, negated };
}
function select(tree, plan, text) {
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
  const nodes = [];
  for (let at = 0; at < tree.size; at++) if (found[at]) nodes.push(at);
  return nodes;
}
var byClass = (holds2) => (tree, _, text, held) => {
  const classes = tree.classes.map((_each, cls) => holds2(tree, cls, text));
  for (let at = 0; at < tree.size; at++) held[at] = Number(classes[tree.cls[at]]);
};
var byRemark = (list) => (_, { state }, text, held) => {
  const matches = matcher(text);
  for (const { kind, indices } of state[list]) if (matches(kind)) for (const at of indices) held[at] = 1;
};
var flagged = (flags) => byClass((tree, cls) => tree.classes[cls][1].some(([, , , each]) => !each.includes("b") && flags.test(each)));
var HOLDS = {
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
  }
};
function compares(numel, text) {
  const [, , sign, number2, scale] = BOUND.exec(text);
  const bound = Number(number2) * SCALES2[scale.toUpperCase()];
  return { ">=": numel >= bound, "<=": numel <= bound, ">": numel > bound, "<": numel < bound, "=": numel === bound }[sign];
}

// src/extras/finder.ts
var HINT = "find: layers.*  type:Block  params>10M  tied";
var Finder = class {
  constructor(page) {
    this.page = page;
    for (const each of this.#marks) each.dataset.cmd = `found_${each.dataset.cmd}`;
    this.element = h("div", { class: "finder", role: "search" }, this.#box, ...this.#steps, this.#found, h("span", { class: "bar" }, ...this.#marks));
    this.#tell("", 0);
  }
  page;
  element;
  #box = h("input", {
    type: "search",
    "data-role": "find",
    placeholder: HINT,
    "aria-label": "Find or select modules",
    spellcheck: "false",
    title: "Also unit:u7, finding:*. Blanks mean and, commas or, ! not; * stays between dots, ** crosses them. Enter: next find; Escape: back to the tree. Key: /",
    input: () => this.#search(),
    keydown: (event) => this.#press(event)
  });
  #found = h("span", { "data-role": "found", role: "status" });
  #steps = [button("find_prev", "↑", "Previous find (Shift+Enter)", () => this.#step(-1)), button("find_next", "↓", "Next find (Enter)", () => this.#step(1))];
  #marks = VERBS.map((verb) => verbButton(verb, "", `${WORDS2[verb]} all that was found`, () => this.#mark(verb)));
  #selector = "";
  update(changes) {
    if (this.#box.value && (changes.has("plan") || changes.has("tree"))) this.#search();
  }
  destroy = () => void 0;
  #search() {
    const text = this.#box.value.trim();
    let nodes = [];
    let said = "";
    this.#selector = "";
    try {
      if (text) nodes = select(this.page.tree, this.page.plan, text);
      this.#selector = nodes.length ? text : "";
      if (text && !nodes.length) nodes = containing(this.page, text);
      said = text && (nodes.length ? `${nodes.length.toLocaleString("en")} module${nodes.length === 1 ? "" : "s"}${this.#selector ? "" : " with that in the name"}` : "nothing found");
    } catch (error) {
      said = error.message;
    }
    this.page.find(nodes);
    this.#tell(said, nodes.length);
  }
  #tell(said, count2) {
    setText(this.#found, said);
    setAttributes(this.element, { "data-count": count2 });
    for (const each of [...this.#steps, ...this.#marks]) each.disabled = count2 === 0;
  }
  #mark(verb) {
    const { hits } = this.page;
    void this.page.command("mark", this.#selector ? { verb, selector: this.#selector } : { verb, indices: runsOf(hits) }, hits);
  }
  #step(by) {
    const { hits, focused } = this.page;
    if (!hits.length) return;
    const after = by > 0 ? hits.find((node) => node > focused) : hits.findLast((node) => node < focused);
    this.page.reveal(after ?? hits[by > 0 ? 0 : hits.length - 1]);
    this.#box.focus();
  }
  #press(event) {
    if (event.key === "Enter") this.#step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      this.#box.value = "";
      this.#search();
      this.page.focusTree();
    } else return;
    event.preventDefault();
  }
};
var WORDS2 = { fully_shard: "Fully shard", replicate: "Replicate", ignore: "Ignore", clear: "Clear" };
function containing({ tree }, text) {
  const piece = text.toLowerCase();
  const types = tree.classes.map(([type]) => type.toLowerCase().includes(piece));
  const nodes = [];
  for (let at = 0; at < tree.size; at++) if (types[tree.cls[at]] || tree.names[at].toLowerCase().includes(piece)) nodes.push(at);
  return nodes;
}

// src/extras/peak.ts
var TERMS = 9;
var [WIDTH, HEIGHT] = [600, 60];
function termsOf(terms) {
  const all = terms.reduce((sum, [, nbytes]) => sum + nbytes, 0);
  const shown = terms.filter(([, nbytes]) => nbytes > 0);
  const few = shown.length > TERMS ? shown.slice(0, TERMS - 1) : shown;
  const rest = shown.slice(few.length);
  const gathered2 = rest.length ? [...few, [`${rest.length} smaller terms`, rest.reduce((sum, [, nbytes]) => sum + nbytes, 0)]] : few;
  return gathered2.map(([label, nbytes]) => ({ label, nbytes, share: nbytes / all }));
}
function pathOf(timeline, width, height) {
  const most = timeline.reduce((so, [, nbytes]) => Math.max(so, nbytes), 1);
  const across = width / Math.max(1, timeline.length - 1);
  const points = timeline.map(([, nbytes], at) => [at * across, height - nbytes / most * height]);
  const top = points.reduce((best, point) => point[1] < best[1] ? point : best, points[0] ?? [0, height]);
  return { path: points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), x: top[0], y: top[1] };
}
var PeakView = class {
  headline = h("p", { "data-role": "peak" });
  bar = h("div", { class: "stacked", role: "img" });
  list = h("ol", { class: "terms", "data-role": "terms" });
  line = svg("path", { class: "memory" });
  mark = svg("circle", { r: 4, class: "top" });
  chart = svg("svg", { viewBox: `0 -6 ${WIDTH} ${HEIGHT + 6}`, preserveAspectRatio: "none", role: "img" }, this.line, this.mark);
  ends = h("small", { class: "note" });
  element = h("div", { class: "peak" }, this.headline, this.bar, this.list, this.chart, this.ends);
  show({ nbytes, moment, is_estimate, terms, timeline }, before) {
    const change = before === null || before === nbytes ? "" : ` (${changeText(before, nbytes, bytesText)} against the question before)`;
    setText(this.headline, `Peak: ${exactBytes(nbytes)} on a rank${is_estimate ? ", an estimate," : ""} at ${moment}${change}`);
    const shown = termsOf(terms);
    this.bar.replaceChildren(...shown.map(({ share }, nth) => segment(nth, share)));
    setAttributes(this.bar, { "aria-label": `The peak is made of ${shown.map(({ label, share }) => `${label} ${percent(share)}`).join(", ")}` });
    this.list.replaceChildren(...shown.map(({ label, nbytes: size, share }, nth) => h("li", { style: shade(nth) }, `${bytesText(size)}, ${percent(share)}: ${label}`)));
    this.drawLine(timeline, moment);
  }
  drawLine(timeline, moment) {
    const { path, x, y } = pathOf(timeline, WIDTH, HEIGHT);
    setAttributes(this.line, { d: path });
    setAttributes(this.mark, { cx: x.toFixed(1), cy: y.toFixed(1) });
    setAttributes(this.chart, { "aria-label": `Memory over one step, highest at ${moment}` });
    const ends = timeline.length ? `Over one step: ${timeline[0][0]}, ${bytesText(timeline[0][1])} → ${timeline.at(-1)[0]}, ${bytesText(timeline.at(-1)[1])}` : "";
    setText(this.ends, ends);
    this.chart.toggleAttribute("hidden", timeline.length < 2);
  }
};
var shade = (nth) => `--shade: ${Math.max(12, 100 - 11 * nth)}%`;
function segment(nth, share) {
  const wide = share > 0.03;
  return h("span", { style: `${shade(nth)}; flex: ${share.toFixed(5)} 0 0`, ...nth < 4 ? { "data-dark": "1" } : {} }, wide ? String(nth + 1) : "");
}

// src/extras/steptime.ts
function barsOf({ phases }) {
  const bars = phases.flatMap(({ phase, compute_s, communication_s }) => [
    { phase, what: "compute", seconds: compute_s, share: 0 },
    { phase, what: "communication", seconds: communication_s, share: 0 }
  ]);
  const longest2 = bars.reduce((most, { seconds }) => Math.max(most, seconds ?? 0), 0);
  return bars.map((bar) => ({ ...bar, share: longest2 ? (bar.seconds ?? 0) / longest2 : 0 }));
}
function secondsText(seconds) {
  if (seconds === null) return "not known";
  return seconds >= 1 ? `${Number(seconds.toPrecision(3))} s` : `${Number((1e3 * seconds).toPrecision(3))} ms`;
}
var StepTimeView = class {
  list = h("ul", { class: "times" });
  note = h("small", { class: "note" });
  element = h("div", { class: "step-time", "data-role": "step-time" }, h("b", {}, "Time of a step, each by itself"), this.list, this.note);
  show(time) {
    this.list.replaceChildren(...barsOf(time).map(row));
    const missing = time.missing.length ? ` Missing for ${time.missing.join("; for ")}.` : "";
    setText(this.note, `At the rates above throughout. A step takes at least the longer of the two; how far they overlap is not known before it runs.${missing}`);
  }
};
function row({ phase, what, seconds, share }) {
  const bar = h("span", { class: `time-bar ${what}`, "aria-hidden": "true" });
  setAttributes(bar, { style: `width:${(60 * share).toFixed(2)}%` });
  return h("li", {}, h("span", { class: "time-name" }, `${phase}, ${what}`), bar, ` ${secondsText(seconds)}`);
}

// src/extras/whatif.ts
var RATES2 = {
  flops_per_s: { label: "TFLOP/s", scale: 1e12, title: "What one rank computes, for the time of a step" },
  bytes_per_s: { label: "GB/s", scale: 1e9, title: "What one rank sends, for the time of a step" },
  latency_s: { label: "µs a collective", scale: 1e-6, title: "What every collective takes besides" }
};
var OWN = { strategy: "each unit's own", mixed_precision: "each unit's own" };
var WhatIfForm = class {
  constructor(ask) {
    this.ask = ask;
    this.number("world_size", "ranks", 1e6);
    this.add("mesh_shape", "mesh", h("input", { type: "text", size: 7, title: "Ranks, or replicate x shard: 2x4" }));
    for (const [name, label] of [["strategy", "strategy"], ["mixed_precision", "precision"], ["optimizer", "optimizer"], ["engine", "engine"]]) this.add(name, label, h("select"));
    this.number("accumulation_steps", "accumulate", 1e4);
    this.add("traced", "trace", h("input", { type: "checkbox", title: "Run the example inputs through a copy without data: order, activations and operations are then known" }));
    for (const [name, { label, title }] of Object.entries(RATES2)) this.add(name, label, h("input", { type: "number", min: 0, step: "any", class: "rate", title }));
    this.refusal.hidden = true;
  }
  ask;
  element = h("form", { class: "bar what-if", "data-role": "what-if", "aria-label": "What if", submit: (event) => event.preventDefault() });
  fields = new Map();
  costs;
  refusal = h("span", { class: "refusal", "data-role": "refusal", role: "alert" });
  show(costs) {
    this.costs = costs;
    const { what_if, choices } = costs;
    for (const [name, values] of Object.entries(choices)) this.offer(name, values);
    for (const [name, field] of this.fields) {
      if (field.getAttribute("aria-invalid") === "true" || field.matches(":focus") && field.dataset.typed === "1") continue;
      if (field.type === "checkbox") field.checked = what_if.traced;
      else field.value = textOf(name, what_if[name]);
    }
  }
  number(name, label, most) {
    this.add(name, label, h("input", { type: "number", min: 1, max: most }));
  }
  add(name, label, field) {
    setAttributes(field, { "data-field": name });
    field.addEventListener("input", () => field.dataset.typed = "1");
    field.addEventListener("change", () => void this.changed(name, field));
    this.fields.set(name, field);
    this.element.append(h("label", {}, `${label} `, field));
  }
  offer(name, values) {
    const select2 = this.fields.get(name);
    if (!select2 || select2.childElementCount === values.length) return;
    select2.replaceChildren(...values.map((value) => h("option", { value: JSON.stringify(value) }, labelOf2(name, value))));
  }
  async changed(name, field) {
    delete field.dataset.typed;
    const value = field.type === "checkbox" ? field.checked : valueOf(name, field.value);
    const wrong = value instanceof Error ? { title: "This cannot be asked", detail: value.message } : await this.ask(fieldsOf(name, value));
    this.judge(field, wrong);
  }
  judge(field, wrong) {
    for (const each of this.fields.values()) setAttributes(each, { "aria-invalid": null, "aria-describedby": null });
    this.refusal.hidden = wrong === null;
    if (wrong === null) return this.costs && this.show(this.costs);
    setText(this.refusal, `${wrong.title}: ${wrong.detail}`);
    this.refusal.id = "what-if-refusal";
    setAttributes(field, { "aria-invalid": "true", "aria-describedby": this.refusal.id });
    field.parentElement.after(this.refusal);
    return void 0;
  }
};
function fieldsOf(name, value) {
  if (name === "world_size") return { world_size: value, mesh_shape: [value] };
  if (name === "mesh_shape") return { mesh_shape: value, world_size: value.reduce((product, size) => product * size, 1) };
  return { [name]: value };
}
function valueOf(name, text) {
  if (name === "mesh_shape") {
    const shape = readMesh(text);
    return typeof shape === "string" ? new Error(shape) : shape;
  }
  if (name in RATES2) return rateOf(name, text);
  if (name !== "world_size" && name !== "accumulation_steps") return JSON.parse(text);
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) ? value : new Error(`${JSON.stringify(text)} is no whole number`);
}
function rateOf(name, text) {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value * RATES2[name].scale : new Error(`${JSON.stringify(text)} is no number`);
}
var textOf = (name, value) => name in RATES2 ? value === null ? "" : String(Number((value / RATES2[name].scale).toPrecision(6))) : name === "mesh_shape" ? value.join("x") : typeof value === "number" ? String(value) : JSON.stringify(value);
var labelOf2 = (name, value) => {
  if (value === null) return OWN[name] ?? "none";
  return name === "mixed_precision" ? precisionText(value) : String(value);
};

// src/extras/costspanel.ts
var SEEN2 = 8;
var CostsPanel = class {
  constructor(page) {
    this.page = page;
    this.parts = [
      part("Units", this.units.element, true),
      part("Ranks, between steps", this.ranks.element),
      part("Collectives", this.collectives.element),
      part("Replicate groups", this.groups.element),
      part("What is assumed and left out", this.notes)
    ];
    for (const each of this.parts) each.addEventListener("toggle", () => this.repaint());
    const content = h("div", { class: "costs", "data-role": "costs" }, this.form.element, this.setting, this.refused, this.totals, this.peak.element, this.time.element, ...this.parts);
    this.curtain = new Curtain(content, (shown) => shown && this.repaint());
    this.element = this.curtain.element;
  }
  page;
  element;
  curtain;
  form = new WhatIfForm((fields) => this.ask(fields));
  setting = h("p", { class: "note", "data-role": "costs-setting" });
  refused = h("div", { class: "error", role: "alert", "data-role": "costs-refused" });
  totals = h("p", { "data-role": "costs-totals" });
  peak = new PeakView();
  time = new StepTimeView();
  units = new TextTable("costs-units", "Costs of the units", UNIT_COLUMNS, SEEN2, (row2) => this.jump(row2.fqn));
  ranks = new TextTable("costs-ranks", "What each rank keeps between steps", RANK_COLUMNS, SEEN2);
  collectives = new TextTable("costs-collectives", "Collectives of a step", COLLECTIVE_COLUMNS, SEEN2);
  groups = new TextTable("costs-groups", "Replicate groups", GROUP_COLUMNS, 4, (row2) => this.jump(row2.fqn));
  notes = h("ul", { class: "cost-notes", "data-role": "costs-notes" });
  parts;
  asked = false;
  before = { setting: "", peak: null };
  now = { setting: "", peak: null };
  update(changes) {
    const costs = this.page.trait("costs");
    if (costs === null) return this.begin();
    if (["costs", "tree"].some((change) => changes.has(change))) this.show(costs);
    return void 0;
  }
  destroy() {
    this.curtain.destroy();
    for (const table of this.tables) table.destroy();
  }
  get tables() {
    return [this.units, this.ranks, this.collectives, this.groups];
  }
  begin() {
    setText(this.setting, "Asking for the costs of this plan …");
    this.sections(false);
    if (this.asked) return;
    this.asked = true;
    void this.ask({}).then((wrong) => wrong && setText(this.setting, `${wrong.title}: ${wrong.detail}`));
  }
  async ask(fields) {
    const reply = await this.page.ask("what_if", fields);
    return reply.ok ? null : reply.error ?? { title: "The kernel refused", detail: "It gave no reason." };
  }
  show(costs) {
    this.form.show(costs);
    setText(this.setting, `For ${settingText(costs.what_if)}.`);
    setText(this.refused, costs.refused ? `${costs.refused.title}: ${costs.refused.detail}` : "");
    this.refused.hidden = !costs.refused;
    this.sections(!costs.refused);
    if (costs.refused) return;
    this.remember(costs);
    setText(this.totals, totalsText2(costs.totals));
    this.peak.show(costs.peak, this.before.setting && this.before.setting !== this.now.setting ? this.before.peak : null);
    this.time.element.hidden = costs.time === null;
    if (costs.time) this.time.show(costs.time);
    this.tabulate(costs);
  }
  tabulate(costs) {
    this.units.show(costs.units);
    this.ranks.show(costs.per_rank);
    this.collectives.show(costs.collectives);
    this.groups.show(costs.groups);
    this.notes.replaceChildren(...costs.notes.map(([kind, text]) => h("li", {}, h("b", {}, kind.replaceAll("_", " ")), ` ${text}`)));
    const sizes = [costs.totals.units ?? costs.units.length, costs.what_if.world_size, costs.totals.collectives ?? 0, costs.groups.length, costs.notes.length];
    this.parts.forEach((each, nth) => {
      each.hidden = sizes[nth] === 0;
      const summary = each.firstElementChild;
      setText(summary, `${summary.dataset.name}: ${count(sizes[nth])}${nth === 1 ? copiesText(costs) : ""}`);
    });
  }
  remember(costs) {
    const setting = settingText(costs.what_if);
    const peak = costs.peak.nbytes ?? null;
    if (setting !== this.now.setting) this.before = this.now;
    this.now = { setting, peak };
  }
  sections(shown) {
    for (const each of [this.totals, this.peak.element, this.time.element, ...this.parts]) each.hidden = !shown;
  }
  repaint() {
    for (const table of this.tables) table.repaint();
  }
  jump(fqn) {
    const node = find(this.page.tree, fqn);
    if (node >= 0) this.page.reveal(node);
  }
};
function part(name, content, open = false) {
  const details = h("details", {}, h("summary", { "data-name": name }, name), content);
  setAttributes(details, { open: open ? "" : null });
  return details;
}
function copiesText({ per_rank, what_if }) {
  const listed2 = (per_rank.at(-1)?.ranks[1] ?? 0) + 1;
  return listed2 < what_if.world_size ? `, ${what_if.world_size / listed2} copies of these ${listed2}` : "";
}
function totalsText2(totals) {
  const small = totals.small_messages ? `, ${count(totals.small_messages)} of them under 1 MiB` : "";
  return `A rank keeps ${bytesText(totals.shard_nbytes)} of parameters (${bytesText(totals.padding_nbytes)} padding); a step has ${count(totals.collectives)} collectives${small}, for which a rank sends ${bytesText(totals.sent_nbytes)}.`;
}

// src/extras/costs.css
var costs_default = `
.costs p { margin: 4px 0; }
.costs details { margin: 4px 0; }
.costs summary { cursor: pointer; font-weight: 600; }
.what-if { gap: 5px 12px; }
.what-if select, .what-if input { max-width: 100%; }
.what-if select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px 4px; }
.what-if [aria-invalid] { border: 2px solid var(--bad); }
.refusal { flex: 1 1 240px; border-left: 3px solid var(--bad); background: var(--bad-paper); padding: 2px 8px; overflow-wrap: anywhere; }
.refusal::before { content: "! "; font-weight: 700; color: var(--bad); }
.stacked { display: flex; height: 24px; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; margin: 6px 0; }
.stacked span { --mixed: color-mix(in srgb, var(--shard) var(--shade), var(--paper)); background: var(--mixed); color: var(--ink); border-right: 1px solid var(--paper); min-width: 1px; text-align: center; font: 700 12px/24px ui-monospace, monospace; overflow: hidden; }
.stacked span[data-dark] { color: var(--shard-ink); }
.terms { margin: 0; padding-left: 0; columns: 2 300px; list-style-position: inside; font-variant-numeric: tabular-nums; }
.terms li { break-inside: avoid; overflow-wrap: anywhere; }
.terms li::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 6px; border: 1px solid var(--soft); background: color-mix(in srgb, var(--shard) var(--shade), var(--paper)); }
.peak svg { display: block; width: 100%; max-width: 640px; height: 66px; border-bottom: 1px solid var(--line); margin-top: 6px; overflow: visible; }
.peak .top { fill: var(--bad); }
.cost-notes { margin: 2px 0; padding-left: 18px; }
.table { font-family: var(--mono); font-size: 12px; }
.table-rows { position: relative; overflow: auto; contain: strict; border: 1px solid var(--line); border-radius: 4px; }
.table-head { position: sticky; top: 0; z-index: 1; height: 20px; line-height: 20px; white-space: pre; padding: 0 6px; color: var(--soft); background: var(--paper); box-shadow: inset 0 -1px var(--line); width: max-content; min-width: 100%; box-sizing: border-box; cursor: help; }
.table-row { position: absolute; left: 0; height: 20px; line-height: 20px; white-space: pre; padding: 0 6px; min-width: 100%; box-sizing: border-box; width: max-content; cursor: default; }
.table-row:hover { background: var(--raised); }
.table-row[aria-selected="true"] { background: var(--chosen); }
.table-rows:focus .table-row[aria-selected="true"] { outline: 2px solid var(--ring); outline-offset: -2px; }
.step-time { margin: 8px 0; }
.times { list-style: none; margin: 4px 0; padding: 0; font-variant-numeric: tabular-nums; }
.times li { white-space: nowrap; }
.time-name { display: inline-block; width: 12em; max-width: 40%; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.time-bar { display: inline-block; height: 10px; min-width: 1px; border: 1px solid var(--soft); box-sizing: border-box; background: var(--shard); }
.time-bar.communication { background: repeating-linear-gradient(45deg, var(--replicate) 0 3px, var(--paper) 3px 6px); }
.what-if .rate { width: 6em; }
`;

// src/extras/strip.ts
var THINNEST = 1;
function blocksOf(tree, width, levels) {
  const whole2 = tree.total[tree.cls[0]];
  if (!(whole2 > 0)) return [];
  const scale = width / whole2;
  const blocks = [];
  const stack = [{ node: 0, many: 1, stride: tree.size, level: 0, left: 0, width }];
  while (stack.length > 0) {
    const block = stack.pop();
    blocks.push(block);
    if (block.many === 1 && block.level + 1 < levels) stack.push(...kidsOf2(tree, block, scale).reverse());
  }
  return blocks;
}
function kidsOf2(tree, parent, scale) {
  const kids = [];
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
function moduleAt(blocks, x, level) {
  let hit;
  for (const block of blocks) if (block.level <= level && x >= block.left && x < block.left + block.width) hit = block;
  if (!hit) return -1;
  return hit.node + hit.stride * Math.min(hit.many - 1, Math.floor((x - hit.left) / hit.width * hit.many));
}

// src/extras/icicle.ts
var HEIGHT2 = 28;
var LEVELS3 = 3;
var BAND = HEIGHT2 / LEVELS3;
var LETTER_WIDTH = 11;
var Icicle = class {
  constructor(page) {
    this.page = page;
    this.palette = new Palette(page.root);
    this.element.addEventListener("click", (event) => this.show(this.under(event)));
    this.element.addEventListener("mousemove", (event) => setAttributes(this.element, { title: this.words(this.under(event)) }));
    this.element.addEventListener("keydown", (event) => this.press(event));
  }
  page;
  canvas = h("canvas", { "aria-hidden": "true" });
  element = h("div", { class: "icicle", "data-role": "icicle", tabindex: 0, role: "slider", "aria-label": "Parameters by module" }, this.canvas);
  palette;
  blocks = [];
  top = 0;
  chosen = 0;
  update(changes) {
    if (changes.has("theme")) this.palette.forget();
    if (changes.has("tree") || changes.has("size")) this.measure();
    if (["tree", "plan", "theme", "size", "colour", "focus"].some((change) => changes.has(change))) this.draw();
  }
  destroy = () => void 0;
  measure() {
    const blocks = blocksOf(this.page.tree, this.element.clientWidth, LEVELS3 + 8);
    const alone = (level) => blocks.filter((block) => block.level === level).length <= 1;
    this.top = 0;
    while (alone(this.top) && blocks.some(({ level }) => level > this.top)) this.top++;
    this.blocks = blocks.filter(({ level }) => level >= this.top && level < this.top + LEVELS3);
    this.chosen = Math.min(this.chosen, Math.max(0, this.blocks.length - 1));
    this.element.hidden = this.blocks.length === 0;
  }
  draw() {
    const pen = penFor(this.canvas, this.element.clientWidth, HEIGHT2);
    pen.font = "700 8px ui-monospace, monospace";
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    for (const block of this.blocks) this.drawBlock(pen, block);
    this.outline(pen);
    this.announce();
  }
  drawBlock(pen, block) {
    const letter = this.status(block.node);
    const glyph = glyphOf(letter);
    const colour = this.palette.of(this.page.colourOf(block.node));
    const marked = letter === letter.toUpperCase();
    const [x, y, width, height] = this.place(block);
    if (letter !== "u") {
      pen.globalAlpha = marked ? 1 : 0.3;
      pen.fillStyle = colour;
      pen.fillRect(x, y, width, height);
      pen.globalAlpha = 1;
    }
    pen.strokeStyle = block.many > 1 ? "transparent" : colour;
    pen.setLineDash(letter === "u" ? [1, 2] : []);
    if (width > 2) pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    if (width < LETTER_WIDTH || !glyph) return;
    pen.fillStyle = this.palette.of(marked ? "var(--paper)" : "var(--ink)");
    pen.fillText(glyph, x + width / 2, y + height / 2 + 0.5);
  }
  outline(pen) {
    const { tree, focused } = this.page;
    const holding = this.blocks.filter(({ node, many, stride }) => node <= focused && focused < (many > 1 ? node + many * stride : tree.end[node]));
    const deepest = holding[holding.length - 1];
    if (!deepest) return;
    this.chosen = this.blocks.indexOf(deepest);
    const [x, y, width, height] = this.place(deepest);
    pen.setLineDash([]);
    pen.strokeStyle = this.palette.of("var(--ring)");
    pen.lineWidth = 2;
    pen.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2);
    pen.lineWidth = 1;
  }
  place = ({ left, width, level }) => [left, (level - this.top) * BAND, Math.max(width - (width > 4 ? 1 : 0), 1), BAND - 0.5];
  status = (node) => STATUSES[this.page.plan.status[node]];
  under(event) {
    const box = this.element.getBoundingClientRect();
    return moduleAt(this.blocks, event.clientX - box.left, this.top + Math.floor((event.clientY - box.top) / BAND));
  }
  show(node) {
    if (node >= 0) this.page.reveal(node);
  }
  words(node) {
    if (node < 0) return "";
    const { tree } = this.page;
    const numel = tree.total[tree.cls[node]];
    const share = (100 * numel / tree.total[tree.cls[0]]).toFixed(1);
    return `${fqnOf(tree, node) || "(root)"}, ${tree.classes[tree.cls[node]][0]}: ${shortNumel(numel)} parameters, ${share} %, ${STATUS_WORDS[this.status(node)]}`;
  }
  announce() {
    const block = this.blocks[this.chosen];
    setAttributes(this.element, {
      "aria-valuemin": 0,
      "aria-valuemax": Math.max(0, this.blocks.length - 1),
      "aria-valuenow": this.chosen,
      "aria-valuetext": block ? this.words(block.node) : "no parameters"
    });
  }
  press(event) {
    const { node, level, left } = this.blocks[this.chosen] ?? { node: -1, level: 0, left: 0 };
    const sameLevel = this.blocks.filter((block2) => block2.level === level);
    const nth = sameLevel.findIndex((block2) => block2.node === node);
    const near = (wanted) => this.blocks.filter((block2) => block2.level === wanted && block2.left <= left + 0.5).at(-1) ?? this.blocks.find((block2) => block2.level === wanted);
    const next = {
      ArrowLeft: () => sameLevel[nth - 1],
      ArrowRight: () => sameLevel[nth + 1],
      ArrowUp: () => near(level - 1),
      ArrowDown: () => near(level + 1),
      Home: () => sameLevel[0],
      End: () => sameLevel.at(-1),
      Enter: () => this.blocks[this.chosen]
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const block = next();
    if (block) this.page.reveal(block.node);
    this.element.focus();
  }
};

// src/extras/inspection.ts
var nameOf2 = (fqn) => fqn || "(root)";
function paramTitle({ name, shape, dtype, numel, frozen }, fqn) {
  const short = fqn && name.startsWith(`${fqn}.`) ? name.slice(fqn.length + 1) : name;
  const size = shape === null ? "lazy" : shape.length === 0 ? "scalar" : `[${shape.join(", ")}]`;
  return `${short} ${size} ${dtype}, ${count(numel)} elements${frozen ? ", frozen" : ""}`;
}
function paramFacts(param, worldSize) {
  const owners = { unit: "unit of ", replicate: "replicated with ", ignored: "ignored with ", unmanaged: "unmanaged" };
  const alone = param.owner_kind === "ignored" && param.owner === null;
  const owner = alone ? "ignored by itself" : param.owner_kind === "unmanaged" ? owners.unmanaged : owners[param.owner_kind] + nameOf2(param.owner ?? "");
  const tied = param.tied.length ? `; tied to ${listed(param.tied)}` : "";
  return `${owner}; ${pieceText(param, worldSize)}, ${exactBytes(param.nbytes_per_rank)}${tied}`;
}
function pieceText({ piece }, worldSize) {
  if (piece === null) return "whole on every rank";
  const held = piece[1] > piece[0] ? `elements ${count(piece[0])} to ${count(piece[1])}` : "nothing";
  return `rank 0 of ${count(worldSize)} holds ${held}`;
}
var listed = (names) => names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
function belongs({ unit, unit_fqn, local_root, within }) {
  const parts = [
    unit === null ? "" : `Unit u${unit}, of ${nameOf2(unit_fqn ?? "")}`,
    local_root !== null && unit !== null ? `local root ${nameOf2(local_root)}` : "",
    within === null ? "" : `inside ${within.replace(/^(\w+):(.*)$/, (_, kind, fqn) => `${kind === "replicate" ? "replicated" : kind} ${nameOf2(fqn)}`)}`
  ];
  return parts.filter(Boolean).join("; ");
}
function costOfUnit(costs, rev, unit) {
  if (costs === null || costs.rev !== rev || unit === null) return void 0;
  return costs.units.find(({ runs }) => runs.some(([start, end, step2]) => unit >= start && unit < end && (unit - start) % step2 === 0));
}

// src/extras/inspector.ts
var DELAY_MS2 = 120;
var SHOWN3 = 12;
var ROOMY = 1e3;
var Inspector = class {
  constructor(page) {
    this.page = page;
    this.open(page.root.clientWidth >= ROOMY);
  }
  page;
  toggle = h("button", { type: "button", class: "inspector-toggle", "data-cmd": "inspector", click: () => this.open(this.body.hidden === true) }, "Inspector");
  title = h("h4", { "data-role": "inspected" });
  why = h("p", { "data-role": "why" });
  owner = h("p", { class: "note", "data-role": "belongs" });
  costs = h("p", { class: "note", "data-role": "unit-costs" });
  params = h("ul", { "data-role": "params" });
  remarks = h("ul", { class: "remarks", "data-role": "remarks" });
  code = h("pre", { tabindex: 0, "data-role": "inspected-code", "aria-label": "Code that makes it so" });
  body = h(
    "div",
    { class: "inspector-body", role: "region", "aria-label": "Inspector", tabindex: 0 },
    this.title,
    this.why,
    this.owner,
    this.costs,
    this.params,
    this.remarks,
    this.code
  );
  element = h("div", { class: "inspector", "data-role": "inspector" }, this.toggle, this.body);
  timer;
  asked = 0;
  shown = null;
  update(changes) {
    if (["tree", "plan", "focus", "rows"].some((change) => changes.has(change))) this.lookSoon();
    else if (changes.has("costs") && this.shown) this.showCosts(this.shown);
  }
  destroy() {
    clearTimeout(this.timer);
    this.asked++;
  }
  open(open) {
    this.body.hidden = !open;
    setAttributes(this.toggle, { "aria-expanded": open, title: open ? "Hide what is known of the focused module" : "Show what is known of the focused module" });
    if (open) this.lookSoon();
  }
  lookSoon() {
    clearTimeout(this.timer);
    if (!this.body.hidden) this.timer = setTimeout(() => void this.look(), DELAY_MS2);
  }
  async look() {
    const mine = ++this.asked;
    const { focused, rows, focus } = this.page;
    const { times } = rows[focus];
    setAttributes(this.body, { "aria-busy": "true" });
    const reply = await this.page.ask("inspect", { index: focused });
    if (mine !== this.asked) return;
    setAttributes(this.body, { "aria-busy": null });
    if (reply.ok) this.show(reply.value, times);
    else this.fail(`${reply.error?.title}: ${reply.error?.detail}`);
  }
  fail(text) {
    this.shown = null;
    setText(this.title, "Not known");
    setText(this.why, text);
    for (const part2 of [this.owner, this.costs, this.params, this.remarks, this.code]) part2.hidden = true;
  }
  show(looked, times) {
    this.shown = looked;
    const alike = times > 1 ? `, the first of ${times} alike` : "";
    setText(this.title, `${nameOf2(looked.fqn)} · ${looked.cls} · #${looked.index}${alike}`);
    setText(this.why, looked.why);
    this.showOwner(looked);
    this.showCosts(looked);
    this.showParams(looked);
    this.showRemarks(looked);
    setText(this.code, looked.code.join("\n"));
    this.code.hidden = looked.code.length === 0;
  }
  showOwner(looked) {
    const names = looked.names.length > 1 ? ` Also called ${looked.names.slice(1, 4).join(", ")}.` : "";
    const text = belongs(looked);
    const jump = looked.unit_fqn !== null && looked.unit_fqn !== looked.fqn ? [" ", this.jump(looked.unit_fqn)] : [];
    this.owner.replaceChildren(text ? `${text}.${names}` : names, ...jump);
    this.owner.hidden = !text && !names;
  }
  showCosts({ unit }) {
    const cost = costOfUnit(this.page.trait("costs"), this.page.plan.state.rev, unit);
    this.costs.hidden = unit === null;
    if (cost) {
      this.costs.replaceChildren(`Its unit: ${bytesText(cost.unsharded_nbytes)} gathered, ${bytesText(cost.shard_nbytes)} on a rank; ${cost.frees_after_forward ? "frees" : "keeps"} it after forward (${cost.reason}); a rank sends ${bytesText(cost.sent_nbytes)} for it in a step.`);
    } else this.costs.replaceChildren(this.link("What its unit costs", () => this.page.open("costs")));
  }
  showParams({ params, fqn, world_size }) {
    const items = params.slice(0, SHOWN3).map((param) => h("li", {}, h("b", {}, paramTitle(param, fqn)), h("br"), paramFacts(param, world_size)));
    if (params.length > SHOWN3) items.push(h("li", {}, `and ${params.length - SHOWN3} more parameters`));
    if (params.length === 0) items.push(h("li", { class: "note" }, "It has no parameters of its own."));
    this.params.replaceChildren(...items);
    this.params.hidden = false;
  }
  showRemarks({ findings, conflicts }) {
    const all = [
      ...conflicts.map(({ message, fix }) => ({ severity: "conflict", message, advice: fix })),
      ...findings
    ].slice(0, SHOWN3);
    this.remarks.replaceChildren(...all.map(({ severity, message, advice }) => h("li", { "data-severity": severity }, h("b", {}, severity), ` ${message}`, h("br"), advice)));
    if (all.length) this.remarks.append(h("li", {}, this.link("All findings", () => this.page.open("findings"))));
    this.remarks.hidden = all.length === 0;
  }
  jump(fqn) {
    return this.link(`Go to ${nameOf2(fqn)}`, () => {
      const node = find(this.page.tree, fqn);
      if (node >= 0) this.page.reveal(node);
    });
  }
  link(text, press) {
    const made2 = button("go", text, text, press);
    made2.classList.add("link");
    return made2;
  }
};

// src/extras/inspector.css
var inspector_default = `
.side:has(.inspector-body:not([hidden])) { flex: 0 0 320px; min-width: 0; }
.side { position: relative; }
.side:has(.inspector-toggle[aria-expanded="false"]) { flex: 0 0 34px; }
.inspector { position: absolute; inset: 0 0 0 8px; }
.inspector-toggle { width: 100%; text-align: left; font-weight: 600; }
.inspector-toggle::before { content: "▸ "; }
.inspector-toggle[aria-expanded="true"]::before { content: "▾ "; }
.inspector-toggle[aria-expanded="false"] { writing-mode: vertical-rl; width: auto; padding: 8px 2px; }
.inspector-body { position: absolute; inset: 28px 0 0; overflow: auto; overflow-wrap: anywhere; font-size: 12px; padding: 0 4px; }
.inspector-body h4 { margin: 6px 0 4px; font-size: 13px; }
.inspector-body p { margin: 4px 0; }
.inspector-body ul { margin: 6px 0; padding: 0; list-style: none; max-height: none; }
.inspector-body li { margin-bottom: 6px; }
.inspector-body [data-role="params"] li { border-left: 3px solid var(--line); padding-left: 6px; }
.inspector-body [aria-busy] { opacity: .7; }
@container (max-width: 999px) {
  .body { flex-direction: column; }
  .side:has(.inspector-body:not([hidden])) { flex: none; }
  .side:has(.inspector-toggle[aria-expanded="false"]) { flex: none; }
  .inspector { position: static; margin-top: 4px; }
  .inspector-toggle[aria-expanded] { writing-mode: horizontal-tb; width: auto; padding: 2px 8px; }
  .inspector-body { position: static; height: 170px; resize: vertical; border: 1px solid var(--line); border-radius: 4px; } /* of one height: what is below must not jump */
}
`;

// src/extras/maps.css
var maps_default = `
.icicle { height: 28px; margin-bottom: 3px; cursor: pointer; overflow: hidden; border-radius: 3px; }
.icicle canvas, .minimap canvas { display: block; }
.edge { position: relative; }
.minimap { position: absolute; inset: 0; width: 64px; overflow: hidden; cursor: pointer; touch-action: none; border-left: 1px solid var(--line); box-sizing: border-box; }
.glass { position: absolute; left: 0; right: 0; border: 1px solid var(--ring); background: color-mix(in srgb, var(--ring) 12%, transparent); box-sizing: border-box; border-radius: 2px; pointer-events: none; }
@container (max-width: 480px) {
  .edge { display: none; }
  .tree:has(.edge:not(:empty)) .heads { margin-right: 0; }
}
`;

// src/extras/buckets.ts
var THICKEST = 4;
function bucketsOf(rows, plan, hitRows, height) {
  const thick = Math.max(1, Math.min(THICKEST, Math.floor(height / Math.max(1, rows.length))));
  const count2 = Math.min(rows.length, Math.floor(height / thick));
  const statuses = new Uint8Array(count2);
  const alarm = new Uint8Array(count2);
  const hit = new Uint8Array(count2);
  for (let line = 0; line < count2; line++) {
    const end = firstRow(line + 1, count2, rows.length);
    for (let at = firstRow(line, count2, rows.length); at < end; at++) {
      const { ref, node } = rows[at];
      if (ref >= 0) continue;
      statuses[line] |= 1 << plan.status[node];
      alarm[line] = Math.max(alarm[line], plan.alarm[node]);
    }
  }
  for (const row2 of hitRows) if (row2 >= 0 && row2 < rows.length) hit[lineOf(row2, count2, rows.length)] = 1;
  return { count: count2, thick, rows: rows.length, statuses, alarm, hit };
}
var firstRow = (line, count2, rows) => Math.ceil(line * rows / count2);
var lineOf = (row2, count2, rows) => Math.floor(row2 * count2 / rows);
function windowOf({ count: count2, thick, rows }, first, shown) {
  if (rows === 0) return { top: 0, height: 0 };
  const scale = count2 * thick / rows;
  const height = Math.max(6, Math.min(shown, rows) * scale);
  return { top: Math.max(0, Math.min(first * scale, count2 * thick - height)), height };
}
function rowAt({ count: count2, thick, rows }, y) {
  return Math.max(0, Math.min(rows - 1, Math.floor(y * rows / Math.max(1, count2 * thick))));
}
function spreadOut(values, most) {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, at) => values[Math.floor(at * values.length / most)]);
}

// src/extras/minimap.ts
var WIDTH2 = 64;
var LANES = [["Ff", "var(--shard)", 3], ["Rr", "var(--replicate)", 18], ["Ii", "var(--ignore)", 33]];
var LONG = 13;
var SHORT = 6;
var HIT = { left: 48, width: 5 };
var ALARM = { left: 56, width: 6 };
var TICKS = 1e3;
var Minimap = class {
  constructor(page) {
    this.page = page;
    this.palette = new Palette(page.root);
    this.element.addEventListener("pointerdown", (event) => this.grab(event));
    this.element.addEventListener("pointermove", (event) => this.dragging && this.go(event));
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, () => this.dragging = false);
    this.element.addEventListener("keydown", (event) => this.press(event));
  }
  page;
  canvas = h("canvas", { "aria-hidden": "true" });
  glass = h("div", { class: "glass" });
  element = h("div", {
    class: "minimap",
    "data-role": "minimap",
    tabindex: 0,
    role: "slider",
    "aria-orientation": "vertical",
    "aria-label": "Rows of the tree on the screen",
    title: "All rows: sharded, replicated, ignored (short: managed from above), search hits, findings. Click to go there."
  }, this.canvas, this.glass);
  palette;
  buckets = bucketsOf([], { status: new Uint8Array(0), alarm: new Uint8Array(0) }, [], 1);
  dragging = false;
  update(changes) {
    if (changes.has("theme")) this.palette.forget();
    if (["tree", "plan", "rows", "hits", "theme", "size"].some((change) => changes.has(change))) this.draw();
    this.frame();
  }
  destroy = () => void 0;
  draw() {
    const { rows, plan, hits } = this.page;
    const height = this.element.clientHeight;
    const hitRows = spreadOut(hits, TICKS).map((node) => this.page.rowOf(node));
    this.buckets = bucketsOf(rows, plan, hitRows, height);
    const pen = penFor(this.canvas, WIDTH2, height);
    for (let line = 0; line < this.buckets.count; line++) this.drawLine(pen, line);
  }
  drawLine(pen, line) {
    const { statuses, alarm, hit, thick } = this.buckets;
    const high = Math.max(1, thick - (thick > 2 ? 1 : 0));
    const bar = (left, width, colour) => {
      pen.fillStyle = this.palette.of(colour);
      pen.fillRect(left, line * thick, width, high);
    };
    for (const [letters, colour, left] of LANES) {
      const [marked, below] = [...letters].map((letter) => statuses[line] & 1 << STATUSES.indexOf(letter));
      if (marked || below) bar(left, marked ? LONG : SHORT, colour);
    }
    if (hit[line]) bar(HIT.left, HIT.width, "var(--ink)");
    if (alarm[line] > 1) bar(ALARM.left, ALARM.width, alarm[line] === 3 ? "var(--bad)" : "var(--soft)");
  }
  frame() {
    const { first, count: count2 } = this.page.viewport;
    const rows = this.page.rows.length;
    const { top, height } = windowOf(this.buckets, first, count2);
    Object.assign(this.glass.style, { top: `${top}px`, height: `${height}px` });
    const from = Math.min(rows, Math.floor(first) + 1);
    setAttributes(this.element, {
      "aria-valuemin": 1,
      "aria-valuemax": Math.max(1, rows),
      "aria-valuenow": from,
      "aria-valuetext": `rows ${from} to ${Math.min(rows, Math.floor(first + count2))} of ${rows}`
    });
  }
  grab(event) {
    if (event.button !== 0) return;
    this.dragging = true;
    this.element.setPointerCapture(event.pointerId);
    this.go(event);
  }
  go(event) {
    const y = event.clientY - this.element.getBoundingClientRect().top;
    this.page.scrollTo(rowAt(this.buckets, y) - this.page.viewport.count / 2);
  }
  press(event) {
    const { first, count: count2 } = this.page.viewport;
    const rows = this.page.rows.length;
    const to = { ArrowDown: first + 1, ArrowUp: first - 1, PageDown: first + count2 - 1, PageUp: first - count2 + 1, Home: 0, End: rows };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.page.scrollTo(Math.max(0, Math.min(to[event.key], rows - count2)));
  }
};

// src/extras/orders.ts
var LISTS = [
  ["dfs", "DFS of the modules"],
  ["handles", "handles of the root"],
  ["init_composable", "I₁ composable init"],
  ["init_wrapper", "I₂ wrapper init"]
];
var ROW_HEIGHT3 = 22;
var OrdersPanel = class {
  constructor(page) {
    this.page = page;
    const attributes = { class: "order-rows", tabindex: 0, role: "region", "aria-label": "Orders" };
    this.list = new VirtualList(ROW_HEIGHT3, attributes, makeRow3, (element, at) => this.fill(element, at));
    this.list.view.addEventListener("click", (event) => {
      const fqn = event.target.dataset.target;
      if (fqn !== void 0) page.reveal(find(this.tree, fqn));
    });
    const heads = LISTS.map(([, label]) => h("span", {}, label));
    this.element = h("div", { "data-role": "orders" }, this.title, h("div", { class: "order order-heads" }, h("span", {}, "k"), ...heads), this.list.view);
  }
  page;
  element;
  list;
  title = h("p", { class: "note", "data-role": "orders-note" });
  tree;
  plan;
  update(changes) {
    if (!changes.has("plan")) return;
    const { tree, plan } = this.page;
    this.tree = tree;
    this.plan = plan;
    const rows = Math.max(tree.size, ...LISTS.map(([key]) => plan.state.orders[key]?.length ?? 0));
    const [composable, wrapper] = [this.of("init_composable"), this.of("init_wrapper")];
    const differ = composable.filter((fqn, at) => fqn !== wrapper[at]).length;
    setText(this.title, composable.length ? `I₁ and I₂ differ in ${differ} of ${composable.length} places.` : "No unit yet: mark a module to see handles and initialisation.");
    this.list.view.style.height = `${Math.min(rows, 8) * ROW_HEIGHT3}px`;
    this.list.show(rows);
  }
  destroy = () => this.list.destroy();
  of = (key) => this.plan.state.orders[key] ?? [];
  fill(element, at) {
    const [nth, ...cells] = element.children;
    setText(nth, String(at));
    const fqns = LISTS.map(([key]) => key === "dfs" && at < this.tree.size ? fqnOf(this.tree, at) : this.of(key)[at]);
    cells.forEach((cell, column) => {
      const fqn = fqns[column];
      setText(cell, fqn === void 0 ? "" : fqn || "(root)");
      const differs = column > 1 && fqns[2] !== fqns[3];
      setAttributes(cell, { "data-target": fqn ?? null, title: fqn || null, "data-differs": differs ? "1" : null });
    });
  }
};
function makeRow3() {
  return h("div", { class: "order" }, h("span"), ...LISTS.map(([key]) => h("span", { "data-order": key })));
}

// src/extras/player.css
var player_default = `
.player .bar [data-role="scrub"] { flex: 1 1 120px; min-width: 80px; padding: 0; }
.player select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 2px 4px; max-width: 100%; }
.player p { margin: 4px 0; }
.said { font-family: var(--mono); font-size: 12px; min-height: 2.8em; overflow-wrap: anywhere; }
.columns { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 4px 16px; }
.columns h4 { margin: 0 0 2px; font-size: 12px; font-weight: 600; }
.columns ol { list-style: none; margin: 0; padding: 0; font-family: var(--mono); font-size: 12px; }
.columns li { line-height: 18px; height: 18px; white-space: pre; overflow: hidden; text-overflow: ellipsis; padding: 0 4px; border-left: 3px solid transparent; }
.columns [data-role="around"] li { line-height: 16px; height: 16px; }
.columns li[data-now] { background: var(--chosen); border-left-color: var(--ring); font-weight: 600; }
@container (max-width: 560px) {
  .columns { grid-template-columns: minmax(0, 1fr); }
}
`;

// src/extras/rows.css
var rows_default = `
.slot:empty { display: none; }
.edge { width: 64px; }
.tree:has(.edge:not(:empty)) .heads { margin-right: 64px; }
.pins { position: sticky; top: 0; height: 0; z-index: 1; }
.pin { background: var(--raised); }
.pin:last-child { box-shadow: 0 1px var(--line); }
.pin[data-selected] { background: var(--chosen); }
[data-painted] [data-cell="swatch"] { box-shadow: 0 0 0 1px var(--soft); }
[data-painted]:not([data-status="F"], [data-status="R"], [data-status="I"]) [data-cell="swatch"], [data-painted]:not([data-status="F"]) > .unit { color: var(--ink) !important; }
[data-cell="differs"], [data-cell="ties"], [data-cell="inside"], [data-cell="frozen"] { border: 1px dashed var(--soft) !important; }
.main > [data-cell="differs"] { flex-shrink: 50; min-width: 30px; overflow: hidden; text-overflow: ellipsis; }
[data-cell="alarm"] { font-weight: 700; }
[data-alarm="3"] [data-cell="alarm"] { background: repeating-linear-gradient(45deg, transparent 0 3px, var(--bad-paper) 3px 6px); }
[data-checkpointed] [data-cell="swatch"] { outline: 1px solid var(--ink); outline-offset: 1px; }
[data-frozen] [data-cell="name"] { font-weight: 400 !important; color: var(--soft); }
.init_c, .init_w { box-sizing: border-box; padding-right: 4px; }
[data-pair="differ"] { outline: 1px solid var(--soft); outline-offset: -2px; }
[data-pair="same"] { box-shadow: inset 0 -1px var(--soft); }
.init_c[data-pair="same"] { box-sizing: content-box; width: 48px; margin-right: -6px; padding-right: 10px; }
.own { width: 62px; }
.bytes, .exec { width: 74px; }
.dfs { width: 84px; color: var(--soft); }
.error, .gone { border-left: 3px solid var(--bad); background: var(--bad-paper); padding: 6px 8px; margin: 4px 0; }
.error pre { margin: 2px 0 0; white-space: pre-wrap; }
.detail, .status { max-height: 96px; overflow: auto; overflow-wrap: anywhere; }
.detail { color: var(--soft); padding: 4px 6px; }
.status { padding: 4px 8px; min-height: 19px; margin: 2px 0 6px; font-family: var(--mono); font-size: 12px; }
.status[data-kind="error"] b::before, .error > b::before { content: "! "; color: var(--bad); }
@container (max-width: 720px) {
  .own, .bytes, .handle, .init_c, .init_w, .exec { display: none; }
}
@container (max-width: 420px) {
  .dfs { width: 62px; }
}
`;

// src/extras/remarks.ts
var SHOWN4 = 40;
var RemarksPanel = class {
  constructor(page) {
    this.page = page;
  }
  page;
  list = h("ul", { class: "remarks", "data-role": "findings" });
  element = h("div", {}, this.list);
  update(changes) {
    if (!changes.has("plan")) return;
    const { state } = this.page.plan;
    const all = [...state.conflicts.map((remark) => ({ ...remark, severity: "conflict" })), ...state.findings];
    const items = all.slice(0, SHOWN4).map((remark) => this.item(remark));
    if (all.length > SHOWN4) items.push(h("li", {}, `and ${all.length - SHOWN4} more`));
    if (all.length === 0) items.push(h("li", { class: "note" }, "Nothing to report: this plan can run."));
    this.list.replaceChildren(...items);
  }
  destroy = () => void 0;
  item(remark) {
    const severity = remark.severity ?? "warn";
    const places = remark.fqns.slice(0, 4).map((fqn, nth) => {
      const node = remark.indices[nth] ?? 0;
      return h("button", { type: "button", class: "link", "data-jump": node, click: () => this.page.reveal(node) }, fqn || "(root)");
    });
    const rest = remark.fqns.length > 4 ? ` and ${remark.fqns.length - 4} more` : "";
    return h(
      "li",
      { "data-severity": severity, "data-kind": remark.kind },
      h("b", {}, severity),
      " ",
      ...places,
      rest,
      h("p", {}, remark.message),
      h("p", { class: "note" }, remark.fix ?? remark.advice ?? "")
    );
  }
};

// src/extras/losses.ts
var loss = (value) => typeof value === "number" ? value.toFixed(4) : "not finite";
function lossText(run) {
  const last = run.losses.at(-1);
  if (!last) return "";
  const [step2, ...ranks] = last;
  const each = ranks.map((value, rank) => `rank ${rank} ${loss(value)}`).join(", ");
  const nth = run.losses.length - 1;
  const reference = run.reference && nth < run.reference.length ? `; unsharded ${loss(run.reference[nth])}` : "";
  return `step ${step2}: ${each}${reference}`;
}
function chartOf(run, width, height) {
  const series = Array.from({ length: (run.losses[0]?.length ?? 1) - 1 }, (_, rank) => run.losses.map((row2) => row2[rank + 1]));
  const reference = run.reference ?? [];
  const finite = [...series.flat(), ...reference].filter((value) => typeof value === "number");
  if (finite.length === 0) return null;
  const low = finite.reduce((a, b) => Math.min(a, b));
  const high = finite.reduce((a, b) => Math.max(a, b));
  const last = Math.max(run.steps, run.losses.length, reference.length, 2) - 1;
  const path = (values) => values.map((value, k) => {
    if (typeof value !== "number") return "";
    const pen = typeof values[k - 1] === "number" ? "L" : "M";
    const y = high === low ? height / 2 : (high - value) / (high - low) * height;
    return `${pen}${(k / last * width).toFixed(1)} ${y.toFixed(1)}`;
  }).join("");
  return { lines: series.map(path), reference: path(reference), low, high };
}

// src/extras/runbar.ts
var WIDTH3 = 480;
var HEIGHT3 = 90;
var RunPanel = class {
  constructor(page) {
    this.page = page;
    this.run = button("run", "▶ Run", "Spawn the workers and train with this plan", () => void this.start());
    this.stop = button("stop", "■ Stop", "End the workers", () => void page.command("stop"));
    const bar = h("div", { class: "bar" }, h("label", {}, "workers ", this.nprocs), h("label", {}, "steps ", this.steps), this.run, this.stop, this.progress, this.phase);
    this.element = h("div", { class: "run" }, bar, this.error, this.losses, this.chart, this.details);
  }
  page;
  element;
  nprocs = h("input", { type: "number", min: 1, max: 64, value: 2, "data-role": "nprocs" });
  steps = h("input", { type: "number", min: 1, max: 1e5, value: 10, "data-role": "steps" });
  run;
  stop;
  progress = h("progress", { max: 1, value: 0, "data-role": "progress", "aria-label": "Progress of the run" });
  phase = h("span", { "data-role": "phase" });
  losses = h("p", { "data-role": "losses" });
  chart = h("div", { class: "chart", "data-role": "chart" });
  error = h("div", { class: "error", "data-role": "run-error", role: "alert" });
  log = h("pre", { "data-role": "log", tabindex: 0 });
  details = h("details", {}, h("summary", {}, "Worker log"), this.log);
  async start() {
    this.run.disabled = true;
    await this.page.command("run", { nprocs: Number(this.nprocs.value), steps: Number(this.steps.value) });
    this.show(this.page.run);
  }
  update(changes) {
    if (changes.has("run")) this.show(this.page.run);
  }
  destroy = () => void 0;
  show(run) {
    this.run.disabled = isLive(run);
    this.stop.disabled = !isLive(run);
    setAttributes(this.element, { "data-phase": run.phase });
    setAttributes(this.progress, { max: run.steps || 1, value: run.phase === "done" ? run.steps || 1 : run.step });
    setText(this.phase, phaseText(run));
    setText(this.losses, lossText(run));
    this.error.hidden = run.error === null;
    if (run.error) this.error.replaceChildren(h("b", {}, run.error.title), h("pre", {}, run.error.detail));
    this.draw(run);
    this.details.hidden = run.log.length === 0;
    setText(this.log, run.log.map(([rank, text]) => `[rank ${rank}] ${text.trimEnd()}`).join("\n"));
  }
  draw(run) {
    const chart = chartOf(run, WIDTH3, HEIGHT3);
    this.chart.hidden = chart === null;
    if (!chart) return;
    const ranks = chart.lines.map((d, rank) => svg("path", { d, class: "loss", "data-rank": rank, "stroke-dasharray": rank ? `${2 + 2 * rank} 3` : "none" }));
    const picture = svg(
      "svg",
      { viewBox: `-2 -4 ${WIDTH3 + 4} ${HEIGHT3 + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": `Loss of every step, from ${chart.high.toFixed(4)} down to ${chart.low.toFixed(4)}` },
      ...chart.reference ? [svg("path", { d: chart.reference, class: "reference" })] : [],
      ...ranks
    );
    const key = chart.reference ? "line: ranks · dots: unsharded" : "";
    this.chart.replaceChildren(h("span", {}, chart.high.toFixed(3)), h("span", {}, chart.low.toFixed(3)), picture, h("small", {}, key));
  }
};

// src/extras/entry.ts
var panels = {
  run: { slot: "tab", label: "Run", make: (page) => new RunPanel(page) },
  orders: { slot: "tab", label: "Orders", make: (page) => new OrdersPanel(page) },
  compare: { slot: "tab", label: "Compare", make: (page) => new ComparePanel(page) },
  player: { slot: "tab", label: "Player", make: (page) => new PlayerPanel(page) },
  findings: { slot: "tab", label: "Findings", make: (page) => new RemarksPanel(page) },
  changes: { slot: "tab", label: "Changes", make: (page) => new ChangesPanel(page) },
  code: { slot: "tab", label: "Code", make: (page) => new CodePanel(page) },
  costs: { slot: "tab", label: "Costs", make: (page) => new CostsPanel(page) },
  engines: { slot: "tab", label: "Engines", make: (page) => new EnginesPanel(page) },
  inspector: { slot: "side", label: "Inspector", make: (page) => new Inspector(page) },
  finder: { slot: "tools", label: "Find", make: (page) => new Finder(page) },
  appearance: { slot: "tools", label: "Appearance", make: (page) => new Appearance(page) },
  icicle: { slot: "top", label: "Parameters", make: (page) => new Icicle(page) },
  minimap: { slot: "edge", label: "Minimap", make: (page) => new Minimap(page) }
};
var style = [rows_default, extras_default, player_default, compare_default, maps_default, inspector_default, costs_default, changes_default].join("\n");
var extras = { start: (core) => new Board(core, panels, style) };
var entry_default = extras;
export {
  entry_default as default
};

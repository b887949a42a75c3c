// The plan under review: how it differs from an earlier one, on the rows and in words. The panel of changes turns it on.
import type { Tree } from "../payload";
import { lastOf, type Row } from "../rows";
import type { Look } from "../rowview";
import { BASELINES, Baselines, type Baseline } from "./baselines";
import { differenceOf, KINDS, SIGNS, wasText, type Difference } from "./differing";
import { membersOf } from "./members";
import type { Plan } from "./plan";

export const MARKED = [1, 2, 3]; // kinds that are changes of a mark

export class Review {
  readonly baselines = new Baselines();
  #since: Baseline | null = null;
  last: Baseline = "opened"; // what was chosen last
  difference: Difference | null = null;
  #before: Int32Array[] = []; // by kind: modules before each one

  get since() { return this.#since; }
  set since(since: Baseline | null) {
    this.#since = since;
    this.last = since ?? this.last;
  }

  /** The plan or the baseline is another one. */
  compare(tree: Tree, plan: Plan): void {
    const before = this.since && this.baselines.of(this.since);
    this.difference = before && differenceOf(tree, before, plan);
    this.#before = this.difference ? MARKED.map((kind) => summed(this.difference!.kinds, kind)) : [];
  }

  /** `+ was unmanaged` on the row, `+3 −1 inside` on a closed one. */
  dress(look: Look, row: Row, tree: Tree, open: boolean): void {
    look.attributes["data-change"] = null;
    if (!this.difference) return;
    const own = row.ref < 0 ? this.#own(row) : null;
    const inside = row.ref < 0 && !open ? this.#inside(row, tree) : "";
    look.attributes["data-change"] = own && KINDS[own.kind];
    if (own) look.main.push(["change", `${own.sign} ${own.kind === 4 ? "follows" : own.was}`]);
    if (inside) look.main.push(["changes", `${inside} inside`]);
    const said = [own && `${own.kind === 4 ? "follows another mark" : KINDS[own.kind]}${own.count > 1 ? ` ${own.count} times` : ""}, ${own.was}`, inside && `changes inside: ${spoken(inside)}`];
    look.words = [look.words, ...said.filter(Boolean)].join(", ");
  }

  /** The change of the modules that a row stands for; of several kinds the one of a mark. */
  #own(row: Row): { kind: number; sign: string; was: string; count: number } | null {
    const { kinds } = this.difference!;
    const changed = membersOf(row).filter((node) => kinds[node] > 0);
    const first = changed.find((node) => kinds[node] < 4) ?? changed[0];
    if (first === undefined) return null;
    const kind = kinds[first];
    const count = changed.filter((node) => kinds[node] === kind).length;
    return { kind, sign: SIGNS[KINDS[kind]] + (count > 1 && count < row.times ? String(count) : ""), was: wasText(this.difference!, first), count };
  }

  /** Changes of marks below a closed row. */
  #inside(row: Row, { end }: Tree): string {
    const members = lastOf(row) > row.node ? membersOf(row) : [row.node];
    const counts = this.#before.map((before) => members.reduce((sum, node) => sum + before[end[node]] - before[node + 1], 0));
    return counts.map((count, at) => (count ? `${SIGNS[KINDS[MARKED[at]]]}${count}` : "")).filter(Boolean).join(" ");
  }

  /** `3 added, 1 removed since the last run began`, for the chips of the panel and the live region. */
  get summary(): string {
    if (!this.difference || !this.since) return "";
    const { counts } = this.difference;
    const said = MARKED.map((kind) => KINDS[kind]).filter((kind) => counts[kind]).map((kind) => `${counts[kind].toLocaleString("en")} ${kind}`);
    const follow = counts.follows ? ` (${counts.follows.toLocaleString("en")} follow)` : "";
    return `${said.join(", ") || "No mark changed"} ${BASELINES[this.since]}${follow}.`;
  }
}

const spoken = (inside: string) => inside.replace(/\+/g, "added ").replace(/−/g, "removed ").replace(/~/g, "changed ");

function summed(kinds: Uint8Array, kind: number): Int32Array {
  const before = new Int32Array(kinds.length + 1);
  for (let at = 0; at < kinds.length; at++) before[at + 1] = before[at] + (kinds[at] === kind ? 1 : 0);
  return before;
}

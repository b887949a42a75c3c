// The second module at work on one view: the places of its panels, when they are made and what they are told, and the `Page`
// that they see.
import type { Reply } from "../commands";
import { h, setText } from "../dom";
import type { Row } from "../rows";
import type { Look } from "../rowview";
import type { Change, Page, Paint, Panel, PanelKind, Refusal, Viewport } from "./contract";
import type { Execution } from "./execution";
import { FIRST_HIDDEN, Measured } from "./columns";
import type { Core, Started } from "./core";
import { Dressing } from "./dressing";
import { Editing } from "./editing";
import { Boundary } from "./boundary";
import type { Baseline } from "./baselines";
import { Following } from "./following";
import { legend } from "./legend";
import { editOf, isEdit, type Edit } from "./keys";
import { Patience } from "./patience";
import { Pins } from "./pins";
import { wholePlan } from "./plan";
import { Review } from "./review";
import { isLive } from "./run";
import { Saving } from "./saving";
import { selectedModules, selectionText } from "./selection";
import { Sorter } from "./sorter";
import { slotsIn } from "./slots";
import { StatusLine } from "./status";
import { Tabs } from "./tabs";
import { Toolbar } from "./toolbar";
import { PLAY } from "./player";
import type { WalkKind } from "./walk";
import { inFull, ownParameters, totalsText } from "./words";

const WELCOME = "Select modules (click, Shift+click, arrows; L all alike), then mark them: F fully shard, R replicate, I ignore, U clear. / finds.";
const ALL: Change[] = ["tree", "plan", "run", "costs", "comparison", "focus", "rows", "scroll", "hits", "colour", "theme", "size", "changes"];

interface Mounted {
  kind: PanelKind;
  place: HTMLElement;
  owed: Set<Change>; // not told yet
  panel?: Panel;
  scrolled: [element: Element, top: number][]; // while it is out of the page
}

type Listener = (changes: ReadonlySet<Change>) => void;

export class Board implements Page, Started {
  hits: readonly number[] = [];
  hidden: ReadonlySet<string>;
  readonly changes = new Review();
  #measured = new Measured();
  #boundary: Boundary;
  #sorter: Sorter;
  #toolbar: Toolbar;
  #tabs = new Tabs(() => this.#show());
  #editing: Editing;
  #following: Following;
  #detail = h("div", { class: "detail", "data-role": "detail" }); // what is focused, in words
  #dressing: Dressing;
  #themes = new MutationObserver(() => this.changed("theme", "colour"));
  #patience: Patience;
  #pins: Pins;
  #saving: Saving;
  #status: StatusLine;
  #mounted = new Map<string, Mounted>();
  #listeners = new Set<Listener>();
  #fresh = new Set<Change>();
  #frame = 0;

  constructor(private core: Core, panels: Record<string, PanelKind>, style: string) {
    this.#dressing = new Dressing(core);
    this.#saving = new Saving(core);
    this.#pins = new Pins(core);
    this.#status = new StatusLine(core.status);
    this.#patience = new Patience(core.talk, (silent) => this.#editing.silent(silent));
    this.#editing = new Editing(core, this.#patience, this.#dressing, this.#status, () => isLive(this.run));
    this.#following = new Following(core.model, this.#status, (change) => this.changed(change), this.#executed);
    this.#toolbar = new Toolbar((action) => (isEdit(action) ? this.#act(action) : core.act(action)));
    this.#sorter = new Sorter(core, this.#measured, this.tell, this.#play);
    this.#boundary = new Boundary(core, { outline: (nodes) => this.point("now", nodes), tell: this.tell, command: this.command });
    this.hidden = new Set(this.#saving.read().hidden ?? FIRST_HIDDEN);
    const slots = slotsIn(core);
    core.root.after(h("style", {}, style));
    core.status.before(this.#detail);
    slots.tools.append(this.#toolbar.element);
    slots.tab.replaceChildren(this.#tabs.element);
    slots.tab.classList.remove("note");
    slots.tab.before(this.#editing.gone);
    for (const [name, kind] of Object.entries(panels)) {
      const place = kind.slot === "tab" ? this.#tabs.place(name, kind.label) : slots[kind.slot].appendChild(h("div", { "data-panel": name }));
      this.#mounted.set(name, { kind, place, owed: new Set(ALL), scrolled: [] });
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

  // What panels read.
  get root() { return this.core.root; }
  get tree() { return this.core.outline.tree; }
  get plan() { return wholePlan(this.tree, this.core.outline.plan); }
  get run() { return this.#following.run; }
  get rows() { return this.core.outline.rows; }
  get focus() { return this.core.outline.focus; }
  get focused() { return this.rows[this.focus].node; }
  get selected() { return selectedModules(this.core.outline); }
  get columns() { return this.#measured.columns; }
  get viewport(): Viewport {
    const { first, page, rowHeight } = this.core.view.list;
    return { first, count: page, rowHeight };
  }
  trait = (name: string): unknown => JSON.parse(String(this.core.model.get(name) || "null"));
  rowOf = (node: number) => this.core.outline.rowOf(node);
  colourOf = (node: number) => this.#dressing.colourOf(node);
  kept = (name: string): unknown => this.#saving.read()[name];

  // What panels do.
  ask = (cmd: string, fields: object = {}): Promise<Reply> => this.#patience.ask(cmd, fields);
  command = (cmd: string, fields: object = {}, marks: readonly number[] = []) => this.#editing.command(cmd, fields, marks);
  tell = (text: string) => this.#status.tell(text);
  refuse = (refusal: Refusal) => this.#status.refuse(refusal);
  scrollTo = (row: number) => this.core.view.list.jumpTo(row);
  point = (tone: "now" | "live", nodes: readonly number[]) => this.#dressing.point(tone, nodes);
  focusTree = () => this.core.view.takeFocus();
  keep = (name: string, value: unknown) => this.#saving.keep(name, value);
  label = (panel: string, text: string) => this.#tabs.label(panel, text);
  open = (panel: string) => this.#tabs.open(panel);

  reveal = (node: number): void => {
    if (node >= 0) this.core.moved(() => this.core.outline.jump(node));
    this.focusTree();
  };

  measure = (nbytes: ((node: number) => number) | null): void => {
    this.#measured.measure(this.tree.size, nbytes);
    this.core.view.draw();
  };

  hide = (keys: Iterable<string>): void => {
    this.hidden = new Set(keys);
    this.keep("hidden", [...this.hidden]);
    this.#showColumns();
    this.changed("rows");
  };

  find = (nodes: readonly number[]): void => {
    this.hits = nodes;
    this.#dressing.find(nodes);
    this.changed("hits");
  };

  paint = (paint: ((node: number) => Paint | null) | null): void => {
    this.#dressing.paint(paint);
    this.changed("colour");
  };

  compact = (on: boolean): void => {
    this.keep("compact", on);
    this.#showColumns();
    this.changed("size");
  };

  subscribe(heard: Listener): () => void {
    this.#listeners.add(heard);
    return () => this.#listeners.delete(heard);
  }

  // What the first module calls.
  /** After it has put this in its place: rows are drawn as they look with it. */
  started(): void {
    this.#showColumns();
    this.#saving.follow();
  }

  dress(look: Look, row: Row): void {
    const { outline } = this.core;
    this.#dressing.dress(look, row);
    this.changes.dress(look, row, outline.tree, outline.isOpen(row));
    this.#sorter.dress(look, row);
  }

  drawn = () => this.#pins.draw();

  press(event: KeyboardEvent): boolean {
    const edit = editOf(event);
    if (edit) this.#act(edit);
    return edit !== null || this.#sorter.press(event);
  }

  hear(message: { type?: string }): void {
    this.#patience.hear();
    this.#following.hear(message);
  }

  /** Takes note of changes; panels hear of them with the next frame. */
  changed(...changes: Change[]): void {
    for (const change of changes) this.#fresh.add(change);
    this.#frame ||= requestAnimationFrame(() => this.#flush());
    if (changes.includes("tree")) this.#sorter.follow();
    if (["tree", "plan", "run"].some((change) => changes.includes(change as Change))) this.#compare(changes);
    if (changes.includes("plan")) this.#tellTools();
    if (changes.includes("rows")) this.#tellDetail();
    if (changes.includes("rows") && !changes.includes("plan")) this.#saving.soon();
  }

  destroy(): void {
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

  review = (since: Baseline | null): void => {
    this.changes.since = since;
    this.changes.compare(this.tree, this.plan);
    this.tell(since ? this.changes.summary : "Changes are no longer shown.");
    this.changed("changes");
    this.core.view.draw();
  };

  /** An edit, or what is done to the units around them. */
  #act(edit: Edit): void {
    if (edit.do === "review") this.#toggleReview();
    else if (edit.do === "boundary") this.#boundary.moveSelected(edit.way);
    else this.#editing.act(edit);
  }

  /** Since the page was opened, unless the reader chose otherwise before. */
  #toggleReview(): void {
    const chosen = this.changes.since;
    this.review(chosen ? null : this.changes.last);
    if (!chosen) this.open("changes");
  }

  /** Plans worth comparing with are kept as they come. */
  #compare(changes: Change[]): void {
    const { baselines } = this.changes;
    if (!this.#following) return; // it tells of a run while it is being made
    if (changes.includes("tree")) baselines.forget();
    baselines.plan(this.plan);
    const began = baselines.run(this.run.id);
    if (began || !changes.includes("run")) this.changes.compare(this.tree, this.plan);
  }

  #play = (kind: WalkKind): void => {
    this.open("player");
    this.root.dispatchEvent(new CustomEvent(PLAY, { detail: kind }));
  };

  #tellTools(): void {
    setText(this.core.totals, totalsText(this.tree.size, this.plan));
    const { undo, redo, conflicts, findings } = this.plan.state;
    const remarks = conflicts.length + findings.length;
    this.label("findings", remarks ? `Findings (${remarks})` : "Findings");
    this.#toolbar.enable("undo", undo);
    this.#toolbar.enable("redo", redo);
    if (this.#status.failing) this.#status.tell("The plan has changed.");
  }

  /** The focused row in words, under the tree. */
  #tellDetail(): void {
    const { tree, focused: row } = this.core.outline;
    const parts = [selectionText(this.core.outline), inFull(this.core.outline, row), row.ref < 0 ? ownParameters(tree, row.node) : ""];
    setText(this.#detail, parts.filter(Boolean).join(" · "));
  }

  #scrolled = (): void => {
    this.#pins.draw();
    this.changed("scroll");
  };

  #executed = (execution: Execution): void => {
    this.#measured.execution = execution;
    this.core.view.draw();
  };

  #showColumns(): void {
    const shown = this.columns.filter(({ key }) => !this.hidden.has(key));
    this.core.view.show(shown, this.kept("compact") === true);
    this.#sorter.show(shown);
    this.core.view.draw();
  }

  #flush(): void {
    this.#frame = 0;
    const changes = new Set(this.#fresh);
    this.#fresh.clear();
    for (const { owed } of this.#mounted.values()) for (const change of changes) owed.add(change);
    this.#show();
    for (const heard of this.#listeners) heard(changes);
  }

  /** Makes panels that are seen for the first time, tells those that are seen what they missed, and takes those that are
   *  not out of the page: only what is seen costs elements. */
  #show(): void {
    for (const [name, mounted] of this.#mounted) {
      const { place, panel } = mounted;
      if (place.hidden) {
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
        this.#mounted.delete(name); // one broken panel leaves the others alone
        place.replaceChildren(h("p", { class: "note" }, `The panel ${name} failed: ${error}`));
        console.error(error);
      }
    }
  }

  #made({ kind, place }: Mounted): Panel {
    const panel = kind.make(this);
    place.append(panel.element);
    return panel;
  }
}

function takeOut(mounted: Mounted): void {
  const { element } = mounted.panel!;
  mounted.scrolled = [...element.querySelectorAll("*")].filter(({ scrollTop }) => scrollTop > 0).map((each) => [each, each.scrollTop]);
  element.remove();
}

function putBack({ place, panel, scrolled }: Mounted): void {
  place.append(panel!.element);
  for (const [element, top] of scrolled) element.scrollTop = top;
}

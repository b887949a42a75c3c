// The whole view: traits in, commands out, and the parts between them. It is the `Page` that panels see.
import { loadExtras } from "./chunk";
import { Conversation, type Reply } from "./commands";
import { h, setAttributes, setText } from "./dom";
import type { Page, Refusal, Viewport } from "./extras/contract";
import type { Model } from "./host";
import type { Action } from "./keys";
import { legend } from "./legend";
import { Outline } from "./outline";
import { Panels } from "./panels";
import { parseTree } from "./payload";
import { parsePlan } from "./plan";
import { isLive, merge, NO_RUN, parseRun, phaseText, type RunState } from "./run";
import { StatusLine } from "./status";
import { Toolbar } from "./toolbar";
import { TreeView } from "./tree";
import { SavedView, type View } from "./view";
import { describe, ownParameters, totalsText } from "./words";

const VIEW_LIMIT = 2000; // open modules that are worth saving

export class Explorer implements Page {
  readonly root = h("div", { class: "shx", "data-kernel": "alive" });
  run: RunState = NO_RUN;
  hits: readonly number[] = [];
  #title = h("b", { "data-role": "title" });
  #totals = h("span", { class: "note", "data-role": "totals" });
  #detail = h("div", { class: "detail", "data-role": "detail" });
  #status = new StatusLine();
  #gone = h("div", { class: "gone", "data-role": "gone", role: "alert" },
    "No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a restart.");
  #toolbar = new Toolbar((action) => this.#act(action));
  #view = new TreeView({
    act: (action) => this.#act(action),
    select: (row, extend) => this.#moved(() => this.#outline.select(row, extend)),
    toggle: (row) => this.#folded(() => this.#outline.toggle(row)),
    split: (row) => this.#folded(() => this.#outline.toggleSplit(row)),
    scrolled: () => this.#panels.changed("scroll"),
  });
  #talk: Conversation;
  #panels: Panels;
  #saved: SavedView;
  #outline!: Outline;

  constructor(private model: Model) {
    this.#talk = new Conversation((message) => model.send(message), (silent) => this.#silence(silent));
    this.#panels = new Panels(this, () => loadExtras(this.#talk));
    this.#saved = new SavedView(model, () => this.#viewNow());
    this.#gone.hidden = true;
    const { top, edge, side, tools } = this.#panels.places;
    this.root.append(h("div", { class: "head" }, this.#title, " ", this.#totals), this.#toolbar.element, tools, legend(), this.#gone,
      h("div", { class: "body" }, h("div", { class: "outline" }, top, this.#view.element), side), this.#detail, this.#status.element, this.#panels.tabs.element);
    this.#view.stage.append(edge);
  }

  // What panels read.
  get tree() { return this.#outline.tree; }
  get plan() { return this.#outline.plan; }
  get rows() { return this.#outline.rows; }
  get focus() { return this.#outline.focus; }
  get focused() { return this.rows[this.focus].node; }
  get selected() { return this.#outline.selectedIndices(); }
  get viewport(): Viewport { return this.#view.viewport; }
  trait = (name: string): unknown => JSON.parse(String(this.model.get(name) || "null"));
  rowOf = (node: number) => this.#outline.rowOf(node);
  colourOf = (node: number) => this.#view.colourOf(node);

  // What panels do.
  reveal = (node: number) => this.#jump(node);
  scrollTo = (row: number) => this.#view.scrollTo(row);
  point = (tone: "now" | "live", nodes: readonly number[]) => this.#view.point(tone, nodes);
  ask = (cmd: string, fields: object = {}): Promise<Reply> => this.#talk.ask(cmd, fields);
  tell = (text: string) => this.#status.tell(text);
  refuse = (refusal: Refusal) => this.#status.refuse(refusal);
  subscribe: Page["subscribe"] = (heard) => this.#panels.subscribe(heard);
  label = (panel: string, text: string) => this.#panels.tabs.label(panel, text);
  open = (panel: string) => this.#panels.tabs.open(panel);

  command = async (cmd: string, fields: object = {}): Promise<boolean> => {
    setAttributes(this.root, { "data-waiting": cmd });
    const reply = await this.#talk.ask(cmd, fields);
    setAttributes(this.root, { "data-waiting": null });
    if (!reply.ok) this.refuse(reply.error ?? { title: "The kernel refused", detail: "It gave no reason." });
    else if (cmd !== "stop" || isLive(this.run)) this.tell(TOLD[cmd] ?? `${this.plan.state.last || cmd}`);
    return reply.ok;
  };

  /** Draws the tree anew: at the start, and when the model itself changed. */
  readTree = (): void => {
    try {
      const tree = parseTree(String(this.model.get("tree")));
      this.#outline = new Outline(tree, this.#planOn(tree.size));
    } catch (error) {
      return this.refuse({ title: "The tree cannot be drawn", detail: String(error) });
    }
    setText(this.#title, this.tree.title);
    this.#applyView(true);
    this.#panels.changed("tree");
    return this.#showPlan();
  };

  readPlan = (): void => {
    if (!this.#outline) return;
    this.#outline.setPlan(this.#planOn(this.tree.size));
    this.#showPlan();
    if (this.#status.failing) this.tell("The plan has changed.");
  };

  #showPlan(): void {
    const { state } = this.plan;
    const remarks = state.conflicts.length + state.findings.length;
    this.label("findings", remarks ? `Findings (${remarks})` : "Findings");
    this.#toolbar.enable("undo", state.undo);
    this.#toolbar.enable("redo", state.redo);
    setText(this.#totals, totalsText(this.tree.size, state));
    setAttributes(this.root, { "data-rev": state.rev });
    this.#panels.changed("plan", "rows");
    this.#draw();
  }

  readRun = (): void => this.#follow(parseRun(String(this.model.get("run") ?? "")));
  readCosts = (): void => this.#panels.changed("costs");

  /** Start and end of a run are told, whoever started it; a refusal still to be read outlives the end. */
  #follow(run: RunState): void {
    const [was, is] = [isLive(this.run), isLive(run)];
    this.run = run;
    this.#panels.changed("run");
    if (is && !was) this.tell(TOLD.run);
    else if (was && !is && !this.#status.failing) this.tell(phaseText(run));
  }

  /** The kernel selects by writing the view; what this page wrote itself is no news. */
  readView = (): void => {
    if (!this.#saved.isNews || !this.#outline) return;
    this.#applyView(false);
    this.#draw(true);
  };

  hear = (message: { type?: string }): void => {
    this.#talk.hear(true);
    if (message.type === "run") this.#follow(merge(this.run, message as Partial<RunState>));
    else if (message.type === "notice") this.refuse((message as Reply).error!);
    else this.#talk.receive(message as Reply);
  };

  get painted(): boolean {
    return !this.#outline || this.#view.painted;
  }

  /** The first paint has been seen: what is less urgent may come. */
  ready(): void {
    setAttributes(this.root, { "data-ready": 1 });
    if (this.#outline) void this.#panels.fetch();
  }

  /** For a view that was drawn before it had a size. */
  repaint(): void {
    if (this.#outline) this.#draw(true);
  }

  retheme = (): void => this.#panels.changed("theme", "colour");

  destroy(): void {
    this.#saved.destroy();
    this.#talk.close();
    this.#view.destroy();
    this.#panels.destroy();
  }

  #planOn = (size: number) => parsePlan(String(this.model.get("plan") ?? ""), size);

  #act(action: Action): void {
    const outline = this.#outline;
    if (!outline) return;
    switch (action.do) {
      case "move": return this.#moved(() => outline.select(outline.focus + action.by, action.extend));
      case "edge": return this.#moved(() => outline.select(action.end ? outline.rows.length - 1 : 0, action.extend));
      case "mark": return this.#edit("mark", { verb: action.verb });
      case "group": return this.#edit("group");
      case "undo": case "redo": return void this.command(action.do);
      case "split": return this.#folded(() => outline.toggleSplit(outline.focus));
      case "leave": return undefined;
      case "openAll": case "closeAll": return this.#folded(() => outline[action.do]());
      default: return this.#moved(() => outline[action.do]());
    }
  }

  /** An edit of what is selected; a reference alone is no module to mark. */
  #edit(cmd: string, fields: object = {}): void {
    const indices = this.selected;
    if (indices.length) void this.command(cmd, { ...fields, indices });
    else this.refuse({ title: "This row is a reference", detail: "Its module is listed elsewhere: Enter goes there, then mark it." });
  }

  #silence(silent: boolean): void {
    this.#gone.hidden = !silent;
    setAttributes(this.root, { "data-kernel": silent ? "gone" : "alive" });
  }

  #jump(node: number): void {
    if (node >= 0) this.#moved(() => this.#outline.jump(node));
    this.#view.takeFocus();
  }

  /** A change of the focus: its row is brought into view. */
  #moved(change: () => void): void {
    change();
    this.#panels.changed("focus", "rows");
    this.#draw(true);
    this.#saved.saveSoon();
  }

  /** A change of what is open: the reader keeps the place. */
  #folded(change: () => void): void {
    change();
    this.#panels.changed("rows");
    this.#draw();
    this.#saved.saveSoon();
  }

  #draw(follow = false): void {
    this.#view.show(this.#outline, follow);
    const { tree, plan, rows, focus, anchor } = this.#outline;
    const row = rows[focus];
    const chosen = Math.abs(focus - anchor) + 1;
    const parts = [chosen > 1 ? `${chosen} rows selected` : "", describe(tree, plan, row), row.ref < 0 ? ownParameters(tree, row.node) : ""];
    setText(this.#detail, parts.filter(Boolean).join(" · "));
  }

  #viewNow(): View {
    const outline = this.#outline;
    const open = outline.rows.filter(outline.isOpen).map(({ node }) => node).slice(0, VIEW_LIMIT);
    return { selected: this.focused, open, split: outline.splitParents };
  }

  #applyView(whole: boolean): void {
    const view = this.#saved.read();
    if (whole && view.open) this.#outline.restore(view.open, view.split ?? [], view.selected ?? 0);
    else if (view.selected !== undefined && view.selected < this.tree.size) this.#outline.jump(view.selected);
  }
}

const TOLD: Record<string, string> = { run: "The run has started.", stop: "The run is being stopped.", undo: "Undone.", redo: "Redone." };

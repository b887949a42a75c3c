// The whole view: traits in, commands out, and the parts between them.
import { CodePanel } from "./code";
import { Conversation, type Reply } from "./commands";
import { h, setAttributes, setText } from "./dom";
import type { Model } from "./host";
import type { Action } from "./keys";
import { legend } from "./legend";
import { OrdersPanel } from "./orders";
import { Outline } from "./outline";
import { parseTree } from "./payload";
import { parsePlan, type PlanState } from "./plan";
import { RemarksPanel } from "./remarks";
import { isLive, merge, NO_RUN, parseRun, phaseText, type RunState } from "./run";
import { RunPanel } from "./runbar";
import { Tabs } from "./tabs";
import { Toolbar } from "./toolbar";
import { TreeView } from "./tree";
import { describe, ownParameters, shortNumel } from "./words";

const VIEW_DELAY_MS = 250;
const VIEW_LIMIT = 2000; // open modules that are worth saving

interface View {
  selected?: number;
  open?: number[];
  split?: number[];
}

export class Explorer {
  readonly element = h("div", { class: "shx", "data-kernel": "alive" });
  private title = h("b", { "data-role": "title" });
  private totals = h("span", { class: "note", "data-role": "totals" });
  private detail = h("div", { class: "detail", "data-role": "detail" });
  private status = h("div", { class: "status", "data-role": "status", role: "status", "aria-live": "polite" },
    "Select modules (click, Shift+click, arrows), then mark them: F fully shard, R replicate, I ignore, U clear.");
  private gone = h("div", { class: "gone", "data-role": "gone", role: "alert" },
    "No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a restart.");
  private toolbar = new Toolbar((action) => this.act(action));
  private view = new TreeView({
    act: (action) => this.act(action),
    select: (row, extend) => this.moved(() => this.outline.select(row, extend)),
    toggle: (row) => this.folded(() => this.outline.toggle(row)),
    split: (row) => this.folded(() => this.outline.toggleSplit(row)),
  });
  private orders = new OrdersPanel((node) => this.jump(node));
  private remarks = new RemarksPanel((node) => this.jump(node));
  private code = new CodePanel((text) => this.tell(text));
  private runPanel = new RunPanel((nprocs, steps) => void this.command("run", { nprocs, steps }), () => void this.command("stop"));
  private tabs = new Tabs([
    { name: "run", label: "Run", element: this.runPanel.element },
    { name: "orders", label: "Orders", element: this.orders.element, opened: () => this.orders.repaint() },
    { name: "findings", label: "Findings", element: this.remarks.element },
    { name: "code", label: "Code", element: this.code.element },
  ]);
  private talk: Conversation;
  private outline!: Outline;
  private run: RunState = NO_RUN;
  private saved = "";
  private saving: ReturnType<typeof setTimeout> | undefined;

  constructor(private model: Model) {
    this.talk = new Conversation((message) => model.send(message), (silent) => this.silence(silent));
    this.gone.hidden = true;
    const head = h("div", { class: "head" }, this.title, " ", this.totals);
    this.element.append(head, this.toolbar.element, legend(), this.gone, this.view.element, this.detail, this.status, this.tabs.element);
  }

  /** Draws the tree anew: at the start, and when the model itself changed. */
  readTree = (): void => {
    try {
      const tree = parseTree(String(this.model.get("tree")));
      this.outline = new Outline(tree, this.plan(tree.size));
    } catch (error) {
      return this.refuse({ title: "The tree cannot be drawn", detail: String(error) });
    }
    setText(this.title, this.outline.tree.title);
    this.applyView(true);
    return this.showPlan();
  };

  readPlan = (): void => {
    if (!this.outline) return;
    this.outline.setPlan(this.plan(this.outline.tree.size));
    this.showPlan();
    if (this.failing) this.tell("The plan has changed.");
  };

  private showPlan(): void {
    const { plan, tree } = this.outline;
    this.orders.show(tree, plan);
    this.code.show(plan.state);
    const remarks = this.remarks.show(plan.state);
    this.tabs.label("findings", remarks ? `Findings (${remarks})` : "Findings");
    this.toolbar.enable("undo", plan.state.undo);
    this.toolbar.enable("redo", plan.state.redo);
    setText(this.totals, totalsText(tree.size, plan.state));
    setAttributes(this.element, { "data-rev": plan.state.rev });
    this.draw();
  }

  readRun = (): void => this.follow(parseRun(String(this.model.get("run") ?? "")));

  /** Start and end of a run are told, whoever started it; a refusal still to be read outlives the end. */
  private follow(run: RunState): void {
    const [was, is] = [isLive(this.run), isLive(run)];
    this.run = run;
    this.runPanel.show(run);
    if (is && !was) this.tell(TOLD.run);
    else if (was && !is && !this.failing) this.tell(phaseText(run));
  }

  /** The kernel selects by writing the view; what this page wrote itself is no news. */
  readView = (): void => {
    if (this.model.get("view") === this.saved || !this.outline) return;
    this.applyView(false);
    this.draw(true);
  };

  hear = (message: { type?: string }): void => {
    this.talk.hear(true);
    if (message.type === "run") this.follow(merge(this.run, message as Partial<RunState>));
    else if (message.type === "notice") this.refuse((message as Reply).error!);
    else this.talk.receive(message as Reply);
  };

  get painted(): boolean {
    return !this.outline || this.view.painted;
  }

  /** For a view that was drawn before it had a size. */
  repaint(): void {
    if (this.outline) this.draw(true);
  }

  destroy(): void {
    clearTimeout(this.saving);
    this.talk.close();
    this.view.destroy();
    this.orders.destroy();
  }

  private plan = (size: number) => parsePlan(String(this.model.get("plan") ?? ""), size);

  private act(action: Action): void {
    const { outline } = this;
    if (!outline) return;
    switch (action.do) {
      case "move": return this.moved(() => outline.select(outline.focus + action.by, action.extend));
      case "edge": return this.moved(() => outline.select(action.end ? outline.rows.length - 1 : 0, action.extend));
      case "mark": return this.edit("mark", { verb: action.verb });
      case "group": return this.edit("group");
      case "undo": case "redo": return void this.command(action.do);
      case "split": return this.folded(() => outline.toggleSplit(outline.focus));
      case "leave": return undefined;
      case "openAll": case "closeAll": return this.folded(() => outline[action.do]());
      default: return this.moved(() => outline[action.do]());
    }
  }

  /** An edit of what is selected; a reference alone is no module to mark. */
  private edit(cmd: string, fields: object = {}): void {
    const indices = this.outline.selectedIndices();
    if (indices.length) void this.command(cmd, { ...fields, indices });
    else this.refuse({ title: "This row is a reference", detail: "Its module is listed elsewhere: Enter goes there, then mark it." });
  }

  private async command(cmd: string, fields: object = {}): Promise<void> {
    setAttributes(this.element, { "data-waiting": cmd });
    const reply = await this.talk.ask(cmd, fields);
    setAttributes(this.element, { "data-waiting": null });
    this.runPanel.show(this.run);
    if (!reply.ok) this.refuse(reply.error ?? { title: "The kernel refused", detail: "It gave no reason." });
    else if (cmd !== "stop" || isLive(this.run)) this.tell(TOLD[cmd] ?? `${this.outline.plan.state.last || cmd}`);
  }

  private get failing(): boolean {
    return this.status.dataset.kind === "error";
  }

  private tell(text: string): void {
    this.status.replaceChildren(text);
    setAttributes(this.status, { "data-kind": "told" });
  }

  /** A refused edit changes nothing but this line. */
  private refuse(error: { title: string; detail: string }): void {
    this.status.replaceChildren(h("b", {}, error.title), h("p", {}, error.detail));
    setAttributes(this.status, { "data-kind": "error" });
  }

  private silence(silent: boolean): void {
    this.gone.hidden = !silent;
    setAttributes(this.element, { "data-kernel": silent ? "gone" : "alive" });
  }

  private jump(node: number): void {
    if (node >= 0) this.moved(() => this.outline.jump(node));
    this.view.takeFocus();
  }

  /** A change of the focus: its row is brought into view. */
  private moved(change: () => void): void {
    change();
    this.draw(true);
    this.saveViewSoon();
  }

  /** A change of what is open: the reader keeps the place. */
  private folded(change: () => void): void {
    change();
    this.draw();
    this.saveViewSoon();
  }

  private draw(follow = false): void {
    this.view.show(this.outline, follow);
    const { tree, plan, rows, focus, anchor } = this.outline;
    const row = rows[focus];
    const chosen = Math.abs(focus - anchor) + 1;
    const parts = [chosen > 1 ? `${chosen} rows selected` : "", describe(tree, plan, row), row.ref < 0 ? ownParameters(tree, row.node) : ""];
    setText(this.detail, parts.filter(Boolean).join(" · "));
  }

  private saveViewSoon(): void {
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.saveView(), VIEW_DELAY_MS);
  }

  private saveView(): void {
    const { outline } = this;
    const open = outline.rows.filter(outline.isOpen).map(({ node }) => node).slice(0, VIEW_LIMIT);
    this.saved = JSON.stringify({ selected: outline.rows[outline.focus].node, open, split: outline.splitParents });
    this.model.set("view", this.saved);
    this.model.save_changes();
  }

  private applyView(whole: boolean): void {
    const text = String(this.model.get("view") ?? "");
    const view: View = text ? (JSON.parse(text) as View) : {};
    if (whole && view.open) this.outline.restore(view.open, view.split ?? [], view.selected ?? 0);
    else if (view.selected !== undefined && view.selected < this.outline.tree.size) this.outline.jump(view.selected);
  }
}

const TOLD: Record<string, string> = { run: "The run has started.", stop: "The run is being stopped.", undo: "Undone.", redo: "Redone." };

function totalsText(modules: number, { totals, units, rev }: PlanState): string {
  const parts = ["sharded", "replicated", "ignored", "unmanaged"].filter((kind) => totals[kind]);
  const split = parts.map((kind) => `${shortNumel(totals[kind])} ${kind}`).join(", ");
  const numel = totals.numel === undefined ? "" : ` · ${shortNumel(totals.numel)} parameters`;
  const many = (count: number, word: string) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
  return `${many(modules, "module")}${numel}${split ? `: ${split}` : ""} · ${many(units.length, "unit")} · revision ${rev}`;
}

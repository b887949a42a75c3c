// The page that every reader needs: a tree with a plan on it, that can be read, folded and walked without a kernel. What
// edits, runs and explains comes as a second module and is started on it.
import { loadExtras } from "./chunk";
import { Conversation, type Reply } from "./commands";
import { h, setAttributes, setText } from "./dom";
import type { Change } from "./extras/contract";
import type { Core, Started } from "./extras/core";
import type { Model } from "./host";
import type { Action } from "./keys";
import { Outline } from "./outline";
import { parseTree, type Tree } from "./payload";
import { parsePlan } from "./plan";
import { StatusLine } from "./status";
import { TreeView } from "./tree";
import { SavedView, type View } from "./view";
import { describe, ownParameters, totalsText } from "./words";

const VIEW_LIMIT = 2000; // open modules that are worth saving
const MESSAGES = 1000; // kept for a second module that has not come yet
const ABSENT = "F fully sharded, f in its unit, R replicated, I ignored. Marks, runs and other panels come from the kernel: a saved page without one can be read, folded and walked with the keys.";

const slot = (name: string, text = "") => h("div", { class: `slot ${name}` }, text);

export class Explorer implements Core {
  readonly root = h("div", { class: "shx", "data-kernel": "alive" });
  readonly slots = { tools: slot("tools"), top: slot("top"), edge: slot("edge"), side: slot("side"), tab: slot("tab note", ABSENT) };
  readonly status = new StatusLine();
  readonly talk: Conversation;
  readonly saved: SavedView;
  readonly view = new TreeView({
    act: (action) => this.act(action),
    select: (row, extend) => this.moved(() => this.outline.select(row, extend)),
    toggle: (row) => this.#folded(() => this.outline.toggle(row)),
    split: (row) => this.#folded(() => this.outline.toggleSplit(row)),
    scrolled: () => this.#changed("scroll"),
  });
  outline!: Outline;
  #title = h("b", { "data-role": "title" });
  #totals = h("span", { class: "note", "data-role": "totals" });
  #detail = h("div", { class: "detail", "data-role": "detail" });
  #extras?: Started;
  #unheard: { type?: string }[] = [];
  #ended = false;

  constructor(readonly model: Model) {
    this.talk = new Conversation((message) => model.send(message));
    this.saved = new SavedView(model, () => this.#viewNow());
    const { tools, top, edge, side, tab } = this.slots;
    this.root.append(h("div", { class: "head" }, this.#title, " ", this.#totals), tools,
      h("div", { class: "body" }, h("div", { class: "outline" }, top, this.view.element), side), this.#detail, this.status.element, tab);
    this.view.stage.append(edge);
  }

  /** Draws the tree anew: at the start, and when the model itself changed. */
  readTree = (): void => {
    try {
      const tree = parseTree(String(this.model.get("tree")));
      this.outline = new Outline(tree, this.#planOn(tree));
    } catch (error) {
      return this.status.refuse({ title: "The tree cannot be drawn", detail: String(error) });
    }
    setText(this.#title, this.outline.tree.title);
    this.#applyView(true);
    this.#changed("tree");
    return this.#showPlan();
  };

  readPlan = (): void => {
    if (!this.outline) return;
    this.outline.setPlan(this.#planOn(this.outline.tree));
    this.#showPlan();
    if (this.status.failing) this.status.tell("The plan has changed.");
  };

  #showPlan(): void {
    const { tree, plan } = this.outline;
    setText(this.#totals, totalsText(tree.size, plan.state));
    setAttributes(this.root, { "data-rev": plan.state.rev });
    this.#changed("plan", "rows");
    this.#draw();
  }

  /** The kernel selects by writing the view; what this page wrote itself is no news. */
  readView = (): void => {
    if (!this.saved.isNews || !this.outline) return;
    this.#applyView(false);
    this.#changed("focus", "rows");
    this.#draw(true);
  };

  hear = (message: { type?: string }): void => {
    this.talk.hear(true);
    if (message.type === "reply") this.talk.receive(message as Reply);
    else if (this.#extras) this.#extras.hear(message);
    else if (this.#unheard.length < MESSAGES) this.#unheard.push(message);
  };

  get painted(): boolean {
    return !this.outline || this.view.painted;
  }

  /** The first paint has been seen: what is less urgent may come. */
  ready(): void {
    setAttributes(this.root, { "data-ready": 1 });
    if (!this.outline) return;
    loadExtras(this.talk).then(
      (extras) => {
        if (this.#ended) return;
        this.#extras = extras.start(this);
        for (const message of this.#unheard.splice(0)) this.#extras.hear(message);
      },
      (error: Error) => setText(this.slots.tab, `The panels could not be loaded: ${error.message}`),
    );
  }

  /** For a view that was drawn before it had a size. */
  repaint(): void {
    if (this.outline) this.#draw(true);
  }

  retheme = (): void => this.#changed("theme", "colour");

  destroy(): void {
    this.#ended = true;
    this.saved.destroy();
    this.talk.close();
    this.view.destroy();
    this.#extras?.destroy();
  }

  #planOn = (tree: Tree) => parsePlan(String(this.model.get("plan") ?? ""), tree);
  #changed = (...changes: Change[]) => this.#extras?.changed(...changes);

  act(action: Action): void {
    const { outline } = this;
    switch (action.do) {
      case "move": return this.moved(() => outline.select(outline.focus + action.by, action.extend));
      case "edge": return this.moved(() => outline.select(action.end ? outline.rows.length - 1 : 0, action.extend));
      case "typeAhead": return this.moved(() => outline.typeAhead(action.char));
      case "open": case "close": case "enter": case "selectLike": return this.moved(() => outline[action.do]());
      case "split": return this.#folded(() => outline.toggleSplit(outline.focus));
      case "openSiblings": case "openAll": case "closeAll": return this.#folded(() => outline[action.do]());
      default: return this.#extras ? this.#extras.act(action) : this.status.tell(ABSENT);
    }
  }

  /** A change of the focus: its row is brought into view. */
  moved(change: () => void): void {
    change();
    this.#changed("focus", "rows");
    this.#draw(true);
    this.saved.saveSoon();
  }

  /** A change of what is open: the reader keeps the place. */
  #folded(change: () => void): void {
    change();
    this.#changed("rows");
    this.#draw();
    this.saved.saveSoon();
  }

  #draw(follow = false): void {
    const { outline } = this;
    this.view.show(outline, follow);
    const { tree, plan, rows, focus, anchor, numLike } = outline;
    const row = rows[focus];
    const range = Math.abs(focus - anchor) + 1;
    const parts = [range > 1 ? `${range} rows selected` : "", numLike > 1 ? `${numLike} alike selected` : "",
      describe(tree, plan, row), row.ref < 0 ? ownParameters(tree, row.node) : ""];
    setText(this.#detail, parts.filter(Boolean).join(" · "));
  }

  #viewNow(): View {
    const { rows, focus, isOpen, splitParents } = this.outline;
    const open = rows.filter(isOpen).map(({ node }) => node).slice(0, VIEW_LIMIT);
    return { selected: rows[focus].node, open, split: splitParents };
  }

  #applyView(whole: boolean): void {
    const view = this.saved.read();
    if (whole && view.hidden) this.view.hide(view.hidden);
    if (whole && view.compact) this.view.compact(true);
    if (whole && view.open) this.outline.restore(view.open, view.split ?? [], view.selected ?? 0);
    else if (view.selected !== undefined && view.selected < this.outline.tree.size) this.outline.jump(view.selected);
  }
}

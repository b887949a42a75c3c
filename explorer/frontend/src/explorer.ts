// The page that every reader needs: a tree with a plan on it, that can be read, folded and walked without a kernel. What
// edits, runs and explains comes as a second module and is started on it.
import { loadExtras } from "./chunk";
import { COLUMNS } from "./columns";
import { Conversation, type Reply } from "./commands";
import { h, setAttributes, setText } from "./dom";
import type { Change } from "./extras/contract";
import type { Core, Started, View } from "./extras/core";
import type { Model } from "./host";
import { actionOf, type Action } from "./keys";
import { Outline } from "./outline";
import { parseTree } from "./payload";
import { parsePlan } from "./plan";
import { TreeView } from "./tree";
import { totalsText } from "./words";

const MESSAGES = 1000; // kept for a second module that has not come yet
const ABSENT = "F fully sharded, f in its unit, R replicated, I ignored. Marks, runs and other panels come from the kernel: a saved page without one can be read, folded and walked with the keys.";

const slot = (name: string, text = "") => h("div", { class: `slot ${name}` }, text);

export class Explorer implements Core {
  readonly root = h("div", { class: "shx", "data-kernel": "alive" });
  readonly slots = { tools: slot("tools"), top: slot("top"), edge: slot("edge"), side: slot("side"), tab: slot("tab note", ABSENT) };
  readonly detail = h("div", { class: "detail", "data-role": "detail" });
  readonly status = h("div", { class: "status", "data-role": "status", role: "status", "aria-live": "polite" });
  readonly talk: Conversation;
  readonly view = new TreeView({
    dress: (look, at) => this.#extras?.dress(look, at),
    press: (event, page) => this.#press(event, page),
    select: (row, extend) => this.moved(() => this.outline.select(row, extend)),
    toggle: (row) => this.#folded(() => this.outline.toggle(row)),
    split: (row) => this.#folded(() => this.outline.toggleSplit(row)),
    scrolled: () => this.#changed("scroll"),
  });
  outline!: Outline;
  written = "";
  #title = h("b", { "data-role": "title" });
  #totals = h("span", { class: "note", "data-role": "totals" });
  #extras?: Started;
  #unheard: { type?: string }[] = [];
  #ended = false;

  constructor(readonly model: Model) {
    this.talk = new Conversation((message) => model.send(message));
    const { tools, top, edge, side, tab } = this.slots;
    this.root.append(h("div", { class: "head" }, this.#title, " ", this.#totals), tools,
      h("div", { class: "body" }, h("div", { class: "outline" }, top, this.view.element), side), this.detail, this.status, tab);
    this.view.stage.append(edge);
  }

  /** Draws the tree anew: at the start, and when the model itself changed. */
  readTree = (): void => {
    try {
      const tree = parseTree(String(this.model.get("tree")));
      this.outline = new Outline(tree, parsePlan(this.#text("plan"), tree));
    } catch (error) {
      this.status.replaceChildren(h("b", {}, "The tree cannot be drawn"), h("p", {}, String(error)));
      return setAttributes(this.status, { "data-kind": "error" });
    }
    setText(this.#title, this.outline.tree.title);
    this.#restore(this.savedView());
    this.#changed("tree");
    return this.#showPlan();
  };

  readPlan = (): void => {
    if (!this.outline) return;
    this.outline.setPlan(parsePlan(this.#text("plan"), this.outline.tree));
    this.#showPlan();
  };

  #showPlan(): void {
    const { tree, plan } = this.outline;
    setText(this.#totals, totalsText(tree.size, plan));
    setAttributes(this.root, { "data-rev": plan.payload.rev });
    this.#changed("plan", "rows");
    this.#draw();
  }

  /** The kernel selects by writing the view; what this page wrote itself is no news. */
  readView = (): void => {
    const { selected = -1 } = this.savedView();
    if (this.#text("view") !== this.written && this.outline?.tree.names[selected] !== undefined) this.moved(() => this.outline.jump(selected));
  };

  hear = (message: { type?: string }): void => {
    if (message.type === "reply") this.talk.receive(message as Reply);
    if (this.#extras) this.#extras.hear(message);
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
        this.view.redraw();
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
    this.view.destroy();
    this.#extras?.destroy();
  }

  #text = (trait: string) => String(this.model.get(trait) ?? "");
  #changed = (...changes: Change[]) => this.#extras?.changed(...changes);

  savedView = (): View => JSON.parse(this.#text("view") || "{}") as View;

  /** Keys that edit are the second module's, and come first: letters walk too. */
  #press(event: KeyboardEvent, page: number): boolean {
    if (this.#extras?.press(event)) return true;
    const action = actionOf(event, page);
    if (action) this.act(action);
    return action !== null;
  }

  act(action: Action): void {
    const { outline } = this;
    switch (action.do) {
      case "move": return this.moved(() => outline.select(outline.focus + action.by, action.extend));
      case "edge": return this.moved(() => outline.select(action.end ? outline.rows.length - 1 : 0, action.extend));
      case "typeAhead": return this.moved(() => outline.typeAhead(action.char));
      case "open": case "close": case "enter": return this.moved(() => outline[action.do]());
      case "split": return this.#folded(() => outline.toggleSplit(outline.focus));
      case "openSiblings": case "openAll": case "closeAll": return this.#folded(() => outline[action.do]());
      case "leave": return this.#leave();
    }
  }

  /** Back to the notebook's cell. */
  #leave(): void {
    this.view.rows.blur();
    (this.root.getRootNode() as ShadowRoot).host.closest<HTMLElement>("[tabindex]")?.focus();
  }

  /** A change of the focus: its row is brought into view. */
  moved(change: () => void): void {
    change();
    this.#changed("focus", "rows");
    this.#draw(true);
  }

  /** A change of what is open: the reader keeps the place. */
  #folded(change: () => void): void {
    change();
    this.#changed("rows");
    this.#draw();
  }

  #draw = (follow = false) => this.view.draw(this.outline, follow);

  #restore({ hidden = [], compact, open, split = [], selected = -1 }: View): void {
    this.view.show(COLUMNS.filter(({ key }) => !hidden.includes(key)));
    if (compact) this.view.compact(true);
    if (open) this.outline.restore(open, split);
    if (selected >= 0 && selected < this.outline.tree.size) this.outline.jump(selected);
  }
}

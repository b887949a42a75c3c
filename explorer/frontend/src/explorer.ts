// The page that every reader needs: a tree with a plan on it, that can be read, folded and walked without a kernel. What
// edits, runs and explains comes as a second module and is started on it.
import { loadExtras } from "./chunk";
import { SUBTREE, UNIT } from "./columns";
import { Conversation, type Reply } from "./commands";
import { h, setAttributes, setText } from "./dom";
import type { Change } from "./extras/contract";
import type { Core, View } from "./extras/core";
import type { Model } from "./host";
import { actionOf, type Action } from "./keys";
import { Outline } from "./outline";
import { parseTree } from "./payload";
import { parsePlan } from "./plan";
import { TreeView } from "./tree";

const MESSAGES = 1000; // kept for a second module that has not come yet
const ABSENT = "F fully sharded, f in its unit, R replicated, I ignored. Edits, runs and panels come from the kernel; without one the tree can be read, folded and walked with the keys.";

export class Explorer implements Core {
  readonly root = h("div", { class: "shx", "data-kernel": "alive" });
  readonly panels = h("div", { class: "slot tab note" }, ABSENT);
  readonly status = h("div", { class: "status", "data-role": "status", role: "status", "aria-live": "polite" });
  readonly talk: Conversation;
  readonly view = new TreeView();
  outline!: Outline;
  restored = "";
  #title = h("b", { "data-role": "title" });
  readonly totals = h("span", { class: "note", "data-role": "totals" });
  #unheard: { type?: string }[] = [];
  #ended = false;

  constructor(readonly model: Model) {
    this.talk = new Conversation((message) => model.send(message));
    this.view.rows.addEventListener("click", (event) => this.#click(event));
    this.view.rows.addEventListener("keydown", (event) => this.#press(event) && event.preventDefault());
    this.root.append(h("div", { class: "head" }, this.#title, " ", this.totals),
      h("div", { class: "body" }, h("div", { class: "outline" }, this.view.element)), this.status, this.panels);
  }

  /** Draws the tree anew: at the start, and when the model itself changed. */
  readTree = (): void => {
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

  readPlan = (): void => {
    if (!this.outline) return;
    this.outline.plan = parsePlan(this.#trait("plan"), this.outline.tree);
    this.outline.rebuild();
    this.#showPlan();
  };

  #showPlan(): void {
    const { tree, plan } = this.outline;
    setText(this.totals, `${tree.size.toLocaleString("en")} modules`);
    setAttributes(this.root, { "data-rev": plan.payload.rev });
    this.#changed("plan", "rows");
    this.view.draw(this.outline);
  }

  hear = (message: { type?: string }): void => {
    if (message.type === "reply") this.talk.receive(message as Reply);
    if (this.view.extras) this.view.extras.hear(message);
    else if (this.#unheard.length < MESSAGES) this.#unheard.push(message);
  };

  /** The first paint has been seen: what is less urgent may come. */
  ready(): void {
    setAttributes(this.root, { "data-ready": 1 });
    if (!this.outline) return;
    loadExtras(this.talk).then(
      (extras) => {
        if (this.#ended) return;
        this.view.extras = extras.start(this);
        this.view.extras.started();
        for (const message of this.#unheard.splice(0)) this.hear(message);
      },
      (error: Error) => setText(this.panels, `The panels could not be loaded: ${error.message}`),
    );
  }

  destroy(): void {
    this.#ended = true;
    this.view.list.destroy();
    this.view.extras?.destroy();
  }

  #trait = (name: string) => String(this.model.get(name) ?? "");
  #changed = (...changes: Change[]) => this.view.extras?.changed(...changes);

  /** Keys that edit are the second module's, and come first: letters walk too. */
  #press(event: KeyboardEvent): boolean {
    if (this.view.extras?.press(event)) return true;
    const action = actionOf(event, this.view.list.page - 1);
    if (action) this.act(action);
    return action !== null;
  }

  #click({ target, shiftKey }: MouseEvent): void {
    const { cell } = (target as HTMLElement).dataset;
    const row = this.outline.rows[Number((target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset.row)];
    if (!row) return;
    if (cell === "fold" && this.outline.isParent(row)) this.#folded(() => this.outline.toggle(row));
    else if (cell === "times") this.#folded(() => this.outline.split(row));
    else this.moved(() => this.outline.select(row.at, shiftKey));
    this.view.takeFocus();
  }

  act(action: Action): void {
    const { outline } = this;
    if (action.do === "move") this.moved(() => outline.select(outline.focus + action.by, action.extend));
    else if (action.do === "typeAhead") this.moved(() => outline.typeAhead(action.char));
    else if (action.do === "open" || action.do === "close" || action.do === "enter") this.moved(() => outline[action.do]());
    else this.#folded(() => outline[action.do]());
  }

  /** A change of the focus: its row is brought into view. */
  moved(change: () => void): void {
    change();
    this.#changed("focus", "rows");
    this.view.draw(this.outline, true);
  }

  /** A change of what is open: the reader keeps the place. */
  #folded(change: () => void): void {
    change();
    this.#changed("rows");
    this.view.draw();
  }

  /** What was saved of the view: what is open and selected. */
  #restore(): void {
    this.restored = this.#trait("view");
    const { open, split, selected = -1 } = JSON.parse(this.restored || "{}") as View;
    this.view.show([SUBTREE, UNIT], false);
    if (open) this.outline.restore(open, split);
    if (selected >= 0 && selected < this.outline.tree.size) this.outline.jump(selected);
  }
}

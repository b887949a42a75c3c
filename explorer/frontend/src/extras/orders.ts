// The orders panel: the pre-order of the modules, the handles and both initialisation paths, side by side.
import { h, setAttributes, setText } from "../dom";
import { fqnOf, find, type Tree } from "../payload";
import type { Plan } from "./plan";
import { VirtualList } from "../virtual";
import type { Change, Page, Panel } from "./contract";

const LISTS: [key: string, label: string][] = [
  ["dfs", "DFS of the modules"],
  ["handles", "handles of the root"],
  ["init_composable", "I₁ composable init"],
  ["init_wrapper", "I₂ wrapper init"],
];
const ROW_HEIGHT = 22;

export class OrdersPanel implements Panel {
  readonly element: HTMLElement;
  private list: VirtualList;
  private title = h("p", { class: "note", "data-role": "orders-note" });
  private tree!: Tree;
  private plan!: Plan;

  constructor(private page: Page) {
    const attributes = { class: "order-rows", tabindex: 0, role: "region", "aria-label": "Orders" };
    this.list = new VirtualList(ROW_HEIGHT, attributes, makeRow, (element, at) => this.fill(element, at));
    this.list.view.addEventListener("click", (event) => {
      const fqn = (event.target as HTMLElement).dataset.target;
      if (fqn !== undefined) page.reveal(find(this.tree, fqn));
    });
    const heads = LISTS.map(([, label]) => h("span", {}, label));
    this.element = h("div", { "data-role": "orders" }, this.title, h("div", { class: "order order-heads" }, h("span", {}, "k"), ...heads), this.list.view);
  }

  update(changes: ReadonlySet<Change>): void {
    if (!changes.has("plan")) return;
    const { tree, plan } = this.page;
    this.tree = tree;
    this.plan = plan;
    const rows = Math.max(tree.size, ...LISTS.map(([key]) => plan.state.orders[key]?.length ?? 0));
    const [composable, wrapper] = [this.of("init_composable"), this.of("init_wrapper")];
    const differ = composable.filter((fqn, at) => fqn !== wrapper[at]).length;
    setText(this.title, composable.length ? `I₁ and I₂ differ in ${differ} of ${composable.length} places.` : "No unit yet: mark a module to see handles and initialisation.");
    this.list.view.style.height = `${Math.min(rows, 8) * ROW_HEIGHT}px`;
    this.list.show(rows);
  }

  destroy = () => this.list.destroy();

  private of = (key: string) => this.plan.state.orders[key] ?? [];

  private fill(element: HTMLElement, at: number): void {
    const [nth, ...cells] = element.children as unknown as HTMLElement[];
    setText(nth, String(at));
    const fqns = LISTS.map(([key]) => (key === "dfs" && at < this.tree.size ? fqnOf(this.tree, at) : this.of(key)[at]));
    cells.forEach((cell, column) => {
      const fqn = fqns[column];
      setText(cell, fqn === undefined ? "" : fqn || "(root)");
      const differs = column > 1 && fqns[2] !== fqns[3];
      setAttributes(cell, { "data-target": fqn ?? null, title: fqn || null, "data-differs": differs ? "1" : null });
    });
  }
}

function makeRow(): HTMLElement {
  return h("div", { class: "order" }, h("span"), ...LISTS.map(([key]) => h("span", { "data-order": key })));
}

// The panel of changes: what the plan says otherwise than an earlier one, which of them the reader chooses, as a list that
// jumps, and the lines of code that are gone and new. While it is on, the rows say it too.
import { button, h, setAttributes, setText } from "../dom";
import { fqnOf } from "../payload";
import { STATUS_WORDS } from "../words";
import { BASELINES, type Baseline } from "./baselines";
import type { Change, Page, Panel } from "./contract";
import { codeChanges, linesOf, SIGNS, type Line } from "./differing";

const SHOWN = 60; // lines; what is alike is one of them
const OFF = "Compares the plan with an earlier one, on the rows and here. Key: =";

export class ChangesPanel implements Panel {
  readonly element: HTMLElement;
  #since = h("select", { "data-role": "since", "aria-label": "What changed", change: () => this.page.review(this.#since.value as Baseline) },
    ...Object.entries(BASELINES).map(([value, label]) => h("option", { value }, `what changed ${label}`)));
  #toggle = button("review", "Show on the tree", "Show what changed, or stop (=)", () => this.page.review(this.page.changes.since ? null : (this.#since.value as Baseline)));
  #chips = h("b", { "data-role": "changes-note" });
  #list = h("ol", { class: "changes", "data-role": "changes", "aria-label": "Changes", click: (event: MouseEvent) => this.#jump(event) });
  #code = h("pre", { "data-role": "changed-code", tabindex: 0, "aria-label": "Lines of code that changed" });
  #lines: Line[] = [];
  #went = new Map<number, number>(); // by line: which of its modules comes next

  constructor(private page: Page) {
    this.element = h("div", { "data-role": "changes-panel" }, h("div", { class: "bar" }, this.#since, this.#toggle, this.#chips), this.#list, this.#code);
  }

  update(changes: ReadonlySet<Change>): void {
    if (!["tree", "plan", "run", "changes"].some((change) => changes.has(change as Change))) return;
    const { since, difference, baselines } = this.page.changes;
    for (const option of this.#since.options) option.disabled = baselines.of(option.value as Baseline) === null;
    if (since) this.#since.value = since;
    setText(this.#toggle, since ? "Stop (=)" : "Show on the tree");
    setAttributes(this.#toggle, { "aria-pressed": since !== null });
    setText(this.#chips, since ? this.page.changes.summary : OFF);
    this.#lines = difference ? linesOf(this.page.tree, difference, this.page.plan) : [];
    this.#went.clear();
    this.#list.hidden = this.#lines.length === 0;
    this.#list.replaceChildren(...this.#lines.slice(0, SHOWN).map((line, at) => h("li", {}, this.#line(line, at))), ...this.#more());
    this.#showCode(difference?.before.state.code);
  }

  destroy = () => undefined;

  #line({ kind, name, was, is, nodes }: Line, at: number): HTMLElement {
    const times = nodes.length > 1 ? ` ×${nodes.length.toLocaleString("en")}` : "";
    const words = was === is ? `${STATUS_WORDS[is]}, other settings or modules` : `${STATUS_WORDS[was]} → ${STATUS_WORDS[is]}`;
    return h("button", { type: "button", class: "link", "data-change": kind, "data-line": at, title: times ? "Goes to the next of them" : "Goes there" },
      h("b", {}, SIGNS[kind]), ` ${name || "(root)"}${times}`, h("span", { class: "note" }, ` ${words}`));
  }

  #more(): HTMLElement[] {
    const left = this.#lines.length - SHOWN;
    return left > 0 ? [h("li", { class: "note" }, `and ${left.toLocaleString("en")} more lines`)] : [];
  }

  /** To the first module of a line, then to the next one. */
  #jump({ target }: MouseEvent): void {
    const at = (target as HTMLElement).closest<HTMLElement>("[data-line]")?.dataset.line;
    if (at === undefined) return;
    const { nodes } = this.#lines[Number(at)];
    const next = this.#went.get(Number(at)) ?? 0;
    this.#went.set(Number(at), (next + 1) % nodes.length);
    this.page.reveal(nodes[next]);
    this.page.tell(`${fqnOf(this.page.tree, nodes[next]) || "the root module"}: change ${next + 1} of ${nodes.length}.`);
  }

  #showCode(before?: string): void {
    const { gone, fresh } = before === undefined ? { gone: [], fresh: [] } : codeChanges(before, this.page.plan.state.code);
    this.#code.hidden = gone.length + fresh.length === 0;
    setText(this.#code, [...gone.map((line) => `− ${line}`), ...fresh.map((line) => `+ ${line}`)].join("\n"));
  }
}

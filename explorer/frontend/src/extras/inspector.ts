// The inspector: the focused module looked at closely. Python is asked a moment after the reader stops moving; what comes
// for a module that is no longer focused is dropped.
import { button, h, setAttributes, setText } from "../dom";
import { find } from "../payload";
import { bytesText } from "./amounts";
import type { Change, Page, Panel } from "./contract";
import type { Costs } from "./costs";
import { belongs, costOfUnit, nameOf, paramFacts, paramTitle, type Inspection } from "./inspection";

const DELAY_MS = 120;
const SHOWN = 12; // parameters and remarks in full
const ROOMY = 1000; // pixels of page from which it opens by itself

export class Inspector implements Panel {
  private toggle = h("button", { type: "button", class: "inspector-toggle", "data-cmd": "inspector", click: () => this.open(this.body.hidden === true) }, "Inspector");
  private title = h("h4", { "data-role": "inspected" });
  private why = h("p", { "data-role": "why" });
  private owner = h("p", { class: "note", "data-role": "belongs" });
  private costs = h("p", { class: "note", "data-role": "unit-costs" });
  private params = h("ul", { "data-role": "params" });
  private remarks = h("ul", { class: "remarks", "data-role": "remarks" });
  private code = h("pre", { tabindex: 0, "data-role": "inspected-code", "aria-label": "Code that makes it so" });
  private body = h("div", { class: "inspector-body", role: "region", "aria-label": "Inspector", tabindex: 0 },
    this.title, this.why, this.owner, this.costs, this.params, this.remarks, this.code);
  readonly element = h("div", { class: "inspector", "data-role": "inspector" }, this.toggle, this.body);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private shown: Inspection | null = null;

  constructor(private page: Page) {
    this.open(page.root.clientWidth >= ROOMY);
  }

  update(changes: ReadonlySet<Change>): void {
    if (["tree", "plan", "focus", "rows"].some((change) => changes.has(change as Change))) this.lookSoon();
    else if (changes.has("costs") && this.shown) this.showCosts(this.shown);
  }

  destroy(): void {
    clearTimeout(this.timer);
    this.asked++;
  }

  private open(open: boolean): void {
    this.body.hidden = !open;
    setAttributes(this.toggle, { "aria-expanded": open, title: open ? "Hide what is known of the focused module" : "Show what is known of the focused module" });
    if (open) this.lookSoon();
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    if (!this.body.hidden) this.timer = setTimeout(() => void this.look(), DELAY_MS);
  }

  private async look(): Promise<void> {
    const mine = ++this.asked;
    const { focused, rows, focus } = this.page;
    const { times } = rows[focus];
    setAttributes(this.body, { "aria-busy": "true" });
    const reply = await this.page.ask("inspect", { index: focused });
    if (mine !== this.asked) return;
    setAttributes(this.body, { "aria-busy": null });
    if (reply.ok) this.show(reply.value as Inspection, times);
    else this.fail(`${reply.error?.title}: ${reply.error?.detail}`);
  }

  private fail(text: string): void {
    this.shown = null;
    setText(this.title, "Not known");
    setText(this.why, text);
    for (const part of [this.owner, this.costs, this.params, this.remarks, this.code]) part.hidden = true;
  }

  private show(looked: Inspection, times: number): void {
    this.shown = looked;
    const alike = times > 1 ? `, the first of ${times} alike` : "";
    setText(this.title, `${nameOf(looked.fqn)} · ${looked.cls} · #${looked.index}${alike}`);
    setText(this.why, looked.why);
    this.showOwner(looked);
    this.showCosts(looked);
    this.showParams(looked);
    this.showRemarks(looked);
    setText(this.code, looked.code.join("\n"));
    this.code.hidden = looked.code.length === 0;
  }

  private showOwner(looked: Inspection): void {
    const names = looked.names.length > 1 ? ` Also called ${looked.names.slice(1, 4).join(", ")}.` : "";
    const text = belongs(looked);
    const jump = looked.unit_fqn !== null && looked.unit_fqn !== looked.fqn ? [" ", this.jump(looked.unit_fqn)] : [];
    this.owner.replaceChildren(text ? `${text}.${names}` : names, ...jump);
    this.owner.hidden = !text && !names;
  }

  private showCosts({ unit }: Inspection): void {
    const cost = costOfUnit(this.page.trait("costs") as Costs | null, this.page.plan.state.rev, unit);
    this.costs.hidden = unit === null;
    if (cost) {
      this.costs.replaceChildren(`Its unit: ${bytesText(cost.unsharded_nbytes)} gathered, ${bytesText(cost.shard_nbytes)} on a rank; ` +
        `${cost.frees_after_forward ? "frees" : "keeps"} it after forward (${cost.reason}); a rank sends ${bytesText(cost.sent_nbytes)} for it in a step.`);
    } else this.costs.replaceChildren(this.link("What its unit costs", () => this.page.open("costs")));
  }

  private showParams({ params, fqn, world_size }: Inspection): void {
    const items = params.slice(0, SHOWN).map((param) => h("li", {}, h("b", {}, paramTitle(param, fqn)), h("br"), paramFacts(param, world_size)));
    if (params.length > SHOWN) items.push(h("li", {}, `and ${params.length - SHOWN} more parameters`));
    if (params.length === 0) items.push(h("li", { class: "note" }, "It has no parameters of its own."));
    this.params.replaceChildren(...items);
    this.params.hidden = false;
  }

  private showRemarks({ findings, conflicts }: Inspection): void {
    const all = [
      ...conflicts.map(({ message, fix }) => ({ severity: "conflict", message, advice: fix })),
      ...findings,
    ].slice(0, SHOWN);
    this.remarks.replaceChildren(...all.map(({ severity, message, advice }) => h("li", { "data-severity": severity }, h("b", {}, severity), ` ${message}`, h("br"), advice)));
    if (all.length) this.remarks.append(h("li", {}, this.link("All findings", () => this.page.open("findings"))));
    this.remarks.hidden = all.length === 0;
  }

  private jump(fqn: string): HTMLElement {
    return this.link(`Go to ${nameOf(fqn)}`, () => {
      const node = find(this.page.tree, fqn);
      if (node >= 0) this.page.reveal(node);
    });
  }

  private link(text: string, press: () => void): HTMLButtonElement {
    const made = button("go", text, text, press);
    made.classList.add("link");
    return made;
  }
}

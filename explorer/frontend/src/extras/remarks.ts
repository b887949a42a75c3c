// The findings panel: what cannot run and what deserves a look, each with its advice; a click goes to the module.
import { h } from "../dom";
import type { Remark } from "./plan";
import type { Change, Page, Panel } from "./contract";

const SHOWN = 40;

export class RemarksPanel implements Panel {
  private list = h("ul", { class: "remarks", "data-role": "findings" });
  readonly element = h("div", {}, this.list);

  constructor(private page: Page) {}

  update(changes: ReadonlySet<Change>): void {
    if (!changes.has("plan")) return;
    const { state } = this.page.plan;
    const all = [...state.conflicts.map((remark) => ({ ...remark, severity: "conflict" })), ...state.findings];
    const items = all.slice(0, SHOWN).map((remark) => this.item(remark));
    if (all.length > SHOWN) items.push(h("li", {}, `and ${all.length - SHOWN} more`));
    if (all.length === 0) items.push(h("li", { class: "note" }, "Nothing to report: this plan can run."));
    this.list.replaceChildren(...items);
  }

  destroy = () => undefined;

  private item(remark: Remark): HTMLElement {
    const severity = remark.severity ?? "warn";
    const places = remark.fqns.slice(0, 4).map((fqn, nth) => {
      const node = remark.indices[nth] ?? 0;
      return h("button", { type: "button", class: "link", "data-jump": node, click: () => this.page.reveal(node) }, fqn || "(root)");
    });
    const rest = remark.fqns.length > 4 ? ` and ${remark.fqns.length - 4} more` : "";
    return h("li", { "data-severity": severity, "data-kind": remark.kind },
      h("b", {}, severity), " ", ...places, rest, h("p", {}, remark.message), h("p", { class: "note" }, remark.fix ?? remark.advice ?? ""));
  }
}

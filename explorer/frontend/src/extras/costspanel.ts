// The costs panel: what the plan costs on so many ranks, part by part, and what it would cost otherwise.
import { h, setAttributes, setText } from "../dom";
import { find } from "../payload";
import { bytesText, count } from "./amounts";
import type { Change, Page, Panel, Refusal } from "./contract";
import { COLLECTIVE_COLUMNS, GROUP_COLUMNS, RANK_COLUMNS, settingText, UNIT_COLUMNS, type Costs, type Peak, type WhatIf } from "./costs";
import { Curtain } from "./curtain";
import { PeakView } from "./peak";
import { StepTimeView } from "./steptime";
import { TextTable } from "./table";
import { WhatIfForm } from "./whatif";

const SEEN = 8; // rows of a table before it scrolls

export class CostsPanel implements Panel {
  readonly element: HTMLElement;
  private curtain: Curtain;
  private form = new WhatIfForm((fields) => this.ask(fields));
  private setting = h("p", { class: "note", "data-role": "costs-setting" });
  private refused = h("div", { class: "error", role: "alert", "data-role": "costs-refused" });
  private totals = h("p", { "data-role": "costs-totals" });
  private peak = new PeakView();
  private time = new StepTimeView();
  private units = new TextTable("costs-units", "Costs of the units", UNIT_COLUMNS, SEEN, (row) => this.jump(row.fqn));
  private ranks = new TextTable("costs-ranks", "What each rank keeps between steps", RANK_COLUMNS, SEEN);
  private collectives = new TextTable("costs-collectives", "Collectives of a step", COLLECTIVE_COLUMNS, SEEN);
  private groups = new TextTable("costs-groups", "Replicate groups", GROUP_COLUMNS, 4, (row) => this.jump(row.fqn));
  private notes = h("ul", { class: "cost-notes", "data-role": "costs-notes" });
  private parts: HTMLDetailsElement[];
  private asked = false;
  private before: { setting: string; peak: number | null } = { setting: "", peak: null };
  private now: { setting: string; peak: number | null } = { setting: "", peak: null };

  constructor(private page: Page) {
    this.parts = [
      part("Units", this.units.element, true), part("Ranks, between steps", this.ranks.element), part("Collectives", this.collectives.element),
      part("Replicate groups", this.groups.element), part("What is assumed and left out", this.notes),
    ];
    for (const each of this.parts) each.addEventListener("toggle", () => this.repaint());
    const content = h("div", { class: "costs", "data-role": "costs" }, this.form.element, this.setting, this.refused, this.totals, this.peak.element, this.time.element, ...this.parts);
    this.curtain = new Curtain(content, (shown) => shown && this.repaint());
    this.element = this.curtain.element;
  }

  update(changes: ReadonlySet<Change>): void {
    const costs = this.page.trait("costs") as Costs | null;
    if (costs === null) return this.begin();
    if (["costs", "tree"].some((change) => changes.has(change as Change))) this.show(costs);
    return undefined;
  }

  destroy(): void {
    this.curtain.destroy();
    for (const table of this.tables) table.destroy();
  }

  private get tables() {
    return [this.units, this.ranks, this.collectives, this.groups];
  }

  /** Costs are worked out when somebody first asks. */
  private begin(): void {
    setText(this.setting, "Asking for the costs of this plan …");
    this.sections(false);
    if (this.asked) return;
    this.asked = true;
    void this.ask({}).then((wrong) => wrong && setText(this.setting, `${wrong.title}: ${wrong.detail}`));
  }

  private async ask(fields: Partial<WhatIf>): Promise<Refusal | null> {
    const reply = await this.page.ask("what_if", fields);
    return reply.ok ? null : (reply.error ?? { title: "The kernel refused", detail: "It gave no reason." });
  }

  private show(costs: Costs): void {
    this.form.show(costs);
    setText(this.setting, `For ${settingText(costs.what_if)}.`);
    setText(this.refused, costs.refused ? `${costs.refused.title}: ${costs.refused.detail}` : "");
    this.refused.hidden = !costs.refused;
    this.sections(!costs.refused);
    if (costs.refused) return;
    this.remember(costs);
    setText(this.totals, totalsText(costs.totals));
    this.peak.show(costs.peak as Peak, this.before.setting && this.before.setting !== this.now.setting ? this.before.peak : null);
    this.time.element.hidden = costs.time === null;
    if (costs.time) this.time.show(costs.time);
    this.tabulate(costs);
  }

  private tabulate(costs: Costs): void {
    this.units.show(costs.units);
    this.ranks.show(costs.per_rank);
    this.collectives.show(costs.collectives);
    this.groups.show(costs.groups);
    this.notes.replaceChildren(...costs.notes.map(([kind, text]) => h("li", {}, h("b", {}, kind.replaceAll("_", " ")), ` ${text}`)));
    const sizes = [costs.totals.units ?? costs.units.length, costs.what_if.world_size, costs.totals.collectives ?? 0, costs.groups.length, costs.notes.length];
    this.parts.forEach((each, nth) => {
      each.hidden = sizes[nth] === 0;
      const summary = each.firstElementChild as HTMLElement;
      setText(summary, `${summary.dataset.name}: ${count(sizes[nth])}${nth === 1 ? copiesText(costs) : ""}`);
    });
  }

  private remember(costs: Costs): void {
    const setting = settingText(costs.what_if);
    const peak = costs.peak.nbytes ?? null;
    if (setting !== this.now.setting) this.before = this.now;
    this.now = { setting, peak };
  }

  private sections(shown: boolean): void {
    for (const each of [this.totals, this.peak.element, this.time.element, ...this.parts]) each.hidden = !shown;
  }

  private repaint(): void {
    for (const table of this.tables) table.repaint();
  }

  private jump(fqn: string): void {
    const node = find(this.page.tree, fqn);
    if (node >= 0) this.page.reveal(node);
  }
}

function part(name: string, content: HTMLElement, open = false): HTMLDetailsElement {
  const details = h("details", {}, h("summary", { "data-name": name }, name), content);
  setAttributes(details, { open: open ? "" : null });
  return details;
}

/** Ranks that hold copies of the same pieces are listed once. */
function copiesText({ per_rank, what_if }: Costs): string {
  const listed = (per_rank.at(-1)?.ranks[1] ?? 0) + 1;
  return listed < what_if.world_size ? `, ${what_if.world_size / listed} copies of these ${listed}` : "";
}

function totalsText(totals: Record<string, number>): string {
  const small = totals.small_messages ? `, ${count(totals.small_messages)} of them under 1 MiB` : "";
  return `A rank keeps ${bytesText(totals.shard_nbytes)} of parameters (${bytesText(totals.padding_nbytes)} padding); ` +
    `a step has ${count(totals.collectives)} collectives${small}, for which a rank sends ${bytesText(totals.sent_nbytes)}.`;
}

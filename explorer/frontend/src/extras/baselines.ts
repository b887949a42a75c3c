// The plans a reader may compare the present one with: the first one that this page saw, the one that the last run
// used, and the one before the last edit. No DOM.
import type { Plan } from "./plan";

export type Baseline = "opened" | "run" | "edit";

export const BASELINES: Record<Baseline, string> = { opened: "since this page was opened", run: "since the last run began", edit: "by the last edit" };

export class Baselines {
  #plans: Partial<Record<Baseline, Plan>> = {};
  #now: Plan | null = null;
  #run: string | null = null; // null: nothing heard yet

  of = (baseline: Baseline): Plan | null => this.#plans[baseline] ?? null;

  /** Another plan is shown. */
  plan(plan: Plan): void {
    if (this.#now?.state.rev === plan.state.rev) return void (this.#now = plan);
    if (this.#now) this.#plans.edit = this.#now;
    this.#plans.opened ??= plan;
    this.#now = plan;
  }

  /** A run has an id of its own: another one began with the plan as it is. Of one before this page nothing is known. */
  run(id: string): boolean {
    const began = this.#run !== null && id !== "" && id !== this.#run;
    if (began && this.#now) this.#plans.run = this.#now;
    this.#run = id;
    return began;
  }

  /** The model is another one: nothing before it can be compared. */
  forget(): void {
    this.#plans = {};
    this.#now = null;
  }
}

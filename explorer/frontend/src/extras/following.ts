// A run followed live: the trait is the truth, batches come between, and its start and end are told whoever caused them.
import type { Reply } from "../commands";
import type { Core } from "./core";
import { executionOf } from "./execution";
import { isLive, merge, NO_RUN, parseRun, phaseText, type RunState } from "./run";

export class Following {
  run: RunState = NO_RUN;

  constructor(private core: Core, private changed: () => void, private costsChanged: () => void, private compared: () => void) {
    core.model.on("change:run", this.#read);
    core.model.on("change:costs", this.costsChanged);
    core.model.on("change:comparison", this.compared);
    this.#read();
  }

  hear(message: { type?: string }): void {
    if (message.type === "run") this.#follow(merge(this.run, message as Partial<RunState>));
    else if (message.type === "notice") this.core.status.refuse((message as Reply).error!);
  }

  destroy(): void {
    this.core.model.off("change:run", this.#read);
    this.core.model.off("change:costs", this.costsChanged);
    this.core.model.off("change:comparison", this.compared);
  }

  #read = (): void => this.#follow(parseRun(String(this.core.model.get("run") ?? "")));

  /** A refusal still to be read outlives the end of a run. */
  #follow(run: RunState): void {
    const [was, is] = [isLive(this.run), isLive(run)];
    const { events } = this.run;
    this.run = run;
    if (run.events !== events) this.core.view.execute(executionOf(run.events));
    const { status } = this.core;
    if (is && !was) status.tell("The run has started.");
    else if (was && !is && !status.failing) status.tell(phaseText(run));
    this.changed();
  }
}

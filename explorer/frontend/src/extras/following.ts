// A run followed live: the trait is the truth, batches come between, and its start and end are told whoever caused them.
import type { Reply } from "../commands";
import type { Model } from "../host";
import type { Change } from "./contract";
import { executionOf, type Execution } from "./execution";
import { isLive, merge, NO_RUN, parseRun, phaseText, type RunState } from "./run";
import type { StatusLine } from "./status";

export class Following {
  run: RunState = NO_RUN;

  constructor(private model: Model, private status: StatusLine, private changed: (change: Change) => void, private executed: (order: Execution) => void) {
    model.on("change:run", this.#read);
    model.on("change:costs", this.#costsChanged);
    model.on("change:comparison", this.#compared);
    this.#read();
  }

  hear(message: { type?: string }): void {
    if (message.type === "run") this.#follow(merge(this.run, message as Partial<RunState>));
    else if (message.type === "notice") this.status.refuse((message as Reply).error!);
  }

  destroy(): void {
    this.model.off("change:run", this.#read);
    this.model.off("change:costs", this.#costsChanged);
    this.model.off("change:comparison", this.#compared);
  }

  #costsChanged = () => this.changed("costs");
  #compared = () => this.changed("comparison");

  #read = (): void => this.#follow(parseRun(String(this.model.get("run") ?? "")));

  /** A refusal still to be read outlives the end of a run. */
  #follow(run: RunState): void {
    const [was, is] = [isLive(this.run), isLive(run)];
    const { events } = this.run;
    this.run = run;
    if (run.events !== events) this.executed(executionOf(run.events));
    const { status } = this;
    if (is && !was) status.tell("The run has started.");
    else if (was && !is && !status.failing) status.tell(phaseText(run));
    this.changed("run");
  }
}

// Edits: a key or a button becomes a command, is painted at once, and confirmed or taken back by Python's one reply.
import { h, setAttributes } from "../dom";
import type { Action, Verb } from "../keys";
import type { Core } from "./core";
import { runsOf } from "./runlist";

const LETTERS: Record<Verb, string> = { fully_shard: "F", replicate: "R", ignore: "I", clear: "u" };
const TOLD: Record<string, string> = { run: "The run has started.", stop: "The run is being stopped.", undo: "Undone.", redo: "Redone." };
const GONE = "No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a restart.";

export class Editing {
  /** Seen while the kernel is silent. */
  readonly gone = h("div", { class: "gone", "data-role": "gone", role: "alert" }, GONE);

  constructor(private core: Core, private isLive: () => boolean) {
    this.gone.hidden = true;
    core.talk.onSilence = (silent) => {
      this.gone.hidden = !silent;
      setAttributes(core.root, { "data-kernel": silent ? "gone" : "alive" });
    };
  }

  act(action: Action): void {
    switch (action.do) {
      case "mark": return this.#edit("mark", { verb: action.verb });
      case "group": return this.#edit("group");
      case "undo": case "redo": return void this.command(action.do);
      case "find": return this.core.root.querySelector<HTMLElement>('[data-role="find"]')?.focus();
    }
  }

  command = async (cmd: string, fields: object = {}, marks: readonly number[] = []): Promise<boolean> => {
    const { root, talk, view, status, outline } = this.core;
    const { verb } = fields as { verb?: Verb };
    view.pend(marks, LETTERS[verb ?? "fully_shard"]);
    setAttributes(root, { "data-waiting": cmd });
    const reply = await talk.ask(cmd, fields);
    setAttributes(root, { "data-waiting": null });
    view.pend(reply.ok ? [] : marks);
    if (!reply.ok) status.refuse(reply.error ?? { title: "The kernel refused", detail: "It gave no reason." });
    else if (cmd !== "stop" || this.isLive()) status.tell(TOLD[cmd] ?? (outline.plan.state.last || cmd));
    return reply.ok;
  };

  /** An edit of what is selected; a reference alone is no module to mark. */
  #edit(cmd: string, fields: object = {}): void {
    const indices = this.core.outline.selectedIndices();
    if (indices.length) void this.command(cmd, { ...fields, indices: runsOf(indices) }, indices);
    else this.core.status.refuse({ title: "This row is a reference", detail: "Its module is listed elsewhere: Enter goes there, then mark it." });
  }
}

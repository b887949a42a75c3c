// Edits: a key or a button becomes a command, is painted at once, and confirmed or taken back by Python's one reply.
import { h, setAttributes } from "../dom";
import type { Core } from "./core";
import type { Dressing } from "./dressing";
import type { Edit, Verb } from "./keys";
import type { Patience } from "./patience";
import { wholePlan } from "./plan";
import { runsOf } from "./runlist";
import { selectedModules, selectLike } from "./selection";
import type { StatusLine } from "./status";

const LETTERS: Record<Verb, string> = { fully_shard: "F", replicate: "R", ignore: "I", clear: "u" };
const TOLD: Record<string, string> = { run: "The run has started.", stop: "The run is being stopped.", undo: "Undone.", redo: "Redone." };
const GONE = "No answer from the kernel for 10 seconds: it is busy, or gone. What is shown is its last state; run the cell again after a restart.";

export class Editing {
  /** Seen while the kernel is silent. */
  readonly gone = h("div", { class: "gone", "data-role": "gone", role: "alert" }, GONE);

  constructor(private core: Core, private patience: Patience, private dressing: Dressing, private status: StatusLine, private isLive: () => boolean) {
    this.gone.hidden = true;
  }

  silent(silent: boolean): void {
    this.gone.hidden = !silent;
    setAttributes(this.core.root, { "data-kernel": silent ? "gone" : "alive" });
  }

  act = (edit: Exclude<Edit, { do: "review" | "boundary" }>): void => {
    switch (edit.do) {
      case "mark": return this.#edit("mark", { verb: edit.verb });
      case "group": return this.#edit("group");
      case "undo": case "redo": return void this.command(edit.do);
      case "find": return this.core.root.querySelector<HTMLElement>('[data-role="find"]')?.focus();
      case "leave": return this.#leave();
      case "selectLike": return this.core.moved(() => selectLike(this.core.outline));
    }
  };

  command = async (cmd: string, fields: object = {}, marks: readonly number[] = []): Promise<boolean> => {
    const { dressing, status } = this;
    const { root, outline } = this.core;
    const { verb } = fields as { verb?: Verb };
    dressing.pend(marks, LETTERS[verb ?? "fully_shard"]);
    setAttributes(root, { "data-waiting": cmd });
    const reply = await this.patience.ask(cmd, fields);
    setAttributes(root, { "data-waiting": null });
    dressing.pend(reply.ok ? [] : marks);
    if (!reply.ok) status.refuse(reply.error ?? { title: "The kernel refused", detail: "It gave no reason." });
    else if (cmd !== "stop" || this.isLive()) status.tell(TOLD[cmd] ?? (wholePlan(outline.tree, outline.plan).state.last || cmd));
    return reply.ok;
  };

  /** Back to the notebook's cell. */
  #leave(): void {
    const { view, root } = this.core;
    view.rows.blur();
    (root.getRootNode() as ShadowRoot).host.closest<HTMLElement>("[tabindex]")?.focus();
  }

  /** An edit of what is selected; a reference alone is no module to mark. */
  #edit(cmd: string, fields: object = {}): void {
    const indices = selectedModules(this.core.outline);
    if (indices.length) void this.command(cmd, { ...fields, indices: runsOf(indices) }, indices);
    else this.status.refuse({ title: "This row is a reference", detail: "Its module is listed elsewhere: Enter goes there, then mark it." });
  }
}

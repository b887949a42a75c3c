// The code panel: the line that repeats the last edit and the lines that repeat the plan, both to be copied.
import { button, h, setText } from "../dom";
import type { Change, Page, Panel } from "./contract";

export class CodePanel implements Panel {
  readonly element: HTMLElement;
  private last = h("code", { "data-role": "last-code" });
  private whole = h("pre", { "data-role": "code", tabindex: 0 });

  constructor(private page: Page) {
    const copy = (cmd: string, source: HTMLElement) =>
      button(cmd, "Copy", "Copy to the clipboard", () => void copyText(source.textContent ?? "").then((told) => page.tell(told)));
    this.element = h("div", { class: "code" },
      h("p", {}, "Last edit: ", this.last, " ", copy("copy_last", this.last)),
      h("p", {}, "The whole plan: ", copy("copy_code", this.whole)), this.whole);
  }

  update(changes: ReadonlySet<Change>): void {
    if (!changes.has("plan")) return;
    const { state } = this.page.plan;
    setText(this.last, state.last || "none yet");
    setText(this.whole, state.code || "plan = Plan()");
  }

  destroy = () => undefined;
}

async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return "The page may not write to the clipboard: select the text and copy it by hand.";
  }
}

// The line under the tree that says what an edit did, or why it was refused. Text goes in as text.
import { h, setAttributes } from "../dom";
import type { Refusal } from "./contract";

export class StatusLine {
  constructor(private element: HTMLElement) {}

  get failing(): boolean {
    return this.element.dataset.kind === "error";
  }

  get empty(): boolean {
    return this.element.textContent === "";
  }

  tell(text: string): void {
    this.element.replaceChildren(text);
    setAttributes(this.element, { "data-kind": "told" });
  }

  refuse({ title, detail }: Refusal): void {
    this.element.replaceChildren(h("b", {}, title), h("p", {}, detail));
    setAttributes(this.element, { "data-kind": "error" });
  }
}

// A panel behind a tab that nobody looks at costs no elements: its content leaves the document and comes back.
import { h } from "../dom";

export class Curtain {
  readonly element: HTMLElement;
  private observer: ResizeObserver;
  private shown = false;

  /** `turned` hears when the content has come into sight or gone. */
  constructor(private content: HTMLElement, private turned: (shown: boolean) => void) {
    this.element = h("div", {}, content);
    this.observer = new ResizeObserver(() => this.look());
    this.observer.observe(this.element);
  }

  destroy = (): void => this.observer.disconnect();

  private look(): void {
    const shown = this.element.clientWidth > 0;
    if (shown === this.shown) return;
    this.shown = shown;
    if (shown) this.element.append(this.content);
    else this.content.remove();
    this.turned(shown);
  }
}

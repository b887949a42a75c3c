// What the notebook gives a view: the model behind it. The few calls used, so that a test can play them.

export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(message: object): void;
  on(event: string, callback: (message: never) => void): void;
  off(event: string, callback: (message: never) => void): void;
}

/** Keys and clicks of the widget stay in it: notebooks bind single letters to dangerous things. */
export function keepEvents(element: HTMLElement): void {
  element.setAttribute("data-lm-suppress-shortcuts", "true"); // Lab listens before us, in the capture phase
  for (const kind of ["keydown", "keyup", "keypress", "paste", "copy", "cut"]) {
    element.addEventListener(kind, (event) => event.stopPropagation());
  }
}

// Elements from a tag, attributes and children. Strings become text nodes, never markup.

export type Attributes = Record<string, string | number | ((event: never) => void)>;

const SVG = "http://www.w3.org/2000/svg";

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  return dress(document.createElement(tag), attributes, children);
}

export function svg(tag: string, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElement {
  return dress(document.createElementNS(SVG, tag) as SVGElement, attributes, children);
}

function dress<E extends Element>(element: E, attributes: Attributes, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Writes text only where it differs: unchanged live regions stay silent, unchanged rows are not laid out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export type Value = string | number | boolean | null; // null: no such attribute

export function setAttributes(element: Element, attributes: Record<string, Value>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/** Gives an element that many children. */
export function fit(element: Element, count: number, make: () => Element): void {
  while (element.children.length < count) element.append(make());
  while (element.children.length > count) element.lastElementChild!.remove();
}

export function button(cmd: string, label: string, title: string, press: () => void): HTMLButtonElement {
  return h("button", { type: "button", "data-cmd": cmd, title, click: press }, label);
}

// Elements from a tag, attributes and children. Strings become text nodes, never markup.

type Attributes = Record<string, string | number | ((event: never) => void)>;

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

export function setAttributes(element: Element, attributes: Record<string, string | number | boolean | null>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

export function button(cmd: string, label: string, title: string, press: () => void): HTMLButtonElement {
  return h("button", { type: "button", "data-cmd": cmd, title, click: press }, label);
}

// The places of panels around the tree, for which the first module has left room.
import { h } from "../dom";
import type { Slot } from "./contract";
import type { Core } from "./core";

const slot = (name: string) => h("div", { class: `slot ${name}` });

export function slotsIn({ root, view, panels }: Core): Record<Slot, HTMLElement> {
  const slots = { tools: slot("tools"), top: slot("top"), edge: slot("edge"), side: slot("side"), tab: panels };
  root.querySelector(".head")!.after(slots.tools);
  root.querySelector(".body")!.append(slots.side);
  view.element.before(slots.top);
  view.stage.append(slots.edge);
  return slots;
}

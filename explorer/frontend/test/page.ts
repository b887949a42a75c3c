// A view in jsdom with a model played by hand: what it sends, and what Python would answer.
import "./browser";
import { afterEach, beforeEach, expect, vi } from "vitest";
import extras from "../src/extras/entry";
import { materialise, type TreePayload } from "../src/payload";
import widget from "../src/widget";
import { payloadOf, stack, unitPerBlock, type PlanState } from "./shapes";

const DIGEST = "of-the-sources"; // stands for the built second module: jsdom imports no blob
(globalThis as Record<symbol, unknown>)[Symbol.for("sharding-explorer.chunks")] = new Map([[DIGEST, Promise.resolve(extras)]]);

export class FakeModel {
  sent: { id: string; cmd: string }[] = []; // without the request of the second module
  kernel = true;
  private heard = new Map<string, ((message: never) => void)[]>();
  save_changes = vi.fn();
  constructor(public state: Record<string, string>) {}
  get = (name: string) => this.state[name];
  set = (name: string, value: unknown) => void (this.state[name] = String(value));
  send = (message: object) => {
    const { id, cmd } = message as { id: string; cmd: string };
    if (cmd !== "chunk") this.sent.push(message as { id: string; cmd: string });
    else if (this.kernel) this.emit("msg:custom", { type: "reply", id, ok: true, value: { digest: DIGEST, text: null } });
  };
  on = (event: string, callback: (message: never) => void) => void this.heard.set(event, [...(this.heard.get(event) ?? []), callback]);
  off = (event: string, callback: unknown) => void this.heard.set(event, (this.heard.get(event) ?? []).filter((one) => one !== callback));
  emit = (event: string, message: unknown = undefined) => this.heard.get(event)?.forEach((callback) => callback(message as never));
  listeners = () => [...this.heard.values()].flat().length;
  publish(name: string, value: object) {
    this.state[name] = JSON.stringify(name === "plan" ? sent(value) : value);
    this.emit(`change:${name}`);
  }
  answer(more: object = {}) {
    this.emit("msg:custom", { type: "reply", id: this.sent.at(-1)!.id, ok: true, ...more });
    return vi.waitFor(() => expect($(".shx").dataset.waiting).toBeUndefined());
  }
}

/** A plan as Python sends it, for those that tests write out. */
const sent = (plan: object, size = materialise(stack(12)).size) => ("status" in plan ? payloadOf(plan as PlanState, size) : plan);

export let host: HTMLElement;
export let model: FakeModel;
export let remove: () => void;

export const $ = (selector: string) => host.shadowRoot!.querySelector<HTMLElement>(selector)!;
export const row = (fqn: string) => $(`.row[data-fqn="${fqn}"]:not([hidden])`);
export const role = (name: string) => $(`[data-role="${name}"]`);
export const press = (key: string, more: object = {}) =>
  $(".rows").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more }));

export function show(tree: TreePayload = stack(12), plan: object | "" = unitPerBlock(12), kernel = true) {
  model = new FakeModel({ tree: JSON.stringify(tree), plan: plan && JSON.stringify(sent(plan, materialise(tree).size)), run: "", view: "", costs: "" });
  model.kernel = kernel;
  host = document.createElement("div");
  document.body.replaceChildren(host);
  remove = widget.render({ model, el: host });
}

/** Until the second module is there. */
export const panelsCame = () => vi.waitFor(() => expect($('[data-cmd="run"]')).not.toBeNull());

const pen = new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true });

/** A view of a stack of blocks with its second module before each test, gone after it. */
export function viewPerTest() {
  beforeEach(async () => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockImplementation(function (this: HTMLElement) {
      return this.className === "rows" ? 432 : 176; // jsdom has no layout
    });
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen as never); // nor a canvas
    show();
    await panelsCame();
  });
  afterEach(() => {
    remove();
    vi.restoreAllMocks();
  });
}

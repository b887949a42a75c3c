// What a saved page runs: a model that holds what was saved, asks nobody and answers by itself. No kernel, no network.
import { EXPORTED } from "./chunk";
import type { Model } from "./host";

interface Saved {
  states: Record<string, string>; // the traits
  page: string; // exported.js, gzip as base64
}

const NO_KERNEL = {
  title: "This is a saved page",
  detail: "No kernel is behind it: look, fold, search and compare here; to mark or run, open the notebook and call explore(model).",
};

async function unpacked(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/** Every command is answered at once: the panels with the panels, anything else with why not. */
export function savedModel(states: Saved["states"]): Model {
  const heard = new Map<string, Set<(message: never) => void>>();
  const answer = ({ id, cmd }: { id: string; cmd: string }) => {
    const reply = cmd === "chunk" ? { ok: true, value: { digest: EXPORTED, text: null } } : { ok: false, error: NO_KERNEL };
    heard.get("msg:custom")?.forEach((callback) => callback({ type: "reply", id, ...reply } as never));
  };
  return {
    get: (name) => states[name] ?? "",
    set: (name, value) => void (states[name] = String(value)),
    save_changes: () => undefined,
    send: (message) => void answer(message as { id: string; cmd: string }),
    on: (event, callback) => void heard.set(event, (heard.get(event) ?? new Set()).add(callback)),
    off: (event, callback) => void heard.get(event)?.delete(callback),
  };
}

/** Puts the live page in place of the static one; where that fails, the static one stays. */
async function open(): Promise<void> {
  const saved = JSON.parse(document.getElementById("saved")!.textContent!) as Saved;
  const url = URL.createObjectURL(new Blob([await unpacked(saved.page)], { type: "text/javascript" }));
  const { default: page } = (await import(/* @vite-ignore */ url)) as { default: { render(view: { model: Model; el: HTMLElement }): void } };
  page.render({ model: savedModel(saved.states), el: document.getElementById("page")! });
  const still = document.getElementById("static")!;
  still.remove();
  addEventListener("beforeprint", () => document.body.append(still)); // rows in a list that scrolls are no use on paper
  addEventListener("afterprint", () => still.remove());
}

if (typeof document !== "undefined" && document.getElementById("saved")) void open();

// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.

// src/chunk.ts
var EXPORTED = "exported";

// src/saved.ts
var NO_KERNEL = {
  title: "This is a saved page",
  detail: "No kernel is behind it: look, fold, search and compare here; to mark or run, open the notebook and call explore(model)."
};
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
function savedModel(states) {
  const heard = new Map();
  const answer = ({ id, cmd }) => {
    const reply = cmd === "chunk" ? { ok: true, value: { digest: EXPORTED, text: null } } : { ok: false, error: NO_KERNEL };
    heard.get("msg:custom")?.forEach((callback) => callback({ type: "reply", id, ...reply }));
  };
  return {
    get: (name) => states[name] ?? "",
    set: (name, value) => void (states[name] = String(value)),
    save_changes: () => void 0,
    send: (message) => void answer(message),
    on: (event, callback) => void heard.set(event, (heard.get(event) ?? new Set()).add(callback)),
    off: (event, callback) => void heard.get(event)?.delete(callback)
  };
}
async function open() {
  const saved = JSON.parse(document.getElementById("saved").textContent);
  const url = URL.createObjectURL(new Blob([await unpacked(saved.page)], { type: "text/javascript" }));
  const { default: page } = await import(
    /* @vite-ignore */
    url
  );
  page.render({ model: savedModel(saved.states), el: document.getElementById("page") });
  const still = document.getElementById("static");
  still.remove();
  addEventListener("beforeprint", () => document.body.append(still));
  addEventListener("afterprint", () => still.remove());
}
if (typeof document !== "undefined" && document.getElementById("saved")) void open();
export {
  savedModel
};

// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.

// src/base85.ts
var DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
function bytesOf(text) {
  const valueOf = new Map([...DIGITS].map((digit, value) => [digit, value]));
  const missing = (5 - text.length % 5) % 5;
  const whole = text + "~".repeat(missing);
  const bytes = new DataView(new ArrayBuffer(whole.length / 5 * 4));
  for (let at = 0; at < whole.length; at += 5) {
    let word = 0;
    for (let k = 0; k < 5; k++) word = word * 85 + valueOf.get(whole[at + k]);
    bytes.setUint32(at / 5 * 4, word);
  }
  return new Uint8Array(bytes.buffer, 0, bytes.byteLength - missing);
}

// src/saved.ts
var NO_KERNEL = {
  title: "This is a saved page",
  detail: "No kernel is behind it: look, fold, search and compare here; to mark or run, open the notebook and call explore(model)."
};
async function unpacked(text) {
  return new Response(new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
function savedModel({ states, extras }) {
  const heard = new Map();
  const answer = async ({ id, cmd }) => {
    const reply = cmd === "chunk" ? { ok: true, value: { digest: "saved", text: await unpacked(extras) } } : { ok: false, error: NO_KERNEL };
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
  page.render({ model: savedModel(saved), el: document.getElementById("page") });
  const still = document.getElementById("static");
  still.remove();
  addEventListener("beforeprint", () => document.body.append(still));
  addEventListener("afterprint", () => still.remove());
}
if (typeof document !== "undefined" && document.getElementById("saved")) void open();
export {
  savedModel
};

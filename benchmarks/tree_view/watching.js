// Runs before a page's own scripts: notes when a widget's rows have been on the screen, and every frame on its socket.
(() => {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options);
    const seen = (_, observer) => {
      if (!root.querySelector('.shx[data-ready="1"]')) return;
      performance.mark("rows");
      observer.disconnect();
    };
    new MutationObserver(seen).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
    return root;
  };

  const frames = (window.frames_seen = []);
  const text = new TextDecoder();
  // Jupyter's binary frames: a count of offsets, the offsets, then channel, header, parent, metadata, content.
  const read = (data) => {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
    const at = performance.now();
    if (typeof data === "string") return { at, bytes: bytes.length, type: "text", content: "" };
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const part = (k) => bytes.subarray(Number(view.getBigUint64(8 * (k + 1), true)), Number(view.getBigUint64(8 * (k + 2), true)));
    return { at, bytes: bytes.length, type: JSON.parse(text.decode(part(1))).msg_type, content: text.decode(part(4)) };
  };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => frames.push({ up: false, ...read(data) }));
    }
    send(data) {
      frames.push({ up: true, ...read(data) });
      super.send(data);
    }
  };

  // One move, until everything it changed is laid out.
  window.work_of = (move, element) => {
    const start = performance.now();
    move();
    element.getBoundingClientRect();
    return performance.now() - start;
  };

  // One move in the middle of a frame, until the browser has painted what it changed.
  window.frame_of = (move) =>
    new Promise((done) => {
      requestAnimationFrame(() => {
        const start = performance.now();
        move();
        const after = new MessageChannel();
        after.port1.onmessage = () => done(performance.now() - start);
        after.port2.postMessage(0);
      });
    });
})();

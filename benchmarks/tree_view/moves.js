// What is done in a drawn page and timed there. `frame_of` and `work_of` are in watching.js.
window.moves = {
  press: (rows, key) => rows.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true })),

  async keys(widget, { keys, repeats }) {
    const rows = widget.querySelector(".rows");
    const times = [];
    for (let k = 0; k < repeats; k++) {
      for (const key of keys) {
        await frame_of(() => undefined);
        times.push(work_of(() => moves.press(rows, key), rows));
      }
    }
    return times;
  },

  async search(widget, { texts }) {
    const box = widget.querySelector("[data-role=find]");
    const type = (text) => {
      box.value = text;
      box.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const times = [];
    for (const text of texts) {
      for (let end = 1; end <= text.length; end++) {
        await frame_of(() => undefined);
        times.push(work_of(() => type(text.slice(0, end)), box));
      }
    }
    await frame_of(() => type(""));
    return times;
  },

  async scroll(widget, { frames }) {
    const rows = widget.querySelector(".rows");
    const room = rows.scrollHeight - rows.clientHeight;
    const frame = () => new Promise(requestAnimationFrame);
    rows.scrollTop = 0;
    await frame();
    const times = [];
    let last = await frame();
    for (let k = 0; k < frames; k++) {
      rows.scrollTop = (rows.scrollTop + Math.max(240, room / frames / 2)) % room;
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    return times;
  },

  /** Marks and clears a row in turn; each edit is over when the page shows Python's new plan. */
  async edits(widget, { fqn, times }) {
    const rows = widget.querySelector(".rows");
    moves.press(rows, "Home");
    const row = [...rows.querySelectorAll(".row")].find((each) => !each.hidden && each.dataset.fqn === fqn);
    row.querySelector("[data-cell=name]").click();
    const found = [];
    for (let k = 0; k < times; k++) {
      const rev = Number(widget.dataset.rev);
      frames_seen.length = 0;
      let start = 0;
      const paint = await frame_of(() => {
        start = performance.now();
        moves.press(rows, k % 2 ? "u" : "i");
      });
      const ms = (await moves.confirmed(widget, rev)) - start;
      await frame_of(() => undefined);
      found.push({ paint, ms, ...moves.travelled() });
    }
    return found;
  },

  confirmed: (widget, rev) =>
    new Promise((done) => {
      const look = () => {
        if (Number(widget.dataset.rev) <= rev || widget.dataset.waiting) return;
        observer.disconnect();
        done(performance.now());
      };
      const observer = new MutationObserver(look);
      observer.observe(widget, { attributes: true });
      look();
    }),

  /** Bytes of the command and of all that came back, without the headers of Jupyter's messages. */
  travelled() {
    const size = (value) => new TextEncoder().encode(JSON.stringify(value)).length;
    const comms = frames_seen.filter(({ type }) => type === "comm_msg").map(({ up, content }) => ({ up, ...JSON.parse(content).data }));
    const up = comms.filter((each) => each.up && each.content?.cmd === "mark").map(({ content }) => size(content));
    const down = comms.filter((each) => !each.up).map(({ content, state }) => size(content ?? state));
    return { up: up[0], down: down.reduce((sum, each) => sum + each, 0) };
  },

  /** What happened between the press of Enter and the rows. */
  shown() {
    const at = (name) => performance.getEntriesByName(name).at(-1).startTime;
    const before = frames_seen.filter((frame) => frame.at >= at("enter") && frame.at <= at("rows"));
    const states = before.filter(({ content }) => content.includes("_esm")).map(({ content }) => JSON.parse(content).data.state);
    const page = states.reduce((sum, { _esm }) => sum + new TextEncoder().encode(JSON.stringify(_esm)).length, 0);
    const bytes = before.reduce((sum, frame) => sum + frame.bytes, 0);
    return { ms: at("rows") - at("enter"), messages: before.length, bytes, own: bytes - page };
  },
};

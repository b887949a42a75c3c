// The player: a walk over the reader's own model, step by step - the module to be visited next, the stack, what has been
// produced. Every frame costs the few lines drawn, whatever the model: the walk has been recorded (walk.ts).
import { button, h, setAttributes, setText } from "../dom";
import type { Change, Page, Panel } from "./contract";
import { Curtain } from "./curtain";
import { groundOf, sentence, shortName, WALKS, wordsOf } from "./narration";
import { advance, atRate, pause, play, RATES, seek, stepBy, still, type Playback } from "./playback";
import { recordWalk, stackAt, type Ground, type Recording, type WalkKind } from "./walk";

const AROUND = 4; // modules drawn before and after the next one
const SHOWN = 8; // lines of the stack and of what was produced
const CALM_MS = 250; // between two pictures for readers who asked for less motion
const INDENT = 8; // levels of indentation at most

export const PLAY = "play-walk"; // an event on the page's root: that walk begins

export class PlayerPanel implements Panel {
  readonly element: HTMLElement;
  private curtain: Curtain;
  private shown = true;
  private walk = h("select", { "data-role": "walk", "aria-label": "Walk", change: () => this.rewalk() },
    ...WALKS.map(({ kind, label }) => h("option", { value: kind }, label)));
  private start = h("select", { "data-role": "walk-start", "aria-label": "Where the walk begins", change: () => this.rewalk() });
  private playing = button("play", "▶ Play", "Play or pause", () => this.toggle());
  private rate = h("select", { "data-role": "rate", "aria-label": "Rows a second", change: () => this.move(atRate(this.now, Number(this.rate.value))) },
    ...RATES.map((rate) => h("option", { value: rate }, `${rate.toLocaleString("en")} rows/s`)));
  private scrub = h("input", { type: "range", min: 0, value: 0, "data-role": "scrub", "aria-label": "Step", input: () => this.move(pause(seek(this.now, Number(this.scrub.value)))) });
  private count = h("span", { class: "note", "data-role": "step" });
  private about = h("p", { class: "note" });
  private said = h("p", { class: "said", "data-role": "said", "aria-live": "polite" });
  private around = new Lines("around", 2 * AROUND + 1, "Modules around the next one");
  private stack = new Lines("stack", SHOWN, "Stack");
  private made = new Lines("made", SHOWN, "Produced");
  private ground!: Ground;
  private recording!: Recording;
  private metAt!: Int32Array; // by module: the step that visits it
  private now: Playback = still(0);
  private frame = 0;
  private drawnAt = 0;
  private calm = matchMedia("(prefers-reduced-motion: reduce)");
  private press = (event: KeyboardEvent) => this.key(event);

  constructor(private page: Page) {
    this.rate.value = "2";
    const back = button("step_back", "◀", "One step back (,)", () => this.move(stepBy(this.now, -1)));
    const on = button("step", "▶|", "One step on (.)", () => this.move(stepBy(this.now, 1)));
    setAttributes(back, { "aria-label": "One step back" });
    setAttributes(on, { "aria-label": "One step on" });
    const content = h("div", { class: "player", "data-role": "player" },
      h("div", { class: "bar" }, this.walk, this.start, back, this.playing, on, this.rate, this.scrub, this.count),
      this.about, this.said, h("div", { class: "columns" }, this.around.element, this.stack.element, this.made.element));
    this.curtain = new Curtain(content, (shown) => this.turn(shown));
    this.element = this.curtain.element;
    page.root.addEventListener("keydown", this.press);
    page.root.addEventListener(PLAY, this.begin);
  }

  update(changes: ReadonlySet<Change>): void {
    if (!changes.has("tree") && !changes.has("plan")) return;
    this.offerStarts();
    this.rewalk();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.curtain.destroy();
    this.page.root.removeEventListener("keydown", this.press);
    this.page.root.removeEventListener(PLAY, this.begin);
    this.page.point("now", []);
  }

  /** The walk of a column, from its first step. */
  private begin = (event: Event): void => {
    this.walk.value = (event as CustomEvent<WalkKind>).detail;
    this.rewalk();
    this.move(play(still(this.recording.steps, this.now.rate)));
  };

  /** A local root that the walk from the root does not reach has a walk of its own. */
  private offerStarts(): void {
    const { tree, plan } = this.page;
    const roots = plan.state.units.filter((unit) => unit.is_root && unit.apart).slice(0, 50);
    const chosen = this.start.value;
    this.start.replaceChildren(h("option", { value: 0 }, "from the root"), ...roots.map(({ index }) => h("option", { value: index }, `from ${shortName(tree, index)}`)));
    this.start.value = roots.some(({ index }) => String(index) === chosen) ? chosen : "0";
    this.start.hidden = roots.length === 0;
  }

  private rewalk(): void {
    const { tree, plan } = this.page;
    const kind = this.walk.value as WalkKind;
    const changed = this.recording?.kind !== kind;
    this.ground = groundOf(tree, plan, [Number(this.start.value)]);
    this.recording = recordWalk(this.ground, kind);
    this.metAt = new Int32Array(tree.size).fill(this.recording.steps);
    for (let step = this.recording.steps - 1; step >= 0; step--) if (this.recording.act[step] === 0) this.metAt[this.recording.node[step]] = step;
    setText(this.about, wordsOf(kind).about);
    setAttributes(this.scrub, { max: this.recording.steps });
    const fresh = still(this.recording.steps, this.now.rate);
    this.move(changed ? fresh : seek(fresh, this.now.at));
  }

  private toggle(): void {
    this.move(this.now.playing ? pause(this.now) : play(this.now));
  }

  private move(next: Playback): void {
    this.now = next;
    this.draw();
    cancelAnimationFrame(this.frame);
    if (next.playing) this.follow(performance.now());
  }

  /** Out of sight it pauses, and the tree no longer points at its place. */
  private turn(shown: boolean): void {
    this.shown = shown;
    if (shown) this.draw();
    else this.move(pause(this.now));
  }

  private follow(before: number): void {
    this.frame = requestAnimationFrame((time) => {
      this.now = advance(this.now, Math.max(0, time - before) / 1000);
      if (!this.calm.matches || time - this.drawnAt >= CALM_MS || !this.now.playing) this.draw(time);
      if (this.now.playing) this.follow(Math.max(time, before));
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.shown) return;
    if (event.key !== "." && event.key !== ",") return;
    if ((event.composedPath()[0] as HTMLElement).matches("input:not([type=range]), textarea")) return;
    event.preventDefault();
    this.move(stepBy(this.now, event.key === "." ? 1 : -1));
  }

  private draw(time = performance.now()): void {
    this.drawnAt = time;
    const { now, recording, ground } = this;
    const { at, steps } = now;
    this.scrub.value = String(at);
    setAttributes(this.scrub, { "aria-valuetext": `step ${at} of ${steps}` });
    setText(this.count, `step ${at.toLocaleString("en")} of ${steps.toLocaleString("en")}`);
    setText(this.playing, now.playing ? "❚❚ Pause" : "▶ Play");
    setAttributes(this.said, { "aria-live": now.playing ? "off" : "polite" });
    setText(this.said, (at < steps ? "Next: " : "") + sentence(ground, recording, at));
    const next = at < steps ? recording.node[at] : -1;
    this.drawAround(next);
    this.drawStack();
    this.drawMade();
    this.page.point("now", next < 0 || !this.shown ? [] : [next]);
  }

  /** The modules around the next one as the tree has them: met ones ticked, the next one pointed at. */
  private drawAround(next: number): void {
    const { tree } = this.page;
    const centre = Math.max(0, next);
    const first = Math.max(0, Math.min(centre - AROUND, tree.size - 2 * AROUND - 1));
    const last = Math.min(tree.size, first + 2 * AROUND + 1);
    let base = Infinity;
    for (let node = first; node < last; node++) base = Math.min(base, tree.depth[node]);
    this.around.show("Modules", last - first, (nth) => {
      const node = first + nth;
      const sign = node === next ? "▶" : this.metAt[node] < this.now.at ? "✓" : "·";
      const indent = "  ".repeat(Math.min(INDENT, tree.depth[node] - base));
      const joins = this.ground.handles.has(node) ? " [H]" : this.ground.barred.has(node) ? " [R]" : "";
      return `${sign} ${indent}${node === 0 ? "(root)" : tree.names[node]}${joins}`;
    }, next - first);
  }

  private drawStack(): void {
    const { recording, now } = this;
    const entries = stackAt(recording, now.at, SHOWN);
    const name = now.at >= recording.reversing && recording.reversing < recording.steps ? "Handles listed, taken from the end" : "Stack";
    this.stack.show(`${name}: ${recording.depth[now.at].toLocaleString("en")}`, entries.length,
      (nth) => (entries[nth] < 0 ? `${shortName(this.page.tree, ~entries[nth])}, once its children are done` : shortName(this.page.tree, entries[nth])), 0);
  }

  /** The newest line comes last; before composable initialisation begins, the list that it will reverse. */
  private drawMade(): void {
    const { recording, now } = this;
    const listing = recording.kind === "composable" && now.at < recording.reversing;
    const [list, size] = listing ? [recording.found, recording.listed[now.at]] : [recording.produced, recording.done[now.at]];
    const first = Math.max(0, size - SHOWN);
    const heading = listing ? "Handles listed" : wordsOf(recording.kind).made;
    this.made.show(`${heading}: ${size.toLocaleString("en")} of ${list.length.toLocaleString("en")}`, size - first,
      (nth) => `${first + nth}  ${shortName(this.page.tree, list[first + nth])}`, size - first - 1);
  }
}

/** A heading and a few lines, whose elements are used again. */
class Lines {
  readonly element: HTMLElement;
  private heading = h("h4");
  private lines: HTMLElement[];

  constructor(role: string, most: number, label: string) {
    this.lines = Array.from({ length: most }, () => h("li"));
    this.element = h("div", { "data-role": role }, this.heading, h("ol", { "aria-label": label }, ...this.lines));
  }

  show(heading: string, count: number, text: (nth: number) => string, marked: number): void {
    setText(this.heading, heading);
    this.lines.forEach((line, nth) => {
      line.style.visibility = nth < count ? "visible" : "hidden";
      if (nth < count) setText(line, text(nth));
      setAttributes(line, { "data-now": nth === marked && nth < count ? "1" : null });
    });
  }
}

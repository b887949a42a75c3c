// The run panel: how many workers and steps, start and stop, progress, losses, errors and the workers' log.
import { button, h, setAttributes, setText, svg } from "../dom";
import { isLive, phaseText, type RunState } from "./run";
import type { Change, Page, Panel } from "./contract";
import { chartOf, lossText } from "./losses";

const WIDTH = 480;
const HEIGHT = 90;

export class RunPanel implements Panel {
  readonly element: HTMLElement;
  private nprocs = h("input", { type: "number", min: 1, max: 64, value: 2, "data-role": "nprocs" });
  private steps = h("input", { type: "number", min: 1, max: 100000, value: 10, "data-role": "steps" });
  private run: HTMLButtonElement;
  private stop: HTMLButtonElement;
  private progress = h("progress", { max: 1, value: 0, "data-role": "progress", "aria-label": "Progress of the run" });
  private phase = h("span", { "data-role": "phase" });
  private losses = h("p", { "data-role": "losses" });
  private chart = h("div", { class: "chart", "data-role": "chart" });
  private error = h("div", { class: "error", "data-role": "run-error", role: "alert" });
  private log = h("pre", { "data-role": "log", tabindex: 0 });
  private details = h("details", {}, h("summary", {}, "Worker log"), this.log);

  constructor(private page: Page) {
    this.run = button("run", "▶ Run", "Spawn the workers and train with this plan", () => void this.start());
    this.stop = button("stop", "■ Stop", "End the workers", () => void page.command("stop"));
    const bar = h("div", { class: "bar" }, h("label", {}, "workers ", this.nprocs), h("label", {}, "steps ", this.steps), this.run, this.stop, this.progress, this.phase);
    this.element = h("div", { class: "run" }, bar, this.error, this.losses, this.chart, this.details);
  }

  private async start(): Promise<void> {
    this.run.disabled = true; // until the reply: a second click is no second run
    await this.page.command("run", { nprocs: Number(this.nprocs.value), steps: Number(this.steps.value) });
    this.show(this.page.run);
  }

  update(changes: ReadonlySet<Change>): void {
    if (changes.has("run")) this.show(this.page.run);
  }

  destroy = () => undefined;

  private show(run: RunState): void {
    this.run.disabled = isLive(run);
    this.stop.disabled = !isLive(run);
    setAttributes(this.element, { "data-phase": run.phase });
    setAttributes(this.progress, { max: run.steps || 1, value: run.phase === "done" ? run.steps || 1 : run.step });
    setText(this.phase, phaseText(run));
    setText(this.losses, lossText(run));
    this.error.hidden = run.error === null;
    if (run.error) this.error.replaceChildren(h("b", {}, run.error.title), h("pre", {}, run.error.detail));
    this.draw(run);
    this.details.hidden = run.log.length === 0;
    setText(this.log, run.log.map(([rank, text]) => `[rank ${rank}] ${text.trimEnd()}`).join("\n"));
  }

  private draw(run: RunState): void {
    const chart = chartOf(run, WIDTH, HEIGHT);
    this.chart.hidden = chart === null;
    if (!chart) return;
    const ranks = chart.lines.map((d, rank) => svg("path", { d, class: "loss", "data-rank": rank, "stroke-dasharray": rank ? `${2 + 2 * rank} 3` : "none" }));
    const picture = svg("svg", { viewBox: `-2 -4 ${WIDTH + 4} ${HEIGHT + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": `Loss of every step, from ${chart.high.toFixed(4)} down to ${chart.low.toFixed(4)}` },
      ...(chart.reference ? [svg("path", { d: chart.reference, class: "reference" })] : []), ...ranks);
    const key = chart.reference ? "line: ranks · dots: unsharded" : "";
    this.chart.replaceChildren(h("span", {}, chart.high.toFixed(3)), h("span", {}, chart.low.toFixed(3)), picture, h("small", {}, key));
  }
}

// The peak of a step: when it happens, and what lies in memory then, as a bar of stacked terms. Every term has its number,
// name, size and share in words; the shades only help the eye from the list to the bar.
import { h, setAttributes, setText, svg } from "../dom";
import { bytesText, changeText, exactBytes, percent } from "./amounts";
import type { Peak } from "./costs";

const TERMS = 9; // further ones are one
const [WIDTH, HEIGHT] = [600, 60];

export interface Term {
  label: string;
  nbytes: number;
  share: number;
}

/** The terms largest first, the smallest gathered into one when there are many. */
export function termsOf(terms: Peak["terms"]): Term[] {
  const all = terms.reduce((sum, [, nbytes]) => sum + nbytes, 0);
  const shown = terms.filter(([, nbytes]) => nbytes > 0);
  const few = shown.length > TERMS ? shown.slice(0, TERMS - 1) : shown;
  const rest = shown.slice(few.length);
  const gathered: Peak["terms"] = rest.length ? [...few, [`${rest.length} smaller terms`, rest.reduce((sum, [, nbytes]) => sum + nbytes, 0)]] : few;
  return gathered.map(([label, nbytes]) => ({ label, nbytes, share: nbytes / all }));
}

/** The path of memory over a step, and the point where it is highest, in a box of the given size. */
export function pathOf(timeline: Peak["timeline"], width: number, height: number): { path: string; x: number; y: number } {
  const most = timeline.reduce((so, [, nbytes]) => Math.max(so, nbytes), 1);
  const across = width / Math.max(1, timeline.length - 1);
  const points = timeline.map(([, nbytes], at) => [at * across, height - (nbytes / most) * height]);
  const top = points.reduce((best, point) => (point[1] < best[1] ? point : best), points[0] ?? [0, height]);
  return { path: points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), x: top[0], y: top[1] };
}

export class PeakView {
  private headline = h("p", { "data-role": "peak" });
  private bar = h("div", { class: "stacked", role: "img" });
  private list = h("ol", { class: "terms", "data-role": "terms" });
  private line = svg("path", { class: "memory" });
  private mark = svg("circle", { r: 4, class: "top" });
  private chart = svg("svg", { viewBox: `0 -6 ${WIDTH} ${HEIGHT + 6}`, preserveAspectRatio: "none", role: "img" }, this.line, this.mark);
  private ends = h("small", { class: "note" });
  readonly element = h("div", { class: "peak" }, this.headline, this.bar, this.list, this.chart, this.ends);

  /** `before` is the peak of the question asked before, for the reader who changed something. */
  show({ nbytes, moment, is_estimate, terms, timeline }: Peak, before: number | null): void {
    const change = before === null || before === nbytes ? "" : ` (${changeText(before, nbytes, bytesText)} against the question before)`;
    setText(this.headline, `Peak: ${exactBytes(nbytes)} on a rank${is_estimate ? ", an estimate," : ""} at ${moment}${change}`);
    const shown = termsOf(terms);
    this.bar.replaceChildren(...shown.map(({ share }, nth) => segment(nth, share)));
    setAttributes(this.bar, { "aria-label": `The peak is made of ${shown.map(({ label, share }) => `${label} ${percent(share)}`).join(", ")}` });
    this.list.replaceChildren(...shown.map(({ label, nbytes: size, share }, nth) => h("li", { style: shade(nth) }, `${bytesText(size)}, ${percent(share)}: ${label}`)));
    this.drawLine(timeline, moment);
  }

  private drawLine(timeline: Peak["timeline"], moment: string): void {
    const { path, x, y } = pathOf(timeline, WIDTH, HEIGHT);
    setAttributes(this.line, { d: path });
    setAttributes(this.mark, { cx: x.toFixed(1), cy: y.toFixed(1) });
    setAttributes(this.chart, { "aria-label": `Memory over one step, highest at ${moment}` });
    const ends = timeline.length ? `Over one step: ${timeline[0][0]}, ${bytesText(timeline[0][1])} → ${timeline.at(-1)![0]}, ${bytesText(timeline.at(-1)![1])}` : "";
    setText(this.ends, ends);
    (this.chart as SVGElement & { hidden: boolean }).toggleAttribute("hidden", timeline.length < 2);
  }
}

const shade = (nth: number) => `--shade: ${Math.max(12, 100 - 11 * nth)}%`;

function segment(nth: number, share: number): HTMLElement {
  const wide = share > 0.03;
  return h("span", { style: `${shade(nth)}; flex: ${share.toFixed(5)} 0 0`, ...(nth < 4 ? { "data-dark": "1" } : {}) }, wide ? String(nth + 1) : "");
}

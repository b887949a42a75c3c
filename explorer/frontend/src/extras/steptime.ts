// How long arithmetic and communication of a step take by themselves, at the rates that were typed: two bars a phase, all at
// one scale, and never one number.
import { h, setAttributes, setText } from "../dom";
import type { StepTime } from "./costs";

export interface Bar {
  phase: string;
  what: "compute" | "communication";
  seconds: number | null;
  share: number;
}

/** The bars, each with its share of the longest. */
export function barsOf({ phases }: StepTime): Bar[] {
  const bars = phases.flatMap(({ phase, compute_s, communication_s }): Bar[] => [
    { phase, what: "compute", seconds: compute_s, share: 0 },
    { phase, what: "communication", seconds: communication_s, share: 0 },
  ]);
  const longest = bars.reduce((most, { seconds }) => Math.max(most, seconds ?? 0), 0);
  return bars.map((bar) => ({ ...bar, share: longest ? (bar.seconds ?? 0) / longest : 0 }));
}

export function secondsText(seconds: number | null): string {
  if (seconds === null) return "not known";
  return seconds >= 1 ? `${Number(seconds.toPrecision(3))} s` : `${Number((1e3 * seconds).toPrecision(3))} ms`;
}

export class StepTimeView {
  private list = h("ul", { class: "times" });
  private note = h("small", { class: "note" });
  readonly element = h("div", { class: "step-time", "data-role": "step-time" }, h("b", {}, "Time of a step, each by itself"), this.list, this.note);

  show(time: StepTime): void {
    this.list.replaceChildren(...barsOf(time).map(row));
    const missing = time.missing.length ? ` Missing for ${time.missing.join("; for ")}.` : "";
    setText(this.note, `At the rates above throughout. A step takes at least the longer of the two; how far they overlap is not known before it runs.${missing}`);
  }
}

function row({ phase, what, seconds, share }: Bar): HTMLElement {
  const bar = h("span", { class: `time-bar ${what}`, "aria-hidden": "true" });
  setAttributes(bar, { style: `width:${(60 * share).toFixed(2)}%` });
  return h("li", {}, h("span", { class: "time-name" }, `${phase}, ${what}`), bar, ` ${secondsText(seconds)}`);
}

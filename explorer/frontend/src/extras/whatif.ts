// The questions beside the costs: how many ranks, which mesh, strategy, precision, optimizer, engine. Each change is one
// question; a refusal stands beside the field that asked, which keeps what was typed, and the costs stay.
import { h, setAttributes, setText } from "../dom";
import type { Refusal } from "./contract";
import { precisionText, readMesh, type Costs, type WhatIf } from "./costs";

type Ask = (fields: Partial<WhatIf>) => Promise<Refusal | null>;
type Field = HTMLInputElement | HTMLSelectElement;

/** Rates are typed in the units people say them in. */
const RATES: Record<string, { label: string; scale: number; title: string }> = {
  flops_per_s: { label: "TFLOP/s", scale: 1e12, title: "What one rank computes, for the time of a step" },
  bytes_per_s: { label: "GB/s", scale: 1e9, title: "What one rank sends, for the time of a step" },
  latency_s: { label: "µs a collective", scale: 1e-6, title: "What every collective takes besides" },
};
const OWN: Record<string, string> = { strategy: "each unit's own", mixed_precision: "each unit's own" };

export class WhatIfForm {
  readonly element = h("form", { class: "bar what-if", "data-role": "what-if", "aria-label": "What if", submit: (event: Event) => event.preventDefault() });
  private fields = new Map<string, Field>();
  private costs?: Costs;
  private refusal = h("span", { class: "refusal", "data-role": "refusal", role: "alert" });

  constructor(private ask: Ask) {
    this.number("world_size", "ranks", 1_000_000);
    this.add("mesh_shape", "mesh", h("input", { type: "text", size: 7, title: "Ranks, or replicate x shard: 2x4" }));
    for (const [name, label] of [["strategy", "strategy"], ["mixed_precision", "precision"], ["optimizer", "optimizer"], ["engine", "engine"]]) this.add(name, label, h("select"));
    this.number("accumulation_steps", "accumulate", 10_000);
    this.add("traced", "trace", h("input", { type: "checkbox", title: "Run the example inputs through a copy without data: order, activations and operations are then known" }));
    for (const [name, { label, title }] of Object.entries(RATES)) this.add(name, label, h("input", { type: "number", min: 0, step: "any", class: "rate", title }));
    this.refusal.hidden = true;
  }

  /** Fields show what the costs are for; one that was refused keeps what was typed until it is right. */
  show(costs: Costs): void {
    this.costs = costs;
    const { what_if, choices } = costs;
    for (const [name, values] of Object.entries(choices)) this.offer(name, values);
    for (const [name, field] of this.fields) {
      if (field.getAttribute("aria-invalid") === "true" || field.matches(":focus") && field.dataset.typed === "1") continue;
      if (field.type === "checkbox") (field as HTMLInputElement).checked = what_if.traced;
      else field.value = textOf(name, what_if[name as keyof WhatIf]);
    }
  }

  private number(name: string, label: string, most: number): void {
    this.add(name, label, h("input", { type: "number", min: 1, max: most }));
  }

  private add(name: string, label: string, field: Field): void {
    setAttributes(field, { "data-field": name });
    field.addEventListener("input", () => (field.dataset.typed = "1"));
    field.addEventListener("change", () => void this.changed(name, field));
    this.fields.set(name, field);
    this.element.append(h("label", {}, `${label} `, field));
  }

  private offer(name: string, values: unknown[]): void {
    const select = this.fields.get(name);
    if (!select || select.childElementCount === values.length) return;
    select.replaceChildren(...values.map((value) => h("option", { value: JSON.stringify(value) }, labelOf(name, value))));
  }

  private async changed(name: string, field: Field): Promise<void> {
    delete field.dataset.typed;
    const value = field.type === "checkbox" ? (field as HTMLInputElement).checked : valueOf(name, field.value);
    const wrong = value instanceof Error ? { title: "This cannot be asked", detail: value.message } : await this.ask(fieldsOf(name, value));
    this.judge(field, wrong);
  }

  /** A refusal goes where the eye is: behind its field. An answer takes all refusals away. */
  private judge(field: Field, wrong: Refusal | null): void {
    for (const each of this.fields.values()) setAttributes(each, { "aria-invalid": null, "aria-describedby": null });
    this.refusal.hidden = wrong === null;
    if (wrong === null) return this.costs && this.show(this.costs);
    setText(this.refusal, `${wrong.title}: ${wrong.detail}`);
    this.refusal.id = "what-if-refusal";
    setAttributes(field, { "aria-invalid": "true", "aria-describedby": this.refusal.id });
    field.parentElement!.after(this.refusal);
    return undefined;
  }
}

/** What a change of one field asks: ranks alone make a mesh of one axis, a mesh says how many ranks there are. */
function fieldsOf(name: string, value: unknown): Partial<WhatIf> {
  if (name === "world_size") return { world_size: value as number, mesh_shape: [value as number] };
  if (name === "mesh_shape") return { mesh_shape: value as number[], world_size: (value as number[]).reduce((product, size) => product * size, 1) };
  return { [name]: value };
}

function valueOf(name: string, text: string): unknown {
  if (name === "mesh_shape") {
    const shape = readMesh(text);
    return typeof shape === "string" ? new Error(shape) : shape;
  }
  if (name in RATES) return rateOf(name, text);
  if (name !== "world_size" && name !== "accumulation_steps") return JSON.parse(text);
  const value = Number(text);
  return text.trim() !== "" && Number.isInteger(value) ? value : new Error(`${JSON.stringify(text)} is no whole number`);
}

function rateOf(name: string, text: string): number | null | Error {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value * RATES[name].scale : new Error(`${JSON.stringify(text)} is no number`);
}

const textOf = (name: string, value: unknown): string =>
  name in RATES ? (value === null ? "" : String(Number(((value as number) / RATES[name].scale).toPrecision(6)))) : name === "mesh_shape" ? (value as number[]).join("x") : typeof value === "number" ? String(value) : JSON.stringify(value);

const labelOf = (name: string, value: unknown): string => {
  if (value === null) return OWN[name] ?? "none";
  return name === "mixed_precision" ? precisionText(value as Record<string, string>) : String(value);
};

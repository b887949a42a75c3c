// The box that finds modules, by a selector or by a piece of their name, highlights them, counts them before anything is
// applied, and marks all of them at once.
import { button, h, setAttributes, setText } from "../dom";
import type { Verb } from "./keys";
import type { Change, Page, Panel } from "./contract";
import { runsOf } from "./runlist";
import { select } from "./selectors";
import { VERBS, verbButton } from "./toolbar";

const HINT = "find: layers.*  type:Block  params>10M  tied";

export class Finder implements Panel {
  readonly element: HTMLElement;
  #box = h("input", { type: "search", "data-role": "find", placeholder: HINT, "aria-label": "Find or select modules", spellcheck: "false",
    title: "Also unit:u7, finding:*. Blanks mean and, commas or, ! not; * stays between dots, ** crosses them. Enter: next find; Escape: back to the tree. Key: /",
    input: () => this.#search(), keydown: (event: KeyboardEvent) => this.#press(event) });
  #found = h("span", { "data-role": "found", role: "status" });
  #steps = [button("find_prev", "↑", "Previous find (Shift+Enter)", () => this.#step(-1)), button("find_next", "↓", "Next find (Enter)", () => this.#step(1))];
  #marks = VERBS.map((verb) => verbButton(verb, "", `${WORDS[verb]} all that was found`, () => this.#mark(verb)));
  #selector = ""; // the text, where it was read as a selector

  constructor(private page: Page) {
    for (const each of this.#marks) each.dataset.cmd = `found_${each.dataset.cmd}`;
    this.element = h("div", { class: "finder", role: "search" }, this.#box, ...this.#steps, this.#found, h("span", { class: "bar" }, ...this.#marks));
    this.#tell("", 0);
  }

  update(changes: ReadonlySet<Change>): void {
    if (this.#box.value && (changes.has("plan") || changes.has("tree"))) this.#search();
  }

  destroy = () => undefined;

  #search(): void {
    const text = this.#box.value.trim();
    let nodes: number[] = [];
    let said = "";
    this.#selector = "";
    try {
      if (text) nodes = select(this.page.tree, this.page.plan, text);
      this.#selector = nodes.length ? text : "";
      if (text && !nodes.length) nodes = containing(this.page, text);
      said = text && (nodes.length ? `${nodes.length.toLocaleString("en")} module${nodes.length === 1 ? "" : "s"}${this.#selector ? "" : " with that in the name"}` : "nothing found");
    } catch (error) {
      said = (error as Error).message;
    }
    this.page.find(nodes);
    this.#tell(said, nodes.length);
  }

  #tell(said: string, count: number): void {
    setText(this.#found, said);
    setAttributes(this.element, { "data-count": count });
    for (const each of [...this.#steps, ...this.#marks]) each.disabled = count === 0;
  }

  #mark(verb: Verb): void {
    const { hits } = this.page;
    void this.page.command("mark", this.#selector ? { verb, selector: this.#selector } : { verb, indices: runsOf(hits) }, hits);
  }

  /** To the next find after the focused module, or before it, in a circle. */
  #step(by: number): void {
    const { hits, focused } = this.page;
    if (!hits.length) return;
    const after = by > 0 ? hits.find((node) => node > focused) : hits.findLast((node) => node < focused);
    this.page.reveal(after ?? hits[by > 0 ? 0 : hits.length - 1]);
    this.#box.focus();
  }

  #press(event: KeyboardEvent): void {
    if (event.key === "Enter") this.#step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      this.#box.value = "";
      this.#search();
      this.page.focusTree();
    } else return;
    event.preventDefault();
  }
}

const WORDS: Record<Verb, string> = { fully_shard: "Fully shard", replicate: "Replicate", ignore: "Ignore", clear: "Clear" };

function containing({ tree }: Page, text: string): number[] {
  const piece = text.toLowerCase();
  const types = tree.classes.map(([type]) => type.toLowerCase().includes(piece));
  const nodes: number[] = [];
  for (let at = 0; at < tree.size; at++) if (types[tree.cls[at]] || tree.names[at].toLowerCase().includes(piece)) nodes.push(at);
  return nodes;
}

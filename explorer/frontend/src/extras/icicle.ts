// The icicle: the model as a strip across the top, width by parameters, colour as the rows have it. A click shows the
// module in the tree; arrows walk over the rectangles. Solid with a letter: marked; pale with a border: managed from above.
import { h, setAttributes } from "../dom";
import { fqnOf } from "../payload";
import { STATUSES } from "../plan";
import { glyphOf, shortNumel, STATUS_WORDS } from "../words";
import type { Change, Page, Panel } from "./contract";
import { Palette, penFor } from "./paint";
import { blocksOf, moduleAt, type Block } from "./strip";

export const HEIGHT = 28;
const LEVELS = 3;
const BAND = HEIGHT / LEVELS;
const LETTER_WIDTH = 11; // a rectangle that narrow has room for its letter

export class Icicle implements Panel {
  private canvas = h("canvas", { "aria-hidden": "true" });
  readonly element = h("div", { class: "icicle", "data-role": "icicle", tabindex: 0, role: "slider", "aria-label": "Parameters by module" }, this.canvas);
  private palette: Palette;
  private blocks: Block[] = [];
  private top = 0; // level drawn first: levels that are one module alone say nothing
  private chosen = 0;

  constructor(private page: Page) {
    this.palette = new Palette(page.root);
    this.element.addEventListener("click", (event) => this.show(this.under(event)));
    this.element.addEventListener("mousemove", (event) => setAttributes(this.element, { title: this.words(this.under(event)) }));
    this.element.addEventListener("keydown", (event) => this.press(event));
  }

  update(changes: ReadonlySet<Change>): void {
    if (changes.has("theme")) this.palette.forget();
    if (changes.has("tree") || changes.has("size")) this.measure();
    if (["tree", "plan", "theme", "size", "colour", "focus"].some((change) => changes.has(change as Change))) this.draw();
  }

  destroy = () => undefined;

  private measure(): void {
    const blocks = blocksOf(this.page.tree, this.element.clientWidth, LEVELS + 8);
    const alone = (level: number) => blocks.filter((block) => block.level === level).length <= 1;
    this.top = 0;
    while (alone(this.top) && blocks.some(({ level }) => level > this.top)) this.top++;
    this.blocks = blocks.filter(({ level }) => level >= this.top && level < this.top + LEVELS);
    this.chosen = Math.min(this.chosen, Math.max(0, this.blocks.length - 1));
    this.element.hidden = this.blocks.length === 0;
  }

  private draw(): void {
    const pen = penFor(this.canvas, this.element.clientWidth, HEIGHT);
    pen.font = "700 8px ui-monospace, monospace";
    pen.textBaseline = "middle";
    pen.textAlign = "center";
    for (const block of this.blocks) this.drawBlock(pen, block);
    this.outline(pen);
    this.announce();
  }

  private drawBlock(pen: CanvasRenderingContext2D, block: Block): void {
    const letter = this.status(block.node);
    const glyph = glyphOf(letter);
    const colour = this.palette.of(this.page.colourOf(block.node));
    const marked = letter === letter.toUpperCase();
    const [x, y, width, height] = this.place(block);
    if (letter !== "u") {
      pen.globalAlpha = marked ? 1 : 0.3;
      pen.fillStyle = colour;
      pen.fillRect(x, y, width, height);
      pen.globalAlpha = 1;
    }
    pen.strokeStyle = block.many > 1 ? "transparent" : colour;
    pen.setLineDash(letter === "u" ? [1, 2] : []);
    if (width > 2) pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    if (width < LETTER_WIDTH || !glyph) return;
    pen.fillStyle = this.palette.of(marked ? "var(--paper)" : "var(--ink)");
    pen.fillText(glyph, x + width / 2, y + height / 2 + 0.5);
  }

  /** Where the reader is: the rectangle that holds the focused module. */
  private outline(pen: CanvasRenderingContext2D): void {
    const { tree, focused } = this.page;
    const holding = this.blocks.filter(({ node, many, stride }) => node <= focused && focused < (many > 1 ? node + many * stride : tree.end[node]));
    const deepest = holding[holding.length - 1];
    if (!deepest) return;
    this.chosen = this.blocks.indexOf(deepest);
    const [x, y, width, height] = this.place(deepest);
    pen.setLineDash([]);
    pen.strokeStyle = this.palette.of("var(--ring)");
    pen.lineWidth = 2;
    pen.strokeRect(x + 1, y + 1, Math.max(1, width - 2), height - 2);
    pen.lineWidth = 1;
  }

  private place = ({ left, width, level }: Block): [number, number, number, number] =>
    [left, (level - this.top) * BAND, Math.max(width - (width > 4 ? 1 : 0), 1), BAND - 0.5];

  private status = (node: number) => STATUSES[this.page.plan.status[node]];

  private under(event: MouseEvent): number {
    const box = this.element.getBoundingClientRect();
    return moduleAt(this.blocks, event.clientX - box.left, this.top + Math.floor((event.clientY - box.top) / BAND));
  }

  private show(node: number): void {
    if (node >= 0) this.page.reveal(node);
  }

  private words(node: number): string {
    if (node < 0) return "";
    const { tree } = this.page;
    const numel = tree.total[tree.cls[node]];
    const share = ((100 * numel) / tree.total[tree.cls[0]]).toFixed(1);
    return `${fqnOf(tree, node) || "(root)"}, ${tree.classes[tree.cls[node]][0]}: ${shortNumel(numel)} parameters, ${share} %, ${STATUS_WORDS[this.status(node)]}`;
  }

  private announce(): void {
    const block = this.blocks[this.chosen];
    setAttributes(this.element, {
      "aria-valuemin": 0, "aria-valuemax": Math.max(0, this.blocks.length - 1), "aria-valuenow": this.chosen,
      "aria-valuetext": block ? this.words(block.node) : "no parameters",
    });
  }

  /** Left and Right to the neighbours of a level, Up and Down to the rectangles above and below. */
  private press(event: KeyboardEvent): void {
    const { node, level, left } = this.blocks[this.chosen] ?? { node: -1, level: 0, left: 0 };
    const sameLevel = this.blocks.filter((block) => block.level === level);
    const nth = sameLevel.findIndex((block) => block.node === node);
    const near = (wanted: number) => this.blocks.filter((block) => block.level === wanted && block.left <= left + 0.5).at(-1) ?? this.blocks.find((block) => block.level === wanted);
    const next = {
      ArrowLeft: () => sameLevel[nth - 1], ArrowRight: () => sameLevel[nth + 1], ArrowUp: () => near(level - 1), ArrowDown: () => near(level + 1),
      Home: () => sameLevel[0], End: () => sameLevel.at(-1), Enter: () => this.blocks[this.chosen],
    }[event.key];
    if (!next) return;
    event.preventDefault();
    const block = next();
    if (block) this.page.reveal(block.node);
    this.element.focus();
  }
}

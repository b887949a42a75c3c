// The boundary of a unit, dragged by its chip or its lane: up to the parents of its modules, down to their children. What it
// would mark is outlined and said while it is dragged; Escape lets it be. Alt+arrows do the same to what is selected.
import { STATUSES } from "../plan";
import type { Row } from "../rows";
import { labelOf } from "../rows";
import type { Core } from "./core";
import { targetsOf, type Way } from "./levels";
import { membersOf } from "./members";
import { runsOf } from "./runlist";
import { selectedModules } from "./selection";

const LANE = 10; // px at the left edge of a row that are taken for its lane
const SLACK = 6; // px that a click may shake
const KINDS = ["pointerdown", "pointermove", "pointerup", "pointercancel"];

export interface Mover {
  outline(nodes: readonly number[]): void;
  tell(text: string): void;
  command(cmd: string, fields: object, marks: readonly number[]): Promise<boolean>;
}

interface Drag {
  row: Row;
  from: number; // y
  way: Way | null;
}

export class Boundary {
  #drag: Drag | null = null;

  constructor(private core: Core, private mover: Mover) {
    for (const kind of KINDS) core.view.rows.addEventListener(kind, this.#heard);
    core.root.addEventListener("keydown", this.#cancel, true);
  }

  /** Moves the boundary of these modules; Python refuses what cannot be. */
  move(nodes: readonly number[], way: Way): void {
    const targets = targetsOf(this.core.outline.tree, nodes, way);
    void this.mover.command("boundary", { way, indices: runsOf(nodes) }, targets);
  }

  /** Of the selected modules those that are units; all of them, to be refused in words, when none is. */
  moveSelected(way: Way): void {
    const { outline } = this.core;
    const selected = selectedModules(outline);
    const units = selected.filter((node) => STATUSES[outline.plan.status[node]] === "F");
    if (selected.length) this.move(units.length ? units : selected, way);
  }

  destroy(): void {
    for (const kind of KINDS) this.core.view.rows.removeEventListener(kind, this.#heard);
    this.core.root.removeEventListener("keydown", this.#cancel, true);
  }

  #heard = (event: Event): void => {
    if (event.type === "pointerdown") this.#grab(event as PointerEvent);
    else if (event.type === "pointermove") this.#pull(event as PointerEvent);
    else if (event.type === "pointerup") this.#drop();
    else this.#cancel(event);
  };

  #grab(event: PointerEvent): void {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>(".row");
    if (event.button !== 0 || !element) return;
    const onLane = event.clientX - element.getBoundingClientRect().left < LANE;
    const row = this.core.outline.rows[Number(element.dataset.row)];
    if (row.ref >= 0 || STATUSES[this.core.outline.plan.status[row.node]] !== "F" || !(onLane || target.dataset.cell === "unit")) return;
    this.#drag = { row, from: event.clientY, way: null };
  }

  #pull(event: PointerEvent): void {
    if (!this.#drag) return;
    const { row, from, way: before } = this.#drag;
    const by = event.clientY - from;
    const way = Math.abs(by) < SLACK ? null : by < 0 ? "up" : "down";
    if (way === before) return;
    this.core.view.rows.setPointerCapture?.(event.pointerId); // the click that ends it is no row's
    this.#drag.way = way;
    const targets = way ? targetsOf(this.core.outline.tree, membersOf(row), way) : [];
    this.mover.outline(targets);
    this.mover.tell(way ? this.#said(row, way, targets) : "The boundary stays where it is.");
    this.core.root.toggleAttribute("data-dragging", way !== null);
  }

  #drop(): void {
    const drag = this.#end();
    if (drag?.way) this.move(membersOf(drag.row), drag.way);
  }

  #cancel = (event: Event): void => {
    const key = (event as KeyboardEvent).key ?? "Escape";
    if (key !== "Escape" || !this.#end()) return;
    this.mover.tell("The boundary stays where it is.");
    event.stopPropagation();
  };

  #end(): Drag | null {
    const drag = this.#drag;
    this.#drag = null;
    this.core.root.removeAttribute("data-dragging");
    if (drag?.way) this.mover.outline([]);
    return drag;
  }

  #said(row: Row, way: Way, targets: readonly number[]): string {
    const { tree } = this.core.outline;
    const name = labelOf(tree, row) || "the root module";
    const many = `${targets.length.toLocaleString("en")} module${targets.length === 1 ? "" : "s"}`;
    if (targets.length === 0) return `There is no level ${way === "up" ? "above" : "below"} ${name} to move the boundary to.`;
    return `Let go to move the boundary of ${name} ${way} to ${many}; Escape lets it be.`;
  }
}

// @vitest-environment jsdom
import "./browser";
import { expect, it, vi } from "vitest";
import { VirtualList } from "../src/virtual";

const SEEN = 240; // px

function listOf(count: number) {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(SEEN);
  const list = new VirtualList(24, {}, () => document.createElement("p"), (element, row) => (element.textContent = String(row)));
  document.body.replaceChildren(list.view);
  list.show(count);
  return list;
}

const shown = (list: VirtualList) => [...list.view.querySelectorAll("p:not([hidden])")].map((each) => Number(each.textContent)).sort((a, b) => a - b);

/** Where a row stands on the screen, in pixels from the upper edge. */
const topOf = (list: VirtualList, row: number) => Number(/translateY\((-?[\d.]+)px\)/.exec(list.elementOf(row)!.style.transform)![1]) - list.view.scrollTop;

it("holds a few elements of any number of rows", () => {
  const list = listOf(100_000);
  expect(shown(list)).toEqual([...Array(13).keys()]);
  list.show(100_000, 50_000);
  expect(shown(list)).toContain(50_000);
  expect(list.view.querySelectorAll("p").length).toBeLessThanOrEqual(13);
});

it("reaches both ends of more rows than a browser can make tall, and every row between", () => {
  const rows = 3_000_000;
  const list = listOf(rows);
  const pad = list.view.firstElementChild as HTMLElement;
  expect(parseFloat(pad.style.height)).toBe(16_000_000);
  for (const row of [1, 1_234_567, rows - 1]) {
    list.show(rows, row);
    expect(shown(list)).toContain(row);
    expect(topOf(list, row)).toBeGreaterThanOrEqual(-24);
    expect(topOf(list, row)).toBeLessThanOrEqual(SEEN);
  }
  list.view.scrollTop = 16_000_000 - SEEN;
  list.paint();
  expect(topOf(list, rows - 1)).toBeCloseTo(SEEN - 24, 0);
});

it("brings a row in below those that are pinned over it", () => {
  const list = listOf(1000);
  list.show(1000, 500);
  list.show(1000, 480, 4);
  expect(list.first).toBe(476);
});

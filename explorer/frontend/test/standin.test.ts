// @vitest-environment jsdom
// The static tree gives way to the widget, and takes the place of the host's error.
import { beforeEach, expect, it, vi } from "vitest";
import { standIn } from "../src/standin";

let rows: HTMLElement[];
const seen = () => rows.map((row) => row.style.display !== "none");

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<div class="jp-OutputArea"><div class="jp-OutputArea-child"><div data-shx-static></div></div><div class="jp-OutputArea-child"></div></div>';
  rows = [...document.querySelectorAll<HTMLElement>(".jp-OutputArea-child")];
  standIn(document.querySelector<HTMLElement>("[data-shx-static]")!);
  return () => vi.useRealTimers();
});

function drawWidget(): HTMLElement {
  const host = document.createElement("div");
  host.attachShadow({ mode: "open" }).innerHTML = '<div class="shx"></div>';
  host.setAttribute("data-lm-suppress-shortcuts", "true");
  rows[1].append(host);
  return host;
}

const observed = () => vi.advanceTimersByTimeAsync(0);

it("waits for a page on its way, and stays away when it comes", async () => {
  expect(seen()).toEqual([false, true]);
  drawWidget();
  await vi.advanceTimersByTimeAsync(2000);
  expect(seen()).toEqual([false, true]);
});

it("is seen when no page comes, and again when it goes", async () => {
  await vi.advanceTimersByTimeAsync(2000);
  expect(seen()).toEqual([true, true]);
  const host = drawWidget();
  await observed();
  expect(seen()).toEqual([false, true]);
  host.remove();
  await observed();
  expect(seen()).toEqual([true, true]);
});

it("takes the place of the error at once", async () => {
  rows[1].append("Error displaying widget: model not found");
  await observed();
  expect(seen()).toEqual([true, false]);
});

it("leaves other hosts alone", () => {
  document.body.innerHTML = "<div data-shx-static></div>";
  const still = document.querySelector<HTMLElement>("[data-shx-static]")!;
  standIn(still);
  expect(still.style.display).toBe("");
});

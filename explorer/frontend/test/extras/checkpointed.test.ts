// @vitest-environment jsdom
import { expect, it } from "vitest";
import { isCheckpointed } from "../../src/extras/words";
import { difference } from "../../src/fold";
import { materialise, type ModuleClass } from "../../src/payload";
import { panelsCame, row, show, viewPerTest } from "../page";
import { decodePlan, planState, stack } from "../shapes";

viewPerTest();

/** The last of the blocks is checkpointed. */
function lastOneCheckpointed() {
  const payload = stack(3);
  const tree = materialise(payload);
  const block = tree.cls[3];
  const [type, own, kids] = payload.classes[block];
  const list = payload.classes[tree.cls[2]];
  payload.classes.splice(block + 1, 0, [type, own, kids, "c"] as ModuleClass);
  for (const each of payload.classes) each[2] = each[2].map(([from, to, cls]) => [from, to, cls > block ? cls + 1 : cls]);
  payload.root += 1;
  list[2] = [["0", "1", block], ["2", null, block + 1]];
  return payload;
}

it("a checkpointed module has a double border and says so, and does not fold with others", async () => {
  const payload = lastOneCheckpointed();
  const tree = materialise(payload);
  const [one, last] = [tree.names.indexOf("1"), tree.names.lastIndexOf("2")];
  expect([isCheckpointed(tree, one), isCheckpointed(tree, last)]).toEqual([false, true]);
  expect(difference(tree, decodePlan(planState(), tree.size), one, last)).toBe("structure");
  show(payload, planState());
  await panelsCame();
  const shown = row("h.2");
  expect(shown.getAttribute("data-checkpointed")).toBe("true");
  expect(shown.querySelector(".words")!.textContent).toContain("checkpointed");
  expect(document.querySelectorAll("[data-checkpointed]")).toHaveLength(0); // all inside the page's own root
  expect(shown.parentElement!.querySelectorAll(".row[data-checkpointed]")).toHaveLength(1);
});

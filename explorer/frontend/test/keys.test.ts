import { expect, it } from "vitest";
import { actionOf } from "../src/keys";

const press = (key: string, mods: object = {}) =>
  actionOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...mods }, 17);

it.each([
  ["ArrowDown", {}, { do: "move", by: 1, extend: false }],
  ["ArrowUp", { shiftKey: true }, { do: "move", by: -1, extend: true }],
  ["PageDown", {}, { do: "move", by: 17, extend: false }],
  ["End", {}, { do: "edge", end: true, extend: false }],
  ["ArrowRight", {}, { do: "open" }],
  ["ArrowLeft", {}, { do: "close" }],
  ["Enter", {}, { do: "enter" }],
  ["f", {}, { do: "mark", verb: "fully_shard" }],
  ["R", { shiftKey: true }, { do: "mark", verb: "replicate" }],
  ["i", {}, { do: "mark", verb: "ignore" }],
  ["u", {}, { do: "mark", verb: "clear" }],
  ["g", {}, { do: "group" }],
  ["z", { ctrlKey: true }, { do: "undo" }],
  ["Z", { metaKey: true, shiftKey: true }, { do: "redo" }],
  ["y", { ctrlKey: true }, { do: "redo" }],
  ["+", { shiftKey: true }, { do: "openAll" }],
  ["*", { shiftKey: true }, { do: "openSiblings" }],
  ["l", {}, { do: "selectLike" }],
  ["/", {}, { do: "find" }],
  ["h", {}, { do: "typeAhead", char: "h" }],
  ["3", {}, { do: "typeAhead", char: "3" }],
  ["Escape", {}, { do: "leave" }],
])("%s %o", (key, mods, action) => expect(press(key, mods)).toEqual(action));

it.each([["c", { ctrlKey: true }], ["f", { altKey: true }], ["Tab", {}], ["F5", {}], ["r", { metaKey: true }]])(
  "leaves %s %o to the browser",
  (key, mods) => expect(press(key, mods)).toBeNull(),
);

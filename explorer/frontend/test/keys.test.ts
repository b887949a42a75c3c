import { expect, it } from "vitest";
import { editOf } from "../src/extras/keys";
import { actionOf, type Key } from "../src/keys";

const pressed = (key: string, mods: object): Key => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...mods });
const walks = (key: string, mods: object) => actionOf(pressed(key, mods), 17);
const edits = (key: string, mods: object) => editOf(pressed(key, mods));

it.each([
  ["ArrowDown", {}, { do: "move", by: 1, extend: false }],
  ["ArrowUp", { shiftKey: true }, { do: "move", by: -1, extend: true }],
  ["PageDown", {}, { do: "move", by: 17, extend: false }],
  ["End", {}, { do: "move", by: Infinity, extend: false }],
  ["ArrowRight", {}, { do: "open" }],
  ["ArrowLeft", {}, { do: "close" }],
  ["Enter", {}, { do: "enter" }],
  ["+", { shiftKey: true }, { do: "openAll" }],
  ["*", { shiftKey: true }, { do: "openSiblings" }],
  ["h", {}, { do: "typeAhead", char: "h" }],
  ["3", {}, { do: "typeAhead", char: "3" }],
])("%s %o", (key, mods, action) => expect([walks(key, mods), edits(key, mods)]).toEqual([action, null]));

it.each([
  ["f", {}, { do: "mark", verb: "fully_shard" }],
  ["R", { shiftKey: true }, { do: "mark", verb: "replicate" }],
  ["i", {}, { do: "mark", verb: "ignore" }],
  ["u", {}, { do: "mark", verb: "clear" }],
  ["g", {}, { do: "group" }],
  ["z", { ctrlKey: true }, { do: "undo" }],
  ["Z", { metaKey: true, shiftKey: true }, { do: "redo" }],
  ["y", { ctrlKey: true }, { do: "redo" }],
  ["l", {}, { do: "selectLike" }],
  ["/", {}, { do: "find" }],
  ["Escape", {}, { do: "leave" }],
])("%s %o edits", (key, mods, edit) => expect(edits(key, mods)).toEqual(edit));

it.each([["c", { ctrlKey: true }], ["f", { altKey: true }], ["Tab", {}], ["F5", {}], ["r", { metaKey: true }]])(
  "leaves %s %o to the browser",
  (key, mods) => expect([walks(key, mods), edits(key, mods)]).toEqual([null, null]),
);

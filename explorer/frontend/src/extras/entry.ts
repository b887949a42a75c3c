// The second module: every panel that the page asks for by name. See contract.ts for both sides of the border.
import { CodePanel } from "./code";
import { ComparePanel } from "./compare";
import compareStyle from "./compare.css";
import type { Extras } from "./contract";
import style from "./extras.css";
import { Icicle } from "./icicle";
import mapsStyle from "./maps.css";
import { Minimap } from "./minimap";
import { OrdersPanel } from "./orders";
import { PlayerPanel } from "./player";
import playerStyle from "./player.css";
import { RemarksPanel } from "./remarks";
import { RunPanel } from "./runbar";

const extras: Extras = {
  style: [style, playerStyle, compareStyle, mapsStyle].join("\n"),
  panels: {
    run: { slot: "tab", label: "Run", make: (page) => new RunPanel(page) },
    orders: { slot: "tab", label: "Orders", make: (page) => new OrdersPanel(page) },
    compare: { slot: "tab", label: "Compare", make: (page) => new ComparePanel(page) },
    player: { slot: "tab", label: "Player", make: (page) => new PlayerPanel(page) },
    findings: { slot: "tab", label: "Findings", make: (page) => new RemarksPanel(page) },
    code: { slot: "tab", label: "Code", make: (page) => new CodePanel(page) },
    icicle: { slot: "top", label: "Parameters", make: (page) => new Icicle(page) },
    minimap: { slot: "edge", label: "Minimap", make: (page) => new Minimap(page) },
  },
};

export default extras;

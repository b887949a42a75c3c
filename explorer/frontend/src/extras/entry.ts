// The second module: every panel that the page asks for by name. See contract.ts for both sides of the border.
import { Appearance } from "./appearance";
import { Board } from "./board";
import { ChangesPanel } from "./changes";
import changesStyle from "./changes.css";
import { CodePanel } from "./code";
import { ComparePanel } from "./compare";
import compareStyle from "./compare.css";
import type { PanelKind } from "./contract";
import type { Core, Extras } from "./core";
import extrasStyle from "./extras.css";
import { EnginesPanel } from "./engines";
import { Finder } from "./finder";
import { CostsPanel } from "./costspanel";
import costsStyle from "./costs.css";
import { Icicle } from "./icicle";
import { Inspector } from "./inspector";
import inspectorStyle from "./inspector.css";
import mapsStyle from "./maps.css";
import { Minimap } from "./minimap";
import { OrdersPanel } from "./orders";
import { PlayerPanel } from "./player";
import playerStyle from "./player.css";
import rowsStyle from "./rows.css";
import { RemarksPanel } from "./remarks";
import { RunPanel } from "./runbar";

const panels: Record<string, PanelKind> = {
  run: { slot: "tab", label: "Run", make: (page) => new RunPanel(page) },
  orders: { slot: "tab", label: "Orders", make: (page) => new OrdersPanel(page) },
  compare: { slot: "tab", label: "Compare", make: (page) => new ComparePanel(page) },
  player: { slot: "tab", label: "Player", make: (page) => new PlayerPanel(page) },
  findings: { slot: "tab", label: "Findings", make: (page) => new RemarksPanel(page) },
  changes: { slot: "tab", label: "Changes", make: (page) => new ChangesPanel(page) },
  code: { slot: "tab", label: "Code", make: (page) => new CodePanel(page) },
  costs: { slot: "tab", label: "Costs", make: (page) => new CostsPanel(page) },
  engines: { slot: "tab", label: "Engines", make: (page) => new EnginesPanel(page) },
  inspector: { slot: "side", label: "Inspector", make: (page) => new Inspector(page) },
  finder: { slot: "tools", label: "Find", make: (page) => new Finder(page) },
  appearance: { slot: "tools", label: "Appearance", make: (page) => new Appearance(page) },
  icicle: { slot: "top", label: "Parameters", make: (page) => new Icicle(page) },
  minimap: { slot: "edge", label: "Minimap", make: (page) => new Minimap(page) },
};

const style = [rowsStyle, extrasStyle, playerStyle, compareStyle, mapsStyle, inspectorStyle, costsStyle, changesStyle].join("\n");

const extras: Extras = { start: (core: Core) => new Board(core, panels, style) };

export default extras;

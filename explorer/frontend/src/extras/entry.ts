// The second module: every panel that the page asks for by name. See contract.ts for both sides of the border.
import { CodePanel } from "./code";
import type { Extras } from "./contract";
import style from "./extras.css";
import { OrdersPanel } from "./orders";
import { RemarksPanel } from "./remarks";
import { RunPanel } from "./runbar";

const extras: Extras = {
  style,
  panels: {
    run: { slot: "tab", label: "Run", make: (page) => new RunPanel(page) },
    orders: { slot: "tab", label: "Orders", make: (page) => new OrdersPanel(page) },
    findings: { slot: "tab", label: "Findings", make: (page) => new RemarksPanel(page) },
    code: { slot: "tab", label: "Code", make: (page) => new CodePanel(page) },
  },
};

export default extras;

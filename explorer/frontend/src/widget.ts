// The entry that anywidget loads. Nothing here waits: a module slow to initialise never hears its kernel again.
import { followTheme } from "./theme";
import { h } from "./dom";
import { Explorer } from "./explorer";
import { keepEvents, type Model } from "./host";
import style from "./widget.css";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const explorer = new Explorer(model);
  const shadow = el.shadowRoot ?? el.attachShadow({ mode: "open" });
  shadow.replaceChildren(h("style", {}, style), explorer.root);
  keepEvents(el);
  const endTheme = followTheme(explorer.root);
  const heard: [string, (message: never) => void][] = [
    ["change:tree", explorer.readTree],
    ["change:plan", explorer.readPlan],
    ["msg:custom", explorer.hear],
  ];
  for (const [event, callback] of heard) model.on(event, callback);
  explorer.readTree();
  readyOnceSeen(explorer, false);
  return () => {
    for (const [event, callback] of heard) model.off(event, callback);
    endTheme();
    explorer.destroy();
  };
}

/** Hosts may draw a view before they attach it; `data-ready` says that rows have been on the screen. */
function readyOnceSeen(explorer: Explorer, late: boolean): void {
  requestAnimationFrame(() => {
    const { outline, view, root } = explorer;
    if (!root.isConnected || (outline && !view.rows.clientHeight)) return readyOnceSeen(explorer, true);
    if (late && outline) view.draw(outline, true);
    requestAnimationFrame(() => explorer.ready());
    return undefined;
  });
}

export default { render };

// The static tree beside the widget in one output area of a notebook: it is seen while the widget is not, and then the
// host's word that the widget is missing is not. Runs where the host trusts the notebook; elsewhere the tree just stays.

const LIVE = "[data-lm-suppress-shortcuts]"; // what the page puts on the element it draws in
const MISSING = /model not found|Error displaying widget/;
const PATIENCE_MS = 1500;

const isLive = (area: Element) => [...area.querySelectorAll(LIVE)].some((host) => host.shadowRoot?.querySelector(".shx"));

/** Keeps one static tree and its neighbours right for as long as their output area lives. */
export function standIn(still: HTMLElement): void {
  const area = still.closest(".jp-OutputArea");
  const row = still.closest<HTMLElement>(".jp-OutputArea-child");
  if (!area || !row || row.dataset.standin) return;
  row.dataset.standin = "1";
  const show = (element: HTMLElement, shown: boolean) => void (element.style.display = shown ? "" : "none");
  const look = (patient = false) => {
    const live = isLive(area);
    const missing = [...area.querySelectorAll<HTMLElement>(".jp-OutputArea-child")].filter((each) => each !== row && MISSING.test(each.textContent ?? ""));
    show(row, !live && (!patient || missing.length > 0));
    for (const each of missing) show(each, false);
  };
  let patient = true; // a page on its way must not find the tree in its place
  setTimeout(() => look((patient = false)), PATIENCE_MS);
  new MutationObserver(() => look(patient)).observe(area, { childList: true, subtree: true, attributeFilter: ["data-lm-suppress-shortcuts"] });
  look(patient);
}

for (const still of document.querySelectorAll<HTMLElement>("[data-shx-static]")) standIn(still);

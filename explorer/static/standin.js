// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file.

// src/standin.ts
var LIVE = "[data-lm-suppress-shortcuts]";
var MISSING = /model not found|Error displaying widget/;
var PATIENCE_MS = 1500;
var isLive = (area) => [...area.querySelectorAll(LIVE)].some((host) => host.shadowRoot?.querySelector(".shx"));
function standIn(still) {
  const area = still.closest(".jp-OutputArea");
  const row = still.closest(".jp-OutputArea-child");
  if (!area || !row || row.dataset.standin) return;
  row.dataset.standin = "1";
  const show = (element, shown) => void (element.style.display = shown ? "" : "none");
  const look = (patient2 = false) => {
    const live = isLive(area);
    const missing = [...area.querySelectorAll(".jp-OutputArea-child")].filter((each) => each !== row && MISSING.test(each.textContent ?? ""));
    show(row, !live && (!patient2 || missing.length > 0));
    for (const each of missing) show(each, false);
  };
  let patient = true;
  setTimeout(() => look(patient = false), PATIENCE_MS);
  new MutationObserver(() => look(patient)).observe(area, { childList: true, subtree: true, attributeFilter: ["data-lm-suppress-shortcuts"] });
  look(patient);
}
for (const still of document.querySelectorAll("[data-shx-static]")) standIn(still);
export {
  standIn
};

// Light or dark: what the host page says, else what the system says.

/** Jupyter marks its body, VS Code gives it a class; null when the host says nothing. */
export function hostTheme(body: HTMLElement): "light" | "dark" | null {
  const jupyter = body.dataset.jpThemeLight;
  if (jupyter) return jupyter === "false" ? "dark" : "light";
  if (/\bvscode-(dark|high-contrast)\b/.test(body.className)) return "dark";
  return body.classList.contains("vscode-light") ? "light" : null;
}

/** Keeps `data-theme` of the root in step with the page; returns what ends that. */
export function followTheme(root: HTMLElement): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => (root.dataset.theme = hostTheme(document.body) ?? (system.matches ? "dark" : "light"));
  const observer = new MutationObserver(apply);
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  system.addEventListener("change", apply);
  apply();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", apply);
  };
}

// Bundles src/widget.ts and its style sheet into the one committed file that Python sends to the page.
// Run twice it writes the same bytes; `npm run build -- --check` fails when the committed file is stale.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const LIMIT = 40 * 1024;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = here("../static/explorer.js");
const check = process.argv.includes("--check");

// The style sheet rides inside the module, without its white space: a shadow root needs it as text.
const styleSheet = {
  name: "style-sheet-as-text",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await build({ entryPoints: [path], write: false, minify: true, charset: "utf8" });
      return { contents: css.outputFiles[0].text.trim(), loader: "text" };
    });
  },
};

// Members that only this module's own code names, always with a dot: never a field of a payload, an attribute or the host's.
const OWN_MEMBERS =
  "applyView failing folded isOpen isParent isSelected isSplit moduleTexts moved outline readPlan readRun readTree readView rebuild " +
  "refsOf referenceTexts rowHeight rowNear runPanel saveView saveViewSoon selectedIndices showPlan splitParents takeFocus tiesOf " +
  "toggleSplit unitAt unitOf";

const result = await build({
  absWorkingDir: here("."),
  entryPoints: ["src/widget.ts"],
  outfile: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  // The module is widget state: it travels with every widget and into every saved notebook. Minified, in short lines.
  minify: true,
  mangleProps: new RegExp(`^(${OWN_MEMBERS.replaceAll(" ", "|")})$`),
  lineLimit: 140,
  banner: { js: "// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file." },
  plugins: [styleSheet],
  write: false,
});
const bytes = Buffer.from(result.outputFiles[0].contents);

if (bytes.length > LIMIT) {
  console.error(`explorer.js has ${bytes.length} bytes, ${bytes.length - LIMIT} over its limit of ${LIMIT}`);
  process.exitCode = 1;
} else if (check) {
  const stale = !bytes.equals(readFileSync(target));
  if (stale) console.error("explorer/static/explorer.js is stale: run npm run build and commit it");
  process.exitCode = stale ? 1 : 0;
} else {
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(here("../static"), { recursive: true });
  writeFileSync(target, bytes);
  console.log(`explorer.js ${bytes.length} bytes`);
}

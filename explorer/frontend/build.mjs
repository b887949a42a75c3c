// Bundles the page (src/widget.ts), the panels that come on demand (src/extras/entry.ts), each with its style sheet, and
// what an exported page (src/saved.ts, src/exported.ts) and a static tree (src/standin.ts) run into the committed files.
// Names, lines and style rules stay, so that what a notebook carries can be read and a change of it reviewed; only both
// modules in one, which an exported file of at most 100 KB carries, are minified. Run twice this writes the same bytes;
// `npm run build -- --check` fails when one is stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const check = process.argv.includes("--check");

// The page is widget state: it travels with every widget and into every saved notebook. The panels travel once a page.
const BUNDLES = [
  { entry: "src/widget.ts", file: "explorer.js", limit: 40 * 1024 },
  { entry: "src/extras/entry.ts", file: "extras.js", limit: 256 * 1024 },
  { entry: "src/exported.ts", file: "exported.js", limit: 192 * 1024, minify: true },
  { entry: "src/saved.ts", file: "saved.js", limit: 4 * 1024 },
  { entry: "src/standin.ts", file: "standin.js", limit: 2 * 1024 },
];

// The style sheet rides inside the module as it is written: a shadow root needs it as text.
const styleSheet = {
  name: "style-sheet-as-text",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /\.css$/ }, ({ path }) => ({ contents: `export default \`\n${readFileSync(path, "utf8")}\`;`, loader: "js" }));
  },
};

/** Without the comments that are for readers of the sources; where a part comes from stays. */
const bare = (text) => text.replaceAll("/* @__PURE__ */ ", "").replace(/^ *(\/\*\*[^]*?\*\/|\/\/ (?!src\/|Built by).*)\n/gm, "");

async function bundle({ entry, file, limit, minify = false }) {
  const result = await build({
    absWorkingDir: here("."),
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    minify,
    lineLimit: minify ? 140 : 0,
    banner: { js: "// Built by explorer/frontend (npm run build). Edit the TypeScript there, not this file." },
    plugins: [styleSheet],
    write: false,
  });
  const bytes = Buffer.from(bare(result.outputFiles[0].text));
  if (bytes.length > limit) throw new Error(`${file} has ${bytes.length} bytes, ${bytes.length - limit} over its limit of ${limit}`);
  return bytes;
}

for (const each of BUNDLES) {
  const target = here(`../static/${each.file}`);
  try {
    const bytes = await bundle(each);
    if (!check) {
      mkdirSync(here("../static"), { recursive: true });
      writeFileSync(target, bytes);
      console.log(`${each.file} ${bytes.length} bytes`);
    } else if (!bytes.equals(readFileSync(target))) {
      throw new Error(`explorer/static/${each.file} is stale: run npm run build and commit it`);
    }
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

// The one call of Node's that tests need: its types are no dependency of this project.
declare module "node:fs" {
  export function readFileSync(path: URL, encoding: "utf8"): string;
}

// The second module of the page: asked from the kernel when it is first needed, imported from a blob URL, and kept for
// every widget of the page. Where no kernel answers there are no panels, and the page says so.
import type { Conversation } from "./commands";
import type { Extras } from "./extras/core";

type Importing = (text: string) => Promise<{ default: Extras }>;
type Kept = Map<string, Promise<Extras>>;

export const EXPORTED = "exported"; // digest of the module in an exported page: it is there already
const KEPT = Symbol.for("sharding-explorer.chunks");

/** By digest of the text, shared by the widgets of a page, whatever kernel they belong to. */
export const kept = (): Kept => ((globalThis as Record<symbol, unknown>)[KEPT] ??= new Map()) as Kept;

const fromBlob: Importing = async (text) => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return (await import(/* @vite-ignore */ url)) as { default: Extras };
  } finally {
    URL.revokeObjectURL(url);
  }
};

/** Asks for the module; rejects with a text for the reader. */
export async function loadExtras(talk: Conversation, importing: Importing = fromBlob): Promise<Extras> {
  const known = kept();
  const reply = await talk.ask("chunk", { name: "extras", have: [...known.keys()] });
  if (!reply.ok) throw new Error(reply.error?.detail ?? "The kernel refused and gave no reason.");
  const { digest, text } = reply.value as { digest: string; text: string | null };
  const module = known.get(digest) ?? importing(text!).then((loaded) => loaded.default);
  known.set(digest, module);
  module.catch(() => known.delete(digest)); // asked again, it may load
  return module;
}

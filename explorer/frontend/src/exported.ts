// What an exported page carries: both modules in one, packed by explorer/standalone.py. The page finds the second where it
// keeps those that a kernel sent.
import { EXPORTED, kept } from "./chunk";
import extras from "./extras/entry";
import page from "./widget";

kept().set(EXPORTED, Promise.resolve(extras));

export default page;

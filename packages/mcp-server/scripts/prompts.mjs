// Prompts are edited in `prompts/` at the top of the tree; the package brings them along, so that they can be read and
// replaced where it is installed.
import { cpSync, rmSync } from "node:fs";

const copy = new URL("../prompts/", import.meta.url);
rmSync(copy, { recursive: true, force: true });
cpSync(new URL("../../../prompts/", import.meta.url), copy, { recursive: true });

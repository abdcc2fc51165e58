import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";

/** Who only cleans up at its start need not load the research. */
export default defineConfig({ ...library, entry: { index: "src/index.ts", scratch: "src/node/temp-files.ts" } });

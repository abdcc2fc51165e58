import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";

export default defineConfig({ ...library, entry: { index: "src/index.ts", "json-repair": "src/cli/bin.ts" } });

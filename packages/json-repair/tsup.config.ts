import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";
import { BUILT_IN } from "./built-in.config.js";

export default defineConfig({
  ...library,
  define: BUILT_IN,
  entry: {
    index: "src/index.ts",
    "json-repair": "src/cli/bin.ts",
    // What can be used without the rest is a file of its own: a bundler leaves the others out.
    result: "src/result.ts",
    "repair-json": "src/repair-json.ts",
  },
});

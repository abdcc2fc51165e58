import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";
import manifest from "./package.json" with { type: "json" };

/**
 * The programs; what they prove is not bundled into them but is the built packages. Single sources of the server come
 * with what only the server depends on.
 */
export default defineConfig({
  ...library,
  entry: {
    faults: "faults/main.ts",
    fuzz: "fuzz/main.ts",
    "growth-with-room": "fuzz/growth-with-room.ts",
    load: "load/main.ts",
    rendering: "bench/rendering.ts",
    siege: "siege/main.ts",
    "siege-witness": "siege/witness.ts",
  },
  external: Object.keys(manifest.devDependencies),
});

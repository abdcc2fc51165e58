import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";

/** The programs; what they prove is not bundled into them but is the built packages. */
export default defineConfig({
  ...library,
  entry: { faults: "faults/main.ts", fuzz: "fuzz/main.ts" },
  skipNodeModulesBundle: true,
});

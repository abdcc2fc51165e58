import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";

export default defineConfig({
  ...library,
  entry: { index: "src/index.ts", "testing/index": "src/testing/index.ts" },
  noExternal: ["@x/owned-files"],
});

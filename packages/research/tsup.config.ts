import { defineConfig } from "tsup";
import { library } from "../../tsup.shared.js";

export default defineConfig({
  ...library,
  entry: {
    index: "src/index.ts",
    node: "src/node/index.ts",
    "evidence-file": "src/evidence-file.ts",
    pages: "src/pages/index.ts",
    testing: "src/testing/index.ts",
    // A thread of its own, started by `pages`.
    "page-worker": "src/pages/page-worker.ts",
    // Another one, that searches documents.
    "search-worker": "src/pages/documents/search-worker.ts",
  },
  noExternal: ["@x/owned-files"],
});

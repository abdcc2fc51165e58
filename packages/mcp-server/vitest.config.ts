import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";
import manifest from "./package.json" with { type: "json" };

export default mergeConfig(
  shared,
  defineConfig({
    define: { __VERSION__: JSON.stringify(manifest.version) },
    // What is polled for waits for real programs as well.
    test: { maxWorkers: 3, expect: { poll: { timeout: 30_000 } } },
  }),
);

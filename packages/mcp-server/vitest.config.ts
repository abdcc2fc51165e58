import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";
import manifest from "./package.json" with { type: "json" };

export default mergeConfig(
  shared,
  defineConfig({
    define: { __VERSION__: JSON.stringify(manifest.version) },
    // Real programs are awaited: how long one takes on a busy machine says nothing of it, and meanwhile there is time.
    test: { maxWorkers: 2, testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } },
  }),
);

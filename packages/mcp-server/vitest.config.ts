import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";
import { BUILT_IN } from "./scripts/built-in.js";

export default mergeConfig(
  shared,
  defineConfig({
    define: BUILT_IN,
    // What is polled for waits for real programs as well.
    test: { maxWorkers: 3, expect: { poll: { timeout: 30_000 } } },
  }),
);

import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";
import { BUILT_IN } from "./built-in.config.js";

export default defineConfig({
  ...shared,
  define: BUILT_IN,
  // The tests share nothing but code without state: one thread for all of them starts once.
  test: { ...shared.test, pool: "threads", isolate: false, maxWorkers: 1 },
});

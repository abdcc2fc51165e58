import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";

export default defineConfig({
  ...shared,
  // The tests share nothing but code without state: one thread for all of them starts once.
  test: { ...shared.test, pool: "threads", isolate: false, maxWorkers: 1 },
});

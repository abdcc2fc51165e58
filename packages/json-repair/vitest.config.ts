import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.shared.js";
import { BUILT_IN } from "./built-in.config.js";

const LONG = ["test/long.test.ts"];

export default defineConfig({
  ...shared,
  define: BUILT_IN,
  test: {
    ...shared.test,
    projects: [
      // The tests share nothing but code without state: one thread for all of them starts once.
      { extends: true, test: { name: "all", exclude: LONG, pool: "threads", isolate: false, maxWorkers: 1 } },
      // As V8 compiles patterns in a large program: such a pattern keeps each sign of a run on a stack.
      {
        resolve: shared.resolve,
        define: BUILT_IN,
        test: {
          name: "long",
          include: LONG,
          pool: "forks",
          execArgv: ["--no-regexp-optimization"],
          testTimeout: 120_000,
        },
      },
    ],
  },
});

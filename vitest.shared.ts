/**
 * What the tests of every package share. Siblings are read as sources, so a stale `dist` cannot mislead.
 * The JSON report is what the closing line of the whole run is counted from.
 */
export const shared = {
  resolve: { conditions: ["@x/source"] },
  ssr: { resolve: { conditions: ["@x/source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "json"],
    outputFile: { json: ".turbo/vitest.json" },
    // A worker of its own for every file costs more than most files; no test changes what another one sees.
    isolate: false,
    // Real programs are awaited: how long one takes on a busy machine says nothing of it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

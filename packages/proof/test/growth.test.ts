import * as fc from "fast-check";
import { test } from "vitest";
import { costOf, type GrowingText, growing, textOf, WAYS } from "../fuzz/growth.js";

/** What once took seconds or minutes, or nearly did. */
const SLOW: readonly GrowingText[] = [
  { atoms: ["\n"], head: "", tail: "x" },
  { atoms: [": x\n", "\n"], head: "", tail: '{"a":1}' },
  { atoms: ["\r"], head: "{'a':'", tail: "" },
  { atoms: ["’", "｛", "```"], head: "{", tail: "]" },
  { atoms: ['"', "a", '"', "C:\\", "null"], head: "[", tail: '"]' },
  { atoms: ['{"success": true, "report": }', "\n"], head: "", tail: "" },
  { atoms: ["{},"], head: "", tail: "" },
];

// Each is ended by a limit of its own; what grows with the square of the length does not come back in it.
test.each(Object.keys(WAYS))("%s: what once was slow, and a sample of what the fuzzing throws at it", (way) => {
  for (const slow of SLOW) costOf(way, textOf(slow));
  fc.assert(
    fc.property(growing, (made) => {
      costOf(way, textOf(made));
    }),
    { seed: 20_261_122, numRuns: 6 },
  );
});

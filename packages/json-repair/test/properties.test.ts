import fc from "fast-check";
import { test } from "vitest";
import { createPartialParser, extractJson, repairJson } from "../src/index.js";
import { properties } from "./properties.js";

// New seeds are for `fuzz/fuzz.mjs`: what was green for one change must be so for the next.
test.each(Object.entries(properties({ extractJson, repairJson, createPartialParser })))("%s", (_, property) => {
  fc.assert(property, { numRuns: 300, seed: 20_261_122 });
});

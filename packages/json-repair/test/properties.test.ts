import fc from "fast-check";
import { test } from "vitest";
import { createPartialParser, extractJson, repairJson } from "../src/index.js";
import { properties } from "./properties.js";

test.each(Object.entries(properties({ extractJson, repairJson, createPartialParser })))("%s", (_, property) => {
  fc.assert(property, { numRuns: 300 });
});

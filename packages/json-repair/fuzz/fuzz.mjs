// Runs the properties of the tests for longer, on the built package: `pnpm fuzz --minutes 10 --seed 1`.
import { parseArgs } from "node:util";
import * as implementation from "@x/json-repair";
import fc from "fast-check";
import { properties } from "../test/properties.js";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
});
const minutes = Number(values.minutes);
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error("--minutes takes a number above 0, --seed a whole number");
console.log(`seed ${seed}, ${minutes} minutes`);

const all = Object.entries(properties(implementation));
const until = performance.now() + minutes * 60_000;
const runs = new Map(all.map(([name]) => [name, 0]));
for (let round = 0; performance.now() < until; round++) {
  for (const [name, property] of all) {
    const result = fc.check(property, { numRuns: 1_000, seed: seed + round });
    runs.set(name, runs.get(name) + result.numRuns);
    if (!result.failed) continue;
    console.error(`FAILED: ${name}\nround ${round}: ${fc.defaultReportMessage(result)}`);
    process.exit(1);
  }
}
for (const [name, count] of runs) console.log(`${String(count).padStart(9)}  ${name}`);
console.log("nothing found");

// Accuracy, speed, memory and growth beside the peers: `pnpm bench`, and `pnpm bench --write` to put the tables into the
// README. Ends with an error that lists whatever misses what the package must reach. The peers are installed when the
// bench runs, at the versions of `peers.mjs`, into the temporary folder: a checkout and its tests do not wait for them.
// Build first. `--only speed --only accuracy` and `--tool jsonrepair` measure a part, which is then what is written.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { accuracy } from "./accuracy.mjs";
import { blind } from "./blind.mjs";
import { damage } from "./damage.mjs";
import { growth } from "./growth.mjs";
import { memory } from "./memory.mjs";
import { speed } from "./speed.mjs";

const { values: flags } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: {
    write: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    tool: { type: "string" },
  },
});
const readmeFile = new URL("../README.md", import.meta.url);

/** Puts the text between the marks of the part. */
function write(name, text) {
  const readme = readFileSync(readmeFile, "utf8");
  const [from, to] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [start, end] = [readme.indexOf(from), readme.indexOf(to)];
  if (start < 0 || end < 0) throw new Error(`the README has no place for ${name}`);
  writeFileSync(readmeFile, `${readme.slice(0, start + from.length)}\n${text}\n${readme.slice(end)}`);
}

const parts = { speed, memory, accuracy, blind, damage, growth };
const chosen = flags.only ?? Object.keys(parts);
if (!chosen.every((name) => Object.hasOwn(parts, name)))
  throw new Error(`--only takes one of ${Object.keys(parts).join(", ")}`);
const misses = [];
for (const [name, measure] of Object.entries(parts)) {
  if (!chosen.includes(name)) continue;
  const started = performance.now();
  const result = await measure({ only: flags.tool });
  console.log(`\n## ${name} (${((performance.now() - started) / 1e3).toFixed(0)} s)\n\n${result.text}`);
  misses.push(...result.misses.map((miss) => `${name}: ${miss}`));
  if (flags.write) write(name, result.text);
}
if (misses.length > 0) {
  console.error(`\nOUTSIDE OF THE LIMITS\n${misses.map((miss) => `- ${miss}`).join("\n")}`);
  process.exitCode = 1;
}

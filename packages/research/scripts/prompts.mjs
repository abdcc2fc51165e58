#!/usr/bin/env node
// Prompts are edited in `prompts/` at the top of the tree. This writes them into the source as the built-in copy, and
// copies the files into the package. With `--check`: exit 1 when the built-in copy is stale.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const from = new URL("../../../prompts/", import.meta.url);
const copy = new URL("../prompts/", import.meta.url);
const generated = new URL("../src/prompts/prompts.generated.ts", import.meta.url);

const texts = readdirSync(from)
  .filter((name) => name.endsWith(".md"))
  .sort()
  .map((name) => [name, readFileSync(new URL(name, from), "utf8").replaceAll("\r\n", "\n")]);
const source = [
  "// Written by scripts/prompts.mjs from prompts/*.md: edit those.",
  "export const promptFiles = {",
  ...texts.map(([name, text]) => `  ${JSON.stringify(name)}:\n    ${JSON.stringify(text)},`),
  "} as const;",
  "",
].join("\n");

if (process.argv.includes("--check")) {
  if (readFileSync(generated, "utf8").replaceAll("\r\n", "\n") !== source) {
    console.error("src/prompts/prompts.generated.ts is not what prompts/*.md say: run `node scripts/prompts.mjs`.");
    process.exitCode = 1;
  }
} else {
  writeFileSync(generated, source);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  for (const [name, text] of texts) writeFileSync(new URL(name, copy), text);
}

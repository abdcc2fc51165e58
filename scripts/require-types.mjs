#!/usr/bin/env node
// Writes beside every declaration of `dist` its form for `require()`: Node loads the module either way, but TypeScript reads
// the declarations of a `require()` from `.d.cts` alone.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

for (const name of readdirSync("dist", { recursive: true })) {
  if (!name.endsWith(".d.ts")) continue;
  const text = readFileSync(join("dist", name), "utf8");
  const retargeted = text.replaceAll(/(from "|import\(")(\.[^"]*)\.js"/g, '$1$2.cjs"');
  writeFileSync(join("dist", name.replace(/\.d\.ts$/, ".d.cts")), retargeted);
}

#!/usr/bin/env node
// The guard runs in the CLI's process, from a file that each run writes into its own folder. This bundles its source
// (`src/cli/guard/`) into one text in the source of the package. With `--check`: exit 1 when that text is stale.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

const entry = fileURLToPath(new URL("../src/cli/guard/main.ts", import.meta.url));
const generated = new URL("../src/cli/guard/guard.generated.ts", import.meta.url);

const outDir = mkdtempSync(join(tmpdir(), "guard-"));
try {
  await build({
    entry: { guard: entry },
    outDir,
    format: "cjs",
    target: "node20",
    platform: "node",
    splitting: false,
    config: false,
    silent: true,
  });
  const text = readFileSync(join(outDir, "guard.cjs"), "utf8").replaceAll(/^\/\/ .*\n/gm, "");
  const source = [
    "// Written by scripts/guard.mjs from the files beside it: edit those.",
    "export const guardProgram =",
    `  ${JSON.stringify(text)};`,
    "",
  ].join("\n");
  if (!process.argv.includes("--check")) {
    writeFileSync(generated, source);
  } else if (readFileSync(generated, "utf8").replaceAll("\r\n", "\n") !== source) {
    console.error(
      "src/cli/guard/guard.generated.ts is not what the files beside it say: run `node scripts/guard.mjs`.",
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(outDir, { recursive: true, force: true });
}

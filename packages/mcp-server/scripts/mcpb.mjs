// Makes the one-click bundle for Claude Desktop from the built package: x-research-VERSION.mcpb.
//   mcpb.mjs [FOLDER]    where to; default: .turbo
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const stage = new URL(".turbo/mcpb/", root);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
for (const name of ["dist", "prompts", "package.json", "README.md"]) {
  cpSync(new URL(name, root), new URL(name, stage), { recursive: true });
}
cpSync(new URL("../../LICENSE", root), new URL("LICENSE", stage));
cpSync(new URL("mcpb/manifest.json", root), new URL("manifest.json", stage));

const folder = process.argv[2] ?? fileURLToPath(new URL(".turbo", root));
const bundle = resolve(folder, `x-research-${version}.mcpb`);
const mcpb = ["--yes", "@anthropic-ai/mcpb@2.1.2"];
// An npx around this one leaves there what it was asked for, and this one would do the same.
const { npm_config_call: _, npm_config_package: __, ...env } = process.env;
for (const args of [
  ["validate", fileURLToPath(new URL("manifest.json", stage))],
  ["pack", fileURLToPath(stage), bundle],
]) {
  const { status } = spawnSync("npx", [...mcpb, ...args], { env, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

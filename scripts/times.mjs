#!/usr/bin/env node
// How long the two commands take on a fresh machine: clones this checkout, empties HOME (so no pnpm, no store, no
// npm cache), runs each cold and then warm, and prints a Markdown table; `--write` puts it into the README.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();

/** Seconds of `npm ARGS` in `clone` with `home` as the home directory; throws when it fails. */
function seconds(args, clone, home) {
  const { PATH, LANG, TERM } = process.env;
  const env = {
    PATH,
    LANG,
    TERM,
    HOME: home,
    TMPDIR: tmpdir(),
    npm_config_registry: registry,
    npm_config_update_notifier: "false",
  };
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: clone, env, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status}\n${stdout}\n${stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e9;
}

const rows = [];
for (const args of [["test"], ["run", "demo"]]) {
  const home = mkdtempSync(join(tmpdir(), "times-home-"));
  const clone = join(home, "clone");
  try {
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const cold = seconds(args, clone, home);
    const warm = seconds(args, clone, home);
    rows.push([`\`npm ${args.join(" ")}\``, cold, warm]);
    if (args[0] === "test") {
      // A run with nothing cached by turbo shows what the tests themselves cost.
      const again = seconds(["test", "--", "--force"], clone, home);
      rows.push(["`npm test`, every test run again", undefined, again]);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const table = [
  `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} cores:`,
  "",
  "| command | cold, empty home | again |",
  "|---|--:|--:|",
  ...rows.map(
    ([name, cold, warm]) => `| ${name} | ${cold === undefined ? "–" : `${cold.toFixed(0)} s`} | ${warm.toFixed(1)} s |`,
  ),
].join("\n");
console.log(table);
if (process.argv.includes("--write")) {
  const readme = new URL("../README.md", import.meta.url);
  const text = readFileSync(readme, "utf8");
  writeFileSync(
    readme,
    text.replace(/(<!-- times -->\n)[\s\S]*?(<!-- \/times -->)/, (_, start, end) => `${start}${table}\n${end}`),
  );
}

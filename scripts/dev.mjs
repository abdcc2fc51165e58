#!/usr/bin/env node
// `npm test`, `npm run demo`, `npm run build` … on a machine that has only Node and npm: fetches the pinned pnpm,
// installs what the lockfile says, then runs the named tasks.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const { packageManager } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const windows = process.platform === "win32";
const insidePnpm = process.env.npm_config_user_agent?.startsWith("pnpm/") ?? false;

/** Tasks of the whole tree; every other name is a turbo task of the packages. */
const TREE_TASKS = {
  lint: ["biome check --error-on-warnings .", "node scripts/lockfile.mjs", "knip"],
  packages: ["turbo run pkglint"],
  format: ["biome check --write ."],
  changeset: ["changeset"],
  version: ["changeset version"],
  release: ["turbo run build", "changeset publish"],
};

/** Programs that run on the built packages, with what else stands on the command line as their arguments. */
const PROGRAMS = {
  demo: "packages/mcp-server/demo/demo.mjs",
  bench: "packages/proof/bench/bench.mjs",
  pictures: "scripts/pictures.mjs",
  soak: "packages/proof/soak/soak.mjs",
  versions: "packages/proof/versions/versions.mjs",
  faults: "packages/proof/dist/faults.js",
  fuzz: "packages/proof/dist/fuzz.js",
};

/** Runs commands of the workspace's tools one after the other, until one fails; gives the exit code. */
function workspace(commands) {
  const script = commands.map((command) => `pnpm exec ${command}`).join(" && ");
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const options = { cwd: root, stdio: "inherit", env };
  const install = "pnpm install --frozen-lockfile --reporter=append-only";
  const { status } = insidePnpm
    ? spawnSync(script, { ...options, shell: true })
    : spawnSync(
        "npx",
        [
          "--yes",
          "--prefer-offline",
          "--ignore-scripts=false",
          `--package=${packageManager}`,
          "-c",
          windows ? `"${install} && ${script}"` : `${install} && ${script}`,
        ],
        { ...options, shell: windows },
      );
  return status ?? 1;
}

const [task = "build", ...rest] = process.argv.slice(2);
const program = PROGRAMS[task];
if (program !== undefined) {
  // Without a shell: what the user typed is data.
  process.exitCode =
    workspace(["turbo run build --output-logs=errors-only"]) ||
    (spawnSync(process.execPath, [program, ...rest], { cwd: root, stdio: "inherit" }).status ?? 1);
} else {
  // What begins with a dash is for turbo: `npm test -- --force`.
  const flags = rest.filter((word) => word.startsWith("-")).map((flag) => ` ${flag}`);
  const names = [task, ...rest.filter((word) => !word.startsWith("-"))];
  // All that fails is shown, not the first package alone.
  const turbo = (name) => [`turbo run ${name} --continue=dependencies-successful${flags.join("")}`];
  process.exitCode = workspace(names.flatMap((name) => TREE_TASKS[name] ?? turbo(name)));
}

#!/usr/bin/env node
// `npm test`, `npm run demo`, `npm run build` … on a machine that has only Node and npm: fetches the pinned pnpm,
// installs what the lockfile says, then runs the named tasks.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const { packageManager } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const windows = process.platform === "win32";

/** Tasks of the root; every other name is a task of the packages. */
const ROOT_TASKS = {
  lint: "biome check --error-on-warnings . && node scripts/lockfile.mjs && knip",
  packages: "turbo run pkglint",
};

const [task = "build", ...rest] = process.argv.slice(2);
const quote = (word) => (windows ? `"${word.replaceAll('"', '""')}"` : `'${word.replaceAll("'", "'\\''")}'`);
const commands =
  task === "demo"
    ? [
        "turbo run build --output-logs=errors-only",
        ["node packages/mcp-server/demo/demo.mjs", ...rest.map(quote)].join(" "),
      ]
    : [task, ...rest].map((name) => ROOT_TASKS[name] ?? `turbo run ${name}`);

const inside = (command) => `pnpm exec ${command.replaceAll(" && ", " && pnpm exec ")}`;
const script = ["pnpm install --frozen-lockfile --reporter=append-only", ...commands.map(inside)].join(" && ");

const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
const result = env.npm_config_user_agent?.startsWith("pnpm/")
  ? spawnSync(commands.map(inside).join(" && "), { cwd: root, stdio: "inherit", shell: true, env })
  : spawnSync(
      "npx",
      [
        "--yes",
        "--prefer-offline",
        "--ignore-scripts=false",
        `--package=${packageManager}`,
        "-c",
        windows ? `"${script}"` : script,
      ],
      { cwd: root, stdio: "inherit", shell: windows, env },
    );
process.exitCode = result.status ?? 1;

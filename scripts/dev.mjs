#!/usr/bin/env node
// `npm test`, `npm run demo`, `npm run build` … on a machine that has only Node and npm: fetches the pinned pnpm,
// installs what the lockfile says, then runs the named tasks.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

const root = new URL("../", import.meta.url);
const { packageManager } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const windows = process.platform === "win32";
const insidePnpm = process.env.npm_config_user_agent?.startsWith("pnpm/") ?? false;

/** The packages with a public surface. */
const PUBLISHED = ["json-repair", "gemini-runner", "research", "mcp-server"].map((name) => `packages/${name}`);

/** Tasks of the whole tree; every other name is a turbo task of the packages. */
const TREE_TASKS = {
  lint: [
    "biome check --error-on-warnings .",
    "node scripts/lockfile.mjs",
    "node scripts/metadata.mjs --check",
    "node packages/mcp-server/scripts/manifests.mjs --check",
    "node scripts/imports.mjs",
    "node scripts/backends.mjs",
    "node scripts/regexes.mjs",
    "knip",
    "knip --cycles",
    "turbo run api --output-logs=errors-only",
  ],
  api: ["turbo run build --output-logs=errors-only", `node scripts/api.mjs --write ${PUBLISHED.join(" ")}`],
  packages: ["turbo run pkglint"],
  format: ["biome check --write ."],
  changeset: ["changeset"],
  version: [
    "changeset version",
    "node packages/mcp-server/scripts/manifests.mjs",
    "biome check --write packages/mcp-server/server.json packages/mcp-server/mcpb .claude-plugin plugins",
  ],
  pack: ["turbo run build", "node scripts/release/pack.mjs .release"],
};

/** Programs that run on the built packages, with what else stands on the command line as their arguments. */
const PROGRAMS = {
  demo: "packages/mcp-server/demo/demo.mjs",
  bench: "packages/proof/bench/bench.mjs",
  pictures: "scripts/pictures.mjs",
  rehearse: "scripts/release/rehearse.mjs",
  docs: "docs/site/build.mjs",
  soak: "packages/proof/soak/soak.mjs",
  versions: "packages/proof/versions/versions.mjs",
  faults: "packages/proof/dist/faults.js",
  fuzz: "packages/proof/dist/fuzz.js",
  load: "packages/proof/dist/load.js",
  siege: "packages/proof/dist/siege.js",
  hosts: "packages/proof/hosts/main.mjs",
};

/** Runs commands of the workspace's tools one after the other, until one fails; gives the exit code. */
function workspace(commands, run) {
  const script = commands.map((command) => `pnpm exec ${command}`).join(" && ");
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const install = "pnpm install --frozen-lockfile --reporter=append-only";
  if (insidePnpm) return run(script, [], { env, shell: true });
  const all = windows ? `"${install} && ${script}"` : `${install} && ${script}`;
  const npx = ["--yes", "--prefer-offline", "--ignore-scripts=false", `--package=${packageManager}`, "-c", all];
  return run("npx", npx, { env, shell: windows });
}

/** Its output is this program's. */
async function shown(command, args, options) {
  return ended(spawn(command, args, { ...options, cwd: root, stdio: "inherit" }));
}

/** Its output is only shown when it fails; meanwhile one line says that something goes on. */
async function heldBack(command, args, options) {
  const child = spawn(command, args, { ...options, cwd: root, stdio: ["inherit", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const done = waiting("Installing and building …");
  const code = await ended(child);
  done();
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  return code;
}

/** Writes a line, in a terminal with the seconds that have passed. Gives the way to end it. */
function waiting(text) {
  if (!process.stderr.isTTY) {
    process.stderr.write(`${text}\n`);
    return () => {};
  }
  const from = Date.now();
  const draw = () => process.stderr.write(`\r${text} ${Math.round((Date.now() - from) / 1_000)} s`);
  draw();
  const timer = setInterval(draw, 1_000);
  return () => {
    clearInterval(timer);
    process.stderr.write("\n");
  };
}

/** The exit code of a program that a signal reaches as well as this one, which waits for what it does then. */
async function ended(child) {
  // Ctrl-C is sent to both by the terminal.
  const signals = { SIGINT: () => {}, SIGTERM: () => child.kill("SIGTERM"), SIGHUP: () => child.kill("SIGHUP") };
  for (const [signal, act] of Object.entries(signals)) process.on(signal, act);
  try {
    const [code, signal] = await once(child, "close");
    return code ?? 128 + constants.signals[signal];
  } catch (error) {
    console.error(error.message);
    return 1;
  } finally {
    for (const [signal, act] of Object.entries(signals)) process.off(signal, act);
  }
}

const [task = "build", ...rest] = process.argv.slice(2);
const program = PROGRAMS[task];
if (program !== undefined) {
  // Without a shell: what the user typed is data.
  process.exitCode =
    (await workspace(["turbo run build --output-logs=errors-only"], heldBack)) ||
    (await shown(process.execPath, [program, ...rest], {}));
} else {
  // What begins with a dash is for turbo: `npm test -- --force`.
  const flags = rest.filter((word) => word.startsWith("-")).map((flag) => ` ${flag}`);
  const names = [task, ...rest.filter((word) => !word.startsWith("-"))];
  // All that fails is shown, not the first package alone.
  const turbo = (name) => [`turbo run ${name} --continue=dependencies-successful${flags.join("")}`];
  process.exitCode = await workspace(
    names.flatMap((name) => TREE_TASKS[name] ?? turbo(name)),
    shown,
  );
}

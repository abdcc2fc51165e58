// Plain `gemini` against the runner, side by side: `pnpm bench [rounds]`. The model server answers at once, so the times
// are the CLI's and ours. Prints a Markdown table and writes the numbers to `.turbo/bench.json`.
import { execFileSync, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { startModelServer, text } from "@x/gemini-runner/testing";

const ROUNDS = Number(process.argv[2] ?? 9);
const MODEL = "gemini-3-flash-preview";
const PROMPT = "Say hello.";
/** A process that was started ahead waits this many times as long as one just took to its first request. */
const WARM_FOR_STARTS = 3;

const cli = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);
const folder = await mkdtemp(path.join(os.tmpdir(), "runner-bench-"));
for (const [signal, exitCode] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  process.on(signal, () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(exitCode);
  });
}
const home = path.join(folder, "home");
await mkdir(path.join(home, ".gemini"), { recursive: true });
await mkdir(path.join(home, "work"));
await writeFile(
  path.join(home, ".gemini/settings.json"),
  JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }),
);

/** What is measured of the run in progress. */
let current;
const server = await startModelServer({
  scenario: async function* ({ kind, at, bytes }) {
    if (kind !== "main") return;
    current.firstRequestAt ??= at;
    current.extraBytes ??= bytes - Buffer.byteLength(PROMPT);
    yield* text("Hello.");
    Object.assign(current, await current.atAnswer?.());
    current.answeredAt = now();
  },
});
const { PATH = "" } = process.env;
const env = { PATH, HOME: home, ...server.env };

/** Both clocks in ms since the epoch. */
function now() {
  return performance.timeOrigin + performance.now();
}

/** The CLI as a program without the runner would start it. */
async function plain(measure) {
  current = { startedAt: now() };
  const args = [cli, "--output-format", "stream-json", "--model", MODEL];
  const child = spawn(process.execPath, args, {
    cwd: path.join(home, "work"),
    env: { ...env, GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: "true", TMPDIR: folder },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  if (measure) current.atAnswer = () => treeOf(child.pid);
  const closed = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end(PROMPT);
  child.stdout.resume();
  if ((await closed) !== 0) throw new Error("Plain gemini failed.");
  return done();
}

async function ours(measure) {
  return withRunner(async (runner) => {
    current = { startedAt: now() };
    return measured(runner, measure);
  });
}

async function prewarmed() {
  const startMs = runs.ours.at(-1).firstRequestMs;
  return withRunner(async (runner) => {
    runner.prewarm({ model: MODEL });
    await delay(WARM_FOR_STARTS * startMs);
    current = { startedAt: now() };
    return measured(runner, false);
  });
}

async function withRunner(use) {
  const runner = createGeminiRunner({ command: cli, cwd: folder, env });
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
}

async function measured(runner, measure) {
  const result = await resultOf(runner.run({ prompt: PROMPT, model: MODEL }), (event) => {
    if (measure && event.type === "run-start") current.atAnswer = () => treeOf(event.pid);
  });
  if (result.text !== "Hello.") throw new Error(`Not the answer: ${result.text}`);
  return done();
}

function done() {
  const { startedAt, firstRequestAt, answeredAt, extraBytes, processes, peakMb } = current;
  const endedAt = now();
  return {
    firstRequestMs: firstRequestAt - startedAt,
    answerToResultMs: endedAt - answeredAt,
    totalMs: endedAt - startedAt,
    extraBytes,
    ...(processes === undefined ? {} : { processes, peakMb }),
  };
}

/** How many processes a group has, and the sum of the most memory each has had, while it reads the answer. */
async function treeOf(group) {
  await delay(200);
  const ids =
    process.platform === "linux"
      ? await groupMembers(group)
      : execFileSync("ps", ["-axo", "pid=,pgid="], { encoding: "utf8" })
          .trim()
          .split("\n")
          .map((line) => line.trim().split(/\s+/).map(Number))
          .filter(([, pgid]) => pgid === group)
          .map(([pid]) => pid);
  const sizes = await Promise.all(ids.map(peakKb));
  return { processes: ids.length, peakMb: sizes.reduce((sum, size) => sum + size, 0) / 1024 };
}

async function groupMembers(group) {
  const found = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
        // After the name, which may hold anything: state, parent, group.
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === group ? Number(pid) : undefined;
      }),
  );
  return found.filter((pid) => pid !== undefined);
}

async function peakKb(pid) {
  if (process.platform === "linux") {
    return Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
}

function median(runs, key) {
  const values = runs.map((run) => run[key]).sort((a, b) => a - b);
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

const ways = { plain: () => plain(false), ours: () => ours(false), prewarmed };
const runs = { plain: [], ours: [], prewarmed: [] };
const memory = { plain: [], ours: [] };
try {
  // Files read once, the compile cache filled.
  await plain(false);
  await ours(false);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) runs[name].push(await way());
    process.stderr.write(`round ${round + 1}/${ROUNDS}\n`);
  }
  for (let round = 0; round < 3; round++) {
    memory.plain.push(await plain(true));
    memory.ours.push(await ours(true));
  }
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

const [first, last] = ["firstRequestMs", "answerToResultMs"].map((key) =>
  Object.fromEntries(Object.entries(runs).map(([name, list]) => [name, median(list, key)])),
);
const bytes = { plain: median(runs.plain, "extraBytes"), ours: median(runs.ours, "extraBytes") };
const [processes, peak] = ["processes", "peakMb"].map((key) => ({
  plain: median(memory.plain, key),
  ours: median(memory.ours, key),
}));

const ms = (value) => `${Math.round(value)} ms`;
const kb = (value) => `${(value / 1000).toFixed(1)} KB`;
const ratio = (a, b) => (a / b).toFixed(2);
const rows = [
  ["spawn → first API request", ms(first.plain), ms(first.ours), ratio(first.ours, first.plain), "≤ 0.65"],
  [
    "prewarmed: prompt → first API request",
    ms(first.plain),
    ms(first.prewarmed),
    ratio(first.prewarmed, first.plain),
    "≤ 0.05",
  ],
  ["first request beyond the prompt", kb(bytes.plain), kb(bytes.ours), ratio(bytes.ours, bytes.plain), "≤ 2.5 KB"],
  ["processes", processes.plain, processes.ours, ratio(processes.ours, processes.plain), "1"],
  [
    "peak memory",
    `${Math.round(peak.plain)} MB`,
    `${Math.round(peak.ours)} MB`,
    ratio(peak.ours, peak.plain),
    "≤ 0.85",
  ],
  ["end of the answer → result", ms(last.plain), ms(last.ours), ratio(last.ours, last.plain), "≤ 60 ms"],
];
const { version } = JSON.parse(await readFile(path.join(path.dirname(cli), "../package.json"), "utf8"));
const where = {
  node: process.version,
  cli: version,
  platform: process.platform,
  cpus: os.availableParallelism(),
  ROUNDS,
};
await mkdir(new URL("../.turbo/", import.meta.url), { recursive: true });
await writeFile(
  new URL("../.turbo/bench.json", import.meta.url),
  `${JSON.stringify({ ...where, first, last, bytes, processes, peak, runs, memory }, null, 2)}\n`,
);
process.stdout.write(
  [
    `Gemini CLI ${version}, Node ${process.version}, ${process.platform}, ${where.cpus} cores; medians of ${ROUNDS} interleaved runs.`,
    "",
    "| | plain `gemini` | ours | ours ÷ plain | goal |",
    "|---|---|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
  ].join("\n"),
);

// The two numbers of a deep search: what its rounds cost beside the model, against plain runs of the CLI with the very
// same prompts. The real CLI, a model server on loopback whose answers take two seconds. Both sides in turn, in one run.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { delay, json, startModelServer } from "@x/gemini-runner/testing";
import { builtInPrompts, deepSearch } from "@x/research";
import { createFileRunStore } from "@x/research/node";

const ROUNDS = 5;
const ANSWER_MS = 2_000;
const REPEATS = Number(process.argv[2] ?? 3);
const MODEL = "gemini-2.5-flash";
const TARGETS = { gapMs: 150, time: 0.25, bytes: 0.1 };

const cli = join(
  dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);
const folder = mkdtempSync(join(tmpdir(), "bench-"));
const report = Array.from({ length: 60 }, (_, i) => `Statement ${i} of the report, with its source [${i}].`).join("\n");
const server = await startModelServer({
  scenario: (call) =>
    call.kind === "main"
      ? [delay(ANSWER_MS), ...json({ success: true, verified: false, report, metadata: {} })]
      : undefined,
});
const env = { PATH: process.env.PATH, HOME: folder, ...server.env };

/** What a part of the bench asked the server. */
async function measured(work) {
  const from = server.requests.length;
  const startedMs = performance.now();
  await work();
  const wallMs = performance.now() - startedMs;
  const calls = server.requests.slice(from);
  const prompts = calls.filter(({ kind }) => kind === "main").map(({ prompt }) => prompt);
  const bytes = calls.reduce((sum, call) => sum + call.bytes - Buffer.byteLength(JSON.stringify(call.prompt)), 0);
  return { calls, prompts, overheadMs: wallMs - prompts.length * ANSWER_MS, bytes };
}

async function deep() {
  const runner = createGeminiRunner({ command: cli, env });
  const store = createFileRunStore({ directory: join(folder, "store") });
  const deps = { runner, prompts: builtInPrompts, model: MODEL, store };
  const result = await measured(() => resultOf(deepSearch({ query: "Why are there tides?", maxRounds: ROUNDS }, deps)));
  await runner.close();
  const gaps = result.calls.slice(1).map(({ at }, i) => at - result.calls[i].at - ANSWER_MS);
  return { ...result, gaps };
}

/** The CLI as anyone would run it: its own settings, the prompt on stdin. */
function plain(prompt) {
  const home = mkdtempSync(join(folder, "home-"));
  mkdirSync(join(home, ".gemini"));
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
  const cwd = mkdtempSync(join(folder, "cwd-"));
  const own = { ...env, HOME: home, GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: "true" };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, "--model", MODEL], {
      cwd,
      env: own,
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`plain gemini exited with ${code}`))));
    child.stdin.end(prompt);
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const runs = [];
try {
  for (let i = 0; i < REPEATS; i++) {
    const ours = await deep();
    const startsMs = [];
    const theirs = await measured(async () => {
      for (const prompt of ours.prompts) {
        startsMs.push(performance.timeOrigin + performance.now());
        await plain(prompt);
      }
    });
    // A yardstick for a busy machine: how long a plain run takes to its first request.
    theirs.gaps = theirs.calls.map(({ at }, n) => at - startsMs[n]);
    runs.push({ ours, theirs });
    const [a, b] = [ours, theirs].map(
      ({ overheadMs, bytes, calls }) => `${Math.round(overheadMs)} ms, ${bytes} bytes, ${calls.length} requests`,
    );
    console.error(
      `run ${i + 1}: deep search ${a} (gaps ${ours.gaps.map(Math.round).join(", ")} ms); ${ROUNDS} plain runs ${b}`,
    );
  }
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

const [gapMs, plainMs] = ["ours", "theirs"].map((side) => median(runs.flatMap((run) => run[side].gaps)));
const time = median(runs.map(({ ours, theirs }) => ours.overheadMs / theirs.overheadMs));
const bytes = median(runs.map(({ ours, theirs }) => ours.bytes / theirs.bytes));
const cell = (value, target, unit) => `${value} ${unit} | ≤ ${target} ${unit}`;
console.log(`Median of ${REPEATS}, Node ${process.version}; a plain run took ${Math.round(plainMs)} ms to its first request.

| | measured | goal |
|---|--:|--:|
| end of an answer → first request of the next round | ${cell(Math.round(gapMs), TARGETS.gapMs, "ms")} |
| time beside the model, against the plain runs | ${cell(time.toFixed(2), TARGETS.time, "×")} |
| bytes of the requests beyond the prompts, against the plain runs | ${cell(bytes.toFixed(2), TARGETS.bytes, "×")} |`);

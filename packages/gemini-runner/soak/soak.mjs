// Hundreds of runs, a third of them cancelled at random moments: `pnpm soak [fake runs] [real runs] [seed]`. What is left
// of processes, descriptors, files and memory is compared with the start; anything left is exit code 1. So that nothing of V8's
// own looks like a leak, it is told to compile nothing (`--no-opt --no-sparkplug`: the machine code of functions that grow
// hot) and to keep its young generation at one size (`--min-semi-space-size`, `--max-semi-space-size`: left alone it grows with
// what is allocated at once).
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { research, startModelServer } from "@x/gemini-runner/testing";

const [fakeRuns = 500, realRuns = 50, seed = 1] = process.argv.slice(2).map(Number);
const FAKE_CLI = fileURLToPath(new URL("../test/fixtures/fake-gemini.mjs", import.meta.url));
const REAL_CLI = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);
/** Cancelled somewhere in this time after the start; a whole run takes about as long. */
const FAKE = { command: FAKE_CLI, withinMs: 400, atOnce: 4 * os.availableParallelism() };
const REAL = { command: REAL_CLI, withinMs: 2_500, atOnce: 2 * os.availableParallelism() };

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(state) {
  let a = state;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Programs for the fake CLI: quick, slow, loud, with a process of its own, deaf to signals. */
const PROGRAMS = [
  [{ init: 1 }, { say: "Done." }, { result: "success" }],
  [{ init: 1 }, { wait: 150 }, { say: "Done." }, { result: "success" }],
  [{ init: 1 }, { flood: { chunks: 20, bytes: 10_000 } }, { say: "Done." }, { result: "success" }],
  [{ init: 1 }, { call: "a" }, { wait: 50 }, { answer: "a" }, { say: "Done." }, { result: "success" }],
  [{ init: 1 }, { stubborn: 1 }, { grandchild: "grandchild" }, { wait: 100 }, { say: "Done." }, { result: "success" }],
  [{ stderr: "It broke.\n" }, { exit: 3 }],
];

const folder = await mkdtemp(path.join(os.tmpdir(), "runner-soak-"));
for (const [signal, exitCode] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
]) {
  process.on(signal, () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(exitCode);
  });
}
const [home, runs] = await Promise.all(["home-", "runs-"].map((name) => mkdtemp(path.join(folder, name))));
const outcomes = {};

function count(outcome) {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

/** One run; every third is cancelled: by its signal, by leaving its loop, or by its timeout. */
async function oneRun(runner, request, { withinMs, random, cancelled }) {
  const way = cancelled ? ["abort", "return", "timeout"][Math.floor(random() * 3)] : "none";
  const afterMs = Math.max(1, Math.round(random() * withinMs));
  const stop = new AbortController();
  const timer = way === "none" || way === "timeout" ? undefined : setTimeout(() => stop.abort(), afterMs);
  const run = runner.run({
    ...request,
    ...(way === "abort" ? { signal: stop.signal } : {}),
    ...(way === "timeout" ? { timeoutMs: afterMs } : {}),
  });
  try {
    if (way === "return") {
      for (;;) {
        const step = await run.next();
        if (step.done || stop.signal.aborted) break;
      }
      await run.return();
      count(stop.signal.aborted ? "left" : "answered");
    } else {
      await resultOf(run);
      count("answered");
    }
  } catch (error) {
    count(`${error.code}${error.reason ? ` ${error.reason}` : ""}`);
  } finally {
    clearTimeout(timer);
  }
}

async function manyRuns(total, options, requestOf) {
  const server = await startModelServer({ scenario: research({ topic: "Tides" }) });
  const { PATH = "" } = process.env;
  const runner = createGeminiRunner({
    command: options.command,
    cwd: runs,
    env: { PATH, HOME: home, ...server.env },
    retries: 0,
    killAfterMs: 200,
    maxConcurrent: options.atOnce,
  });
  let next = 0;
  const worker = async () => {
    while (next < total) {
      const i = next++;
      // Of the run's own, so that what a run does is not a matter of who was first.
      const random = randomNumbers(seed * 1_000_003 + i);
      await oneRun(runner, requestOf(random), { ...options, random, cancelled: i % 3 === 2 });
    }
  };
  // More than may run at once, so that the queue is in it too.
  await Promise.all(Array.from({ length: options.atOnce + 2 }, worker));
  await runner.close();
  await server.close();
}

const fakeRequest = (random) => ({ prompt: JSON.stringify(PROGRAMS[Math.floor(random() * PROGRAMS.length)]) });
const realRequest = () => ({ prompt: "How do tides work?", model: "gemini-2.5-pro" });

async function filesLeft() {
  const lists = [home, runs].map((parent) => readdir(parent, { withFileTypes: true, recursive: true }));
  return (
    (await Promise.all(lists))
      .flat()
      .map((entry) => path.join(entry.parentPath, entry.name))
      // Kept on purpose, one for each version of the CLI.
      .filter((file) => !file.includes("gemini-compile-cache-"))
  );
}

/** Processes of ours, of theirs, and those that run or were started under our folder. */
async function processes() {
  if (process.platform !== "linux") {
    const list = execFileSync("ps", ["-axo", "pid=,ppid=,command="], { encoding: "utf8" }).trim().split("\n");
    return list
      .filter((line) => line.includes(folder) || Number(line.trim().split(/\s+/)[1]) === process.pid)
      .slice(0, -1);
  }
  const found = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (pid) => {
        const [stat, environ, command] = await Promise.all(
          ["stat", "environ", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
        );
        const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        const mine = parent === process.pid || environ.includes(folder) || command.includes(folder);
        return mine ? `${pid} ${command.replaceAll("\0", " ")}` : undefined;
      }),
  );
  return found.filter((each) => each !== undefined);
}

async function state() {
  // What was closed last is let go of on the next turns of the event loop.
  await delay(500);
  globalThis.gc?.();
  await delay(100);
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = process.platform === "win32" ? [] : await readdir("/dev/fd");
  const listeners = ["exit", "SIGINT", "SIGTERM", "SIGHUP"].reduce((sum, name) => sum + process.listenerCount(name), 0);
  return {
    processes: await processes(),
    descriptors: descriptors.length,
    files: await filesLeft(),
    listeners,
    heapMb: heapUsed / 1e6,
    rssMb: rss / 1e6,
  };
}

const states = {};
const startedAt = performance.now();
try {
  // What every program loads once is not a leak, nor is what the allocator keeps for as many runs at once.
  await manyRuns(100, FAKE, fakeRequest);
  await manyRuns(10, REAL, realRequest);
  for (const name of Object.keys(outcomes)) delete outcomes[name];
  states.before = await state();
  // Twice the same: of what is more at the end, the halves tell whether it grows with every run.
  for (const half of ["halfway", "after"]) {
    await manyRuns(fakeRuns >> 1, FAKE, fakeRequest);
    await manyRuns(realRuns >> 1, REAL, realRequest);
    states[half] = await state();
    process.stderr.write(`${half}: ${JSON.stringify(outcomes)}\n`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const row = (name, value) => `| ${[name, ...Object.values(states).map(value)].join(" | ")} |`;
const mb = (value) => `${value.toFixed(1)} MB`;
process.stdout.write(
  [
    `${fakeRuns} runs of a fake CLI and ${realRuns} of the real one, a third cancelled (seed ${seed}), in ${Math.round((performance.now() - startedAt) / 1000)} s.`,
    "",
    "| | before | halfway | after |",
    "|---|---|---|---|",
    ...["processes", "files"].map((name) => row(name, (each) => each[name].length)),
    ...["descriptors", "listeners"].map((name) => row(name, (each) => each[name])),
    row("heap", ({ heapMb }) => mb(heapMb)),
    row("resident memory", ({ rssMb }) => mb(rssMb)),
    "",
  ].join("\n"),
);
const { before, after } = states;
/** Half a KB a run on the heap; for resident memory, what the allocator keeps more or less of at one moment. */
const HEAP_MARGIN_MB = 0.3;
const RESIDENT_MARGIN_MB = 6;
const left = [
  ...after.processes.map((each) => `process ${each}`),
  ...after.files.filter((file) => !before.files.includes(file)).map((file) => `file ${file}`),
  ...(after.descriptors > before.descriptors ? [`${after.descriptors - before.descriptors} descriptors`] : []),
  ...(after.listeners > before.listeners ? [`${after.listeners - before.listeners} listeners`] : []),
  ...(after.heapMb > before.heapMb + HEAP_MARGIN_MB ? [`${mb(after.heapMb - before.heapMb)} of heap`] : []),
  ...(after.rssMb > before.rssMb + RESIDENT_MARGIN_MB ? [`${mb(after.rssMb - before.rssMb)} resident`] : []),
];
if (left.length > 0) {
  process.stderr.write(`Left behind:\n${left.join("\n")}\n`);
  process.exitCode = 1;
}

// Runs of the real CLI by one process, at random: `pnpm soak:pool [runs] [seed]`. They answer, search, flood, are refused, are
// blocked, and a third is cancelled at random moments; now and then the process is killed under all of them. Each says its own
// number in all that it does: what bears another's is foreign. Prints a Markdown table of what the process takes and of what is left. Linux only. Exit 1 when something is.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import { delay, finish, grounded, httpError, search, startModelServer, text } from "@x/gemini-runner/testing";

const RUNS = Number(process.argv[2] ?? 1_000);
const SEED = Number(process.argv[3] ?? 1);
const AT_ONCE = 16;
const EVERY = Math.max(1, Math.floor(RUNS / 10));
const MOST_MS = 1_000;
const KB_PER_PAGE = 4;
/** What a process that served two hundred runs may take more than one that served a few. */
const MOST_MB = 512;

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(SEED);
const KINDS = {
  answers: 30,
  searches: 40,
  floods: 5,
  "is refused": 12,
  "runs away": 6,
  "is cut off": 6,
  "is blocked": 1,
  "loses its process": 0.4,
};
const TOTAL = Object.values(KINDS).reduce((a, b) => a + b);

function kindAtRandom() {
  let left = random() * TOTAL;
  for (const [kind, weight] of Object.entries(KINDS)) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "answers";
}

const plays = Array.from({ length: RUNS }, () => ({
  kind: kindAtRandom(),
  pauseMs: Math.floor(random() * 60),
  cancelAfterMs: random() < 1 / 3 ? Math.floor(random() * MOST_MS) : undefined,
}));

/** Which run a request of the CLI is of: its number stands in all that is said in it. */
const numberIn = (value) => Number(/task-(\d+)-/.exec(JSON.stringify(value))?.[1] ?? Number.NaN);
const wordsOf = (n) => `Answer of task-${n}-. `.repeat(20 + (n % 30));
const url = (n) => `https://example.com/task-${n}-`;

/** The processes that serve runs, by the number of the run. */
const served = new Map();
/** How many runs each process has served. */
const runsOf = new Map();
let killed = 0;

/**
 * Kills the process that serves the run and others, once: the run is made again in one of its own. One that has its own by then,
 * since another's kill met it, is left in peace: it is not made again.
 */
function loseProcess(n) {
  const pid = served.get(n);
  if (pid === undefined) return;
  plays[n].kind = "searches";
  if (runsOf.get(pid) === 1) return;
  killed++;
  process.kill(pid, "SIGKILL");
}

const server = await startModelServer({
  scenario({ kind, turn, body }) {
    const n = numberIn(body);
    const play = plays[n];
    if (play === undefined) return undefined;
    if (play.kind === "loses its process") loseProcess(n);
    if (kind === "search") {
      if (play.kind === "runs away") return httpError("quota-day");
      return grounded(`Found task-${n}-.`, { sources: [{ url: url(n), title: `Title task-${n}-` }] });
    }
    if (kind !== "main") return undefined;
    switch (play.kind) {
      case "is refused":
        return httpError(["quota-day", "not-found", "bad-request"][n % 3]);
      case "is blocked":
        return finish("SAFETY");
      case "is cut off":
        return [...text(wordsOf(n)), finish("MAX_TOKENS")];
      case "floods":
        return text(wordsOf(n).repeat(1_000), { chunkLength: 10_000 });
      case "answers":
        return text(wordsOf(n), { chunkLength: 50, everyMs: play.pauseMs / 10 });
      default:
        return turn === 0 ? search(`query task-${n}-`) : [delay(play.pauseMs), ...text(wordsOf(n))];
    }
  },
});
const folder = await mkdtemp(path.join(os.tmpdir(), "runner-pool-soak-"));
const env = { PATH: process.env["PATH"], HOME: folder, ...server.env };
const warnings = [];
const command = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);
const runner = createGeminiRunner({
  command,
  cwd: folder,
  env,
  retries: 0,
  pool: { sessions: AT_ONCE },
  onWarning: (message) => warnings.push(message),
});

const counts = {};
const wrong = [];
const pids = new Set();
// Such as of listeners that grow in number.
process.on("warning", (warning) => wrong.push(String(warning)));

/** Makes one run and checks all that came of it. */
async function play(n) {
  const { kind, cancelAfterMs } = plays[n];
  const stop = new AbortController();
  const timer = cancelAfterMs === undefined ? undefined : setTimeout(() => stop.abort(), cancelAfterMs);
  const events = [];
  const model = kind === "runs away" ? "pro" : "gemini-2.5-flash";
  let how;
  try {
    const request = { prompt: `This is task-${n}-.`, model, signal: stop.signal };
    const result = await resultOf(runner.run(request), (event) => {
      events.push(event);
      if (event.type !== "run-start") return;
      served.set(n, event.pid);
      runsOf.set(event.pid, (runsOf.get(event.pid) ?? 0) + 1);
    });
    how = "answered";
    check(n, result, events);
  } catch (error) {
    how = error.code === "EXECUTION_ERROR" ? error.reason : error.code;
    checkFailure(n, how, events);
    if (how === undefined) throw error;
  } finally {
    clearTimeout(timer);
  }
  for (const event of events) if (event.type === "run-start") pids.add(event.pid);
  counts[how] = (counts[how] ?? 0) + 1;
}

function check(n, result, events) {
  const { kind } = plays[n];
  const words = kind === "floods" ? wordsOf(n).repeat(1_000) : wordsOf(n);
  if (result.text !== words) wrong.push(`${n} ${kind}: other words, ${result.text.length} of ${words.length}`);
  const searched = kind === "searches" || kind === "loses its process";
  const expected = JSON.stringify(searched ? [[`query task-${n}-`], [url(n)], [url(n)]] : [[], [], []]);
  const got = [result.queries, result.sources.map((s) => s.url), result.attributions.flatMap(({ urls }) => urls)];
  if (JSON.stringify(got) !== expected) wrong.push(`${n} ${kind}: ${JSON.stringify(got)}`);
  if (!(result.models[0]?.outputTokens > 0)) wrong.push(`${n} ${kind}: no tokens`);
  checkForeign(n, [result, ...events.filter(({ type }) => type !== "text-delta")]);
}

const FAILURES = {
  "is refused": ["QUOTA_EXCEEDED", "MODEL_NOT_FOUND", "input"],
  "runs away": ["QUOTA_EXCEEDED"],
  "is cut off": ["truncated"],
  "is blocked": ["blocked"],
};

function checkFailure(n, how, events) {
  const { kind, cancelAfterMs } = plays[n];
  const expected = [...(FAILURES[kind] ?? []), ...(cancelAfterMs === undefined ? [] : ["CANCELLED"])];
  if (!expected.includes(how)) wrong.push(`${n} ${kind}: ${how}`);
  checkForeign(n, events);
}

function checkForeign(n, said) {
  for (const [, found] of JSON.stringify(said).matchAll(/task-(\d+)-/g)) {
    if (Number(found) !== n) wrong.push(`${n}: something of ${found}`);
  }
}

/** The processes that run under `folder`. */
async function processes() {
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "0 0");
    if (environment.includes(folder)) found.push((Number(statm.split(" ")[1]) * KB_PER_PAGE) / 1024);
  }
  return found;
}

const rows = [];
let done = 0;
let next = 0;
async function worker() {
  while (next < RUNS) {
    const n = next++;
    await sleep(plays[n].pauseMs);
    await play(n);
    if (++done % EVERY > 0) continue;
    const sizes = await processes();
    const ours = process.memoryUsage().rss / 2 ** 20;
    rows.push([done, pids.size, sizes.map((mb) => Math.round(mb)).join(" + "), Math.round(ours)]);
    process.stderr.write(`${rows.at(-1).join(" | ")} (${wrong.length} wrong)\n`);
    if (Math.max(...sizes) > MOST_MB) wrong.push(`a process of ${Math.max(...sizes)} MB`);
  }
}

try {
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
} finally {
  await runner.close();
  await server.close();
}
const left = [await processes(), (await readdir(folder)).filter((name) => name.startsWith("gemini-run-"))];
await rm(folder, { recursive: true, force: true });
process.stdout.write(
  [
    `${RUNS} runs, seed ${SEED}, ${killed} processes killed: ${Object.entries(counts)
      .map(([how, count]) => `${count} ${how}`)
      .join(", ")}.`,
    "",
    "| runs | processes so far | memory of those there, MB | our own, MB |",
    "|---|---|---|---|",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
    "",
    `Left: ${left.map((each) => each.length).join(" processes, ")} folders. Warnings: ${warnings.length}. Wrong: ${wrong.length}.`,
    ...wrong.slice(0, 20),
    "",
  ].join("\n"),
);
if (wrong.length > 0 || warnings.length > 0 || left.some((each) => each.length > 0)) process.exitCode = 1;

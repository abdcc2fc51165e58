// Runs at once, by a process each and by one process for all, in turns: `pnpm bench:pool [N …]`. Each run searches, reads a page
// and answers; a call of the model takes 300 ms. Of one run alone, of which a single collection of V8's moves the memory by a tenth,
// medians of five. Prints a Markdown table. Linux only.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import {
  delay,
  fetchPage,
  grounded,
  httpError,
  page,
  reset,
  search,
  silence,
  startModelServer,
  text,
} from "@x/gemini-runner/testing";

const COUNTS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 4, 8, 16, 32];
const MODEL = "gemini-2.5-flash";
const MODEL_MS = 300;
const ALONE_ROUNDS = 5;
const WARM_RUNS = 9;
const SAMPLE_MS = 100;
const TICKS_PER_SECOND = 100;
const KB_PER_PAGE = 4;

const cli = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@google/gemini-cli/package.json")),
  "bundle/gemini.js",
);
/** What one run may do while others go on. */
const DISTURBANCES = {
  nothing: () => text("Done."),
  hang: () => silence(),
  fails: () => httpError("server"),
  resets: () => reset(),
  floods: () => text("x".repeat(5_000_000), { chunkLength: 5_000 }),
  refused: () => httpError("bad-key"),
  runaway: (kind) => (kind === "main" ? search("tides") : httpError("quota-day")),
};
const DISTURBED_ROUNDS = 5;
const RUNS_BESIDE = 8;

const folder = await mkdtemp(path.join(os.tmpdir(), "runner-pool-bench-"));
const firstRequests = new Map();
const server = await startModelServer({
  scenario({ kind, turn, prompt, at }) {
    const disturbance = /disturb: (\w+)/.exec(prompt)?.[1];
    if (disturbance !== undefined) return DISTURBANCES[disturbance](kind);
    if (prompt.includes("beside it")) return kind === "main" ? text("The moon.") : undefined;
    const run = /run-\d+/.exec(prompt)?.[0];
    if (kind === "main" && turn === 0) firstRequests.set(run, at);
    const said = {
      main: [() => search("tides"), () => fetchPage("http://93.184.215.14/tides"), () => text("The moon.")][turn],
      search: () => grounded("The moon.", { sources: [{ url: "https://example.com/tides", title: "Tides" }] }),
      fetch: () => page("The moon."),
    }[kind];
    return said && [delay(MODEL_MS), said()].flat();
  },
});
const env = { PATH: process.env["PATH"], HOME: folder, ...server.env };

/** What the processes that run under `folder` have used so far, and take now. */
async function processesNow() {
  const found = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const [environment, stat, statm] = await Promise.all(
          ["environ", "stat", "statm"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
        );
        if (!environment.includes(folder) || statm === "") return [];
        // After the name, which may hold anything: utime and stime are the 14th and 15th fields of all.
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const cpuS = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
        return [{ pid, cpuS, mb: (Number(statm.split(" ")[1]) * KB_PER_PAGE) / 1024 }];
      }),
  );
  return found.flat();
}

/** Makes so many runs at once and measures until the last answer. */
async function measure(runner, count) {
  const cpu = new Map();
  const before = new Map((await processesNow()).map(({ pid, cpuS }) => [pid, cpuS]));
  let peakMb = 0;
  const look = async () => {
    const now = await processesNow();
    for (const { pid, cpuS } of now) cpu.set(pid, cpuS);
    peakMb = Math.max(
      peakMb,
      now.reduce((sum, { mb }) => sum + mb, 0),
    );
  };
  const timer = setInterval(look, SAMPLE_MS);
  const startedAt = performance.timeOrigin + performance.now();
  const results = await Promise.all(
    Array.from({ length: count }, (_, i) => resultOf(runner.run({ prompt: `run-${i}`, model: MODEL }))),
  );
  const allDoneS = (performance.timeOrigin + performance.now() - startedAt) / 1_000;
  clearInterval(timer);
  await look();
  for (const { text } of results) if (text !== "The moon.") throw new Error(`Not the answer: ${text}`);
  const cpuS = [...cpu].reduce((sum, [pid, used]) => sum + used - (before.get(pid) ?? 0), 0);
  return { peakMb, cpuS, allDoneS, firstMs: firstRequests.get("run-0") - startedAt };
}

async function withRunner(options, use) {
  const runner = createGeminiRunner({ command: cli, cwd: folder, env, ...options });
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
}

const alone = (count) => withRunner({ maxConcurrent: count }, (runner) => measure(runner, count));
const shared = (count) => withRunner({ pool: { sessions: count } }, (runner) => measure(runner, count));

/** From the prompt to the first request where a process is there: the median of several. */
const warm = () =>
  withRunner({ pool: true }, async (runner) => {
    for (let i = 0; i < 2; i++) await measure(runner, 1);
    const times = [];
    for (let i = 0; i < WARM_RUNS; i++) times.push((await measure(runner, 1)).firstMs);
    return median(times);
  });

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Each figure by itself. */
function middle(figures) {
  const names = Object.keys(figures[0]);
  return Object.fromEntries(names.map((name) => [name, median(figures.map((each) => each[name]))]));
}

/** How long runs take beside one that does something: in turns, all in one process. */
const disturbed = () =>
  withRunner({ pool: true, retries: 0 }, async (runner) => {
    const times = Object.fromEntries(Object.keys(DISTURBANCES).map((name) => [name, []]));
    await resultOf(runner.run({ prompt: "beside it", model: MODEL }));
    for (let round = 0; round < DISTURBED_ROUNDS; round++) {
      for (const [name, list] of Object.entries(times)) {
        const stop = new AbortController();
        const request = { prompt: `disturb: ${name}`, model: name === "runaway" ? "pro" : MODEL, signal: stop.signal };
        const disturbing = resultOf(runner.run(request)).catch(() => {});
        for (let i = 0; i < RUNS_BESIDE; i++) {
          const startedAt = performance.now();
          await resultOf(runner.run({ prompt: "beside it", model: MODEL }));
          list.push(performance.now() - startedAt);
        }
        stop.abort();
        await disturbing;
      }
    }
    return times;
  });

const rows = [];
let times;
let warmMs;
try {
  for (const count of COUNTS) {
    const rounds = [];
    for (let i = 0; i < (count === 1 ? ALONE_ROUNDS : 1); i++) rounds.push([await alone(count), await shared(count)]);
    const [one, all] = [0, 1].map((way) => middle(rounds.map((round) => round[way])));
    const row = (name, digits, unit) =>
      `${one[name].toFixed(digits)} → ${all[name].toFixed(digits)} ${unit} (${(all[name] / one[name]).toFixed(2)})`;
    const cells = [
      count,
      row("peakMb", 0, "MB"),
      row("cpuS", 1, "s"),
      row("allDoneS", 1, "s"),
      row("firstMs", 0, "ms"),
    ];
    rows.push(`| ${cells.join(" | ")} |`);
    process.stderr.write(`${rows.at(-1)}\n`);
  }
  warmMs = await warm();
  times = await disturbed();
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
const { version } = JSON.parse(await readFile(path.join(path.dirname(cli), "../package.json"), "utf8"));
const busy = `load ${os.loadavg()[0].toFixed(0)} on ${os.availableParallelism()} cores`;
process.stdout.write(
  [
    `Gemini CLI ${version}, Node ${process.version}, ${busy}; both started cold, in turns. First request of a warm pool: ${Math.round(warmMs)} ms (median of ${WARM_RUNS}).`,
    "",
    "| runs at once | memory | CPU | until the last answer | first request |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `Beside a run that … others took (median of ${DISTURBED_ROUNDS * RUNS_BESIDE}, and as a part of the first):`,
    "",
    "| … | median | |",
    "|---|---|---|",
    ...Object.entries(times).map(([name, list]) => {
      return `| ${name} | ${median(list).toFixed(0)} ms | ${(median(list) / median(times.nothing)).toFixed(2)} |`;
    }),
    "",
  ].join("\n"),
);

#!/usr/bin/env node
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { httpError, research, startModelServer } from "@x/gemini-runner/testing";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { machine, table, writeSection } from "../measure/page.mjs";
import { observable } from "../measure/process-tree.mjs";
import { quantile } from "../measure/statistics.mjs";
import { REAL_CLI, startHttpServer, startStdioServer } from "./servers.mjs";
import { judge } from "./verdict.mjs";

const CALLS_PER_MINUTE = 200;
const HTTP_CLIENTS = 16;
const STDIO_CLIENTS = 3;
const CHECKPOINTS = 10;
/** Every so many calls, the next ones go out at once: one from each client. */
const BURST_EVERY = 100;

/** Ten calls: a fifth of them cancelled, a fifth failing, and the code that the answer must have. */
const MIX = [
  { kind: "ok", tool: "search" },
  { kind: "slow", tool: "search", cancel: true },
  { kind: "ok", tool: "deep_search" },
  { kind: "crash", tool: "search", code: "EXECUTION_ERROR" },
  { kind: "ok", tool: "search" },
  { kind: "ok", tool: "deep_research" },
  { kind: "stubborn", tool: "deep_search", cancel: true },
  { kind: "ok", tool: "search" },
  { kind: "fail", tool: "search" },
  { kind: "ok", tool: "search" },
];
const FAILURES = [
  { kind: "auth", code: "AUTH_REQUIRED" },
  { kind: "quota", code: "QUOTA_EXCEEDED" },
  { kind: "crash", code: "EXECUTION_ERROR" },
];

const USAGE = `Calls from 20 clients, over HTTP and stdio, a fifth of them cancelled and a fifth failing, and what is left of each in
the servers: memory, descriptors, processes, files. Ends with 1 when anything grows or an answer is wrong.

npm run soak                   2,000 calls in ten minutes; writes its numbers into docs/benchmarks.md
npm run soak -- --minutes 1    200 calls in one minute; only prints`;

const values = commandLine(USAGE, { minutes: { type: "string", default: "10" } });
const minutes = Number(values.minutes);
if (!observable) throw new Error("The soak looks into /proc: it runs on Linux only.");
if (!(minutes > 0)) refuse(`--minutes ${values.minutes}: expected a number above 0`, USAGE);

/** A multiple of the mix. */
const total = MIX.length * Math.max(1, Math.round((minutes * CALLS_PER_MINUTE) / MIX.length));
const scratch = mkdtempSync(join(tmpdir(), "soak-"));
const counts = { answered: 0, cancelled: 0, failed: 0, real: 0 };
const wrong = [];
/** Of quick searches that were not part of a burst, by their number. */
const paced = new Map();

const modelServer = await startModelServer({ scenario: modelScenario(research({ topic: "the soak" })) });
let ended = false;
const running = [];
try {
  await start();
  // What a server loads with its first run is not a growth.
  await Promise.all(
    running.flatMap(({ clients }) => clients).map((client, i) => call(client, total + MIX.length * (i + 1), true)),
  );
  for (const name of Object.keys(counts)) counts[name] = 0;
  const { rows, verdicts } = await run();
  report(rows, verdicts);
  process.exitCode = verdicts.every(({ ok }) => ok) && wrong.length === 0 ? 0 : 1;
} finally {
  if (!ended) await Promise.allSettled(running.map(({ server }) => server.end()));
  await modelServer.close();
  rmSync(scratch, { recursive: true, force: true });
}

/** The model behind the real CLI: fails where the question says so. */
function modelScenario(answers) {
  return (call) => (/soak-(?:crash|auth|quota)-/.test(call.prompt) ? httpError("bad-request") : answers(call));
}

async function start() {
  const fake = join(scratch, "fake", "gemini.mjs");
  mkdirSync(join(scratch, "fake"));
  copyFileSync(new URL("fake-gemini.mjs", import.meta.url), fake);
  running.push(await startHttpServer({ scratch, cliPath: fake, count: HTTP_CLIENTS }));
  for (let i = 1; i <= STDIO_CLIENTS; i++) {
    running.push(await startStdioServer({ scratch, name: `stdio ${i}`, cliPath: fake }));
  }
  running.push(await startStdioServer({ scratch, name: "stdio, real CLI", cliPath: REAL_CLI, more: modelServer.env }));
}

async function run() {
  const servers = running.map(({ server }) => server);
  const clients = running.flatMap((each) => each.clients);
  const inFlight = new Set();
  const looks = [];
  const gapMs = 60_000 / CALLS_PER_MINUTE;
  let due = performance.now();
  for (let number = 0; number < total; number++) {
    const inBurst = number % BURST_EVERY < clients.length && number >= BURST_EVERY;
    if (!inBurst || number % BURST_EVERY === 0) await sleep(Math.max(0, due - performance.now()));
    due += gapMs;
    // Each round of the clients starts one further, so that every client makes every kind of call.
    const client = clients[(number + Math.floor(number / clients.length)) % clients.length];
    const done = call(client, number, inBurst).finally(() => inFlight.delete(done));
    inFlight.add(done);
    if ((number + 1) % Math.ceil(total / CHECKPOINTS) === 0 || number === total - 1) {
      await Promise.all(inFlight);
      const left = await Promise.all(servers.map((server) => server.settled()));
      const seen = await Promise.all(servers.map((server) => server.look()));
      looks.push({ seen, left });
      due = Math.max(due, performance.now());
    }
  }
  for (const server of servers) await server.disconnect();
  const afterwards = await Promise.all(servers.map((server) => server.settled()));
  ended = true;
  const exitMs = await Promise.all(servers.map((server) => server.end()));
  const verdicts = judge({ looks, afterwards, exitMs, files: servers[0].leftFiles() });
  return { rows: { servers, looks, exitMs }, verdicts };
}

async function call({ client, server }, number, inBurst) {
  const step = MIX[number % MIX.length];
  const { kind, code } = step.kind === "fail" ? FAILURES[Math.floor(number / MIX.length) % FAILURES.length] : step;
  const real = server.name.includes("real");
  const question = `soak-${kind}-${number}`;
  const argument = step.tool === "deep_research" ? { topic: question } : { query: question };
  const controller = new AbortController();
  const timer = step.cancel ? setTimeout(() => controller.abort(), 20 + Math.random() * 500) : undefined;
  const startedAt = performance.timeOrigin + performance.now();
  let result;
  try {
    result = await client.callTool({ name: step.tool, arguments: argument }, undefined, {
      signal: controller.signal,
      timeout: 120_000,
    });
  } catch (error) {
    if (controller.signal.aborted) counts.cancelled += 1;
    else wrong.push(`${server.name}, ${question}: ${error.message}`);
    return;
  } finally {
    clearTimeout(timer);
  }
  const endedAt = performance.timeOrigin + performance.now();
  if (real) counts.real += 1;
  check({ question, result, code, real, server });
  if (kind === "ok" && step.tool === "search" && !real && !inBurst) paced.set(number, { startedAt, endedAt });
}

function check({ question, result, code, real, server }) {
  const answer = result.structuredContent ?? JSON.parse(result.content[0].text);
  const expected = code === undefined ? undefined : real ? "EXECUTION_ERROR" : code;
  if (expected === undefined ? answer.success : answer.error?.code === expected) {
    if (expected === undefined) counts.answered += 1;
    else counts.failed += 1;
    return;
  }
  wrong.push(
    `${server.name}, ${question}: expected ${expected ?? "an answer"}, got ${JSON.stringify(answer).slice(0, 400)}`,
  );
}

/** What a call took beside the CLI's own time, which the fake notes itself. */
function addedTimes() {
  const times = { before: [], after: [], all: [] };
  for (const line of readFileSync(join(scratch, "fake", "runs.jsonl"), "utf8")
    .trim()
    .split("\n")) {
    const { kind, number, startedAt, endedAt } = JSON.parse(line);
    const own = paced.get(number);
    if (kind !== "ok" || own === undefined) continue;
    times.before.push(startedAt - own.startedAt);
    times.after.push(own.endedAt - endedAt);
    times.all.push(own.endedAt - own.startedAt - (endedAt - startedAt));
  }
  return times;
}

function report({ servers, looks, exitMs }, verdicts) {
  const ms = (list, p) => `${quantile(list, p).toFixed(1)} ms`;
  const times = addedTimes();
  if (times.all.length === 0) wrong.push("No call was timed");
  const row = (name, list) => [name, ms(list, 0.5), ms(list, 0.99), list.length];
  const [first, middle, last] = [0, Math.floor(looks.length / 2), looks.length - 1].map((i) => looks[i]);
  const parts = [
    `${total} calls from ${HTTP_CLIENTS + STDIO_CLIENTS + 1} clients in ${minutes} minutes, ${HTTP_CLIENTS} of them on one server over HTTP and each other on its own over stdio: ${counts.answered} answered, ${counts.cancelled} cancelled, ${counts.failed} failed as they should, ${wrong.length} wrong; ${counts.real} of the answers came from the real CLI. ${machine()}.`,
    table(
      ["server", "heap MiB: first tenth, half, end>", "resident MiB>", "descriptors>", "exit>"],
      servers.map((server, i) => [
        server.name,
        [first, middle, last].map(({ seen }) => seen[i].heapMiB.toFixed(1)).join(", "),
        [first, middle, last].map(({ seen }) => seen[i].residentMiB.toFixed(0)).join(", "),
        [first, middle, last].map(({ seen }) => seen[i].descriptors.all).join(", "),
        `${exitMs[i].toFixed(0)} ms`,
      ]),
    ),
    "What the server adds to a call: the time of the call without the time of the CLI's process.",
    table(
      ["part of a `search`", "median>", "99th percentile>", "calls>"],
      [
        row("from the call to the start of the CLI", times.before),
        row("from the CLI's answer to the client's", times.after),
        row("together", times.all),
      ],
    ),
    table(
      ["must hold", "measured", ""],
      verdicts.map(({ what, measured, ok }) => [what, measured, ok ? "yes" : "**no**"]),
    ),
  ];
  const text = parts.join("\n\n");
  console.log(text);
  for (const line of wrong.slice(0, 20)) console.error(line);
  if (minutes >= 10) writeSection("benchmarks.md", "load", text);
}

import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { chosenBy } from "../measure/choice.mjs";
import { commandLine, refuse } from "../measure/command-line.mjs";
import { descriptorsOf, filesOf, grown, lastOf, processesOf } from "../rig/leftovers.js";
import { SERVER_BIN } from "../rig/server-process.js";
import { HEAVY } from "./abuse/answers.js";
import { until } from "./abuse/expect.js";
import { ABUSES, GROUPS } from "./abuses.js";
import { dangersInLog } from "./dangers.js";
import { exchange } from "./exchange.js";
import { Fortress } from "./fortress.js";
import { type Abuse, playOf, runsIn } from "./ground.js";
import { holds, problemsOf, type Row, toMarkdown } from "./page.js";
import { Peer } from "./peer.js";
import { play } from "./play.js";
import { judge, type Siege } from "./verdict.js";
import type { Batch, CallSample, HealthSample } from "./witness.js";

const PAGE = new URL("../../../docs/siege.md", import.meta.url);
const FROZEN_MS = 10_000;
const START_LIMIT_MS = 60_000;
const SETTLE_LIMIT_MS = 20_000;
/** The abusers leave the processors to the server: how it bears load is measured, not how the rig does. */
const ABUSERS_PRIORITY = 10;
/** An abuse that runs beside the others is played again when they ended the server meanwhile. */
const MOST_TRIES = 3;

const USAGE = `Load and abuse against one server over HTTP, on loopback, while a well-behaved client makes a call a second:
npm run siege [-- options]

  --minutes N         as long as this (5); the first wave is always played to its end
  --only EXPRESSION   abuses whose names fit
  --group EXPRESSION  groups whose names fit
  --server FILE       the program of another version, such as an older dist/bin.js
  --write             puts what was measured into docs/siege.md

Ends with 1 when anything did not hold.`;

const values = commandLine(USAGE, {
  minutes: { type: "string", default: "5" },
  only: { type: "string" },
  group: { type: "string" },
  server: { type: "string" },
  write: { type: "boolean", default: false },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) refuse(`--minutes ${values.minutes}: expected a number above 0`, USAGE);
if (process.platform !== "linux") {
  console.error("Memory, processes and connections are read from /proc: run this on Linux.");
  process.exit(1);
}
const ofGroup = chosenBy("--group", values.group, GROUPS, { nameOf: ({ name }) => name, usage: USAGE });
const chosen = new Set<Abuse>(
  chosenBy(
    "--only",
    values.only,
    ofGroup.flatMap(({ abuses }) => abuses),
    { nameOf: ({ name }) => name, usage: USAGE },
  ),
);
const rows: (Row & { played: Awaited<ReturnType<typeof play>>[] })[] = GROUPS.flatMap(({ name, abuses }) =>
  abuses.filter((abuse) => chosen.has(abuse)).map((abuse) => ({ group: name, abuse, played: [] })),
);

const health: HealthSample[] = [];
const calls: CallSample[] = [];
let [peakMB, diskMB, answeredAt] = [0, 0, Date.now()];
const underWay = new Set<string>();
const fortress = await Fortress.build({
  underWay: () => [...underWay].join(", ") || "nothing",
  onStart: watch,
  bin: values.server ?? SERVER_BIN,
});
const witness = fork(new URL("./siege-witness.js", import.meta.url), {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
});
const witnessEnded = new Promise((resolve) => witness.once("exit", resolve));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    witness.kill();
    void fortress.remove().finally(() => process.exit(1));
  });
}
setPriority(ABUSERS_PRIORITY);

/** Tells the witness where the server is. */
function watch(): void {
  const { port, token, server } = fortress;
  answeredAt = Date.now();
  witness.send({ port, token, pid: server.pid });
}

witness.on("message", (batch: Batch) => {
  health.push(...batch.health);
  calls.push(...batch.calls);
  peakMB = Math.max(peakMB, batch.peakMB);
  if (batch.health.some(({ lost }) => !lost)) answeredAt = Date.now();
});

/** What failed when nobody waited for it any more. */
const unheard: string[] = [];
process.on("unhandledRejection", (error) => unheard.push(error instanceof Error ? error.message : String(error)));

async function playRow(row: (typeof rows)[number]): Promise<void> {
  const { abuse, played } = row;
  // It counts as not played.
  if (fortress.isLost) return;
  underWay.add(abuse.name);
  const before = unheard.length;
  const outcome = await play(abuse, fortress);
  outcome.problems.push(...unheard.slice(before));
  underWay.delete(abuse.name);
  // Only the last try of one that was disturbed by another counts.
  if (abuse.beside && played.at(-1)?.outlived) played.pop();
  played.push(outcome);
  const problems = problemsOf({ ...row, played: [outcome] });
  console.log(
    `${problems.length > 0 ? "FAIL" : "ok  "} ${abuse.name}: ${problems.join("; ").slice(0, 400) || outcome.said}`,
  );
}

let startedAt = Date.now();
const timeLeft = () => (fortress.isLost ? 0 : startedAt + minutes * 60_000 - Date.now());

/** In waves: alone in the first one, so that what breaks has a name; then in two lanes at once. */
async function waves(): Promise<void> {
  const inTurn = rows.filter(({ abuse }) => !abuse.beside);
  for (const row of inTurn) await playRow(row);
  for (let wave = 1; timeLeft() > 0 && inTurn.length > 0; wave++) {
    const together = inTurn.filter(({ abuse }) => !abuse.alone);
    const middle = Math.floor((wave * together.length) / 3) % together.length;
    await inOrder(inTurn.filter(({ abuse }) => abuse.alone));
    await Promise.all([inOrder(together.slice(middle)), inOrder(together.slice(0, middle))]);
    if (timeLeft() < 10_000) return;
  }
}

async function inOrder(lane: typeof rows): Promise<void> {
  for (const row of lane) if (timeLeft() > row.abuse.withinMs / 2) await playRow(row);
}

async function beside(row: (typeof rows)[number]): Promise<void> {
  for (let i = 0; i === 0 || timeLeft() > row.abuse.withinMs || (i < MOST_TRIES && row.played.at(-1)?.outlived); i++) {
    await playRow(row);
  }
}

/** Ends the server while it works, and looks at what stays. */
async function end(): Promise<Pick<Siege, "exitMs" | "left">> {
  const { sandbox, server } = fortress;
  const open = async () => grown(before, await descriptorsOf(server.pid).catch(() => []));
  const descriptors = await lastOf(open, SETTLE_LIMIT_MS);
  const questions = ["hang", "hang", "stubborn"].map((name, i) => `How high are the tides? play-${name}.${i + 1}`);
  await workFor(questions, ({ alive }) => alive.length > 0);
  // What the next one said is being parsed when it is gone.
  await workFor(
    [`How high are the tides? play-${playOf({ name: HEAVY })}.1`],
    (runs) => runs.started > 0 && runs.alive.length === 0,
  );
  fortress.surrender();
  const from = performance.now();
  server.child.kill("SIGTERM");
  const exit = await server.exitFrom(from);
  const processes = await lastOf(async () => (await processesOf(sandbox)).map(({ command }) => command), 3_000);
  const files = (await filesOf(sandbox)).filter((file) => LEFT.test(file) && !file.includes("node-compile-cache"));
  return { exitMs: exit?.ms, left: { descriptors, processes, files } };
}

/** Asks these questions, and waits until their runs are where they should be, or some seconds. */
async function workFor(
  questions: readonly string[],
  there: (runs: Awaited<ReturnType<typeof runsIn>>) => boolean,
): Promise<void> {
  const { port, token, runs } = fortress;
  const limit = AbortSignal.timeout(5_000);
  const asked = questions.map(async (query) => {
    const peer = await Peer.open((sent) => exchange(port, { ...sent, timeoutMs: 10_000 }), token);
    await peer.call("search", { query });
  });
  // They are not answered: the server ends before.
  for (const each of asked) each.catch(() => {});
  await until(limit, async () => (await Promise.all(questions.map((query) => runsIn(runs, query)))).every(there)).catch(
    () => {},
  );
}

/** Not what is kept on purpose: researches and their index. */
const LEFT = /^(?:tmp|home)\/|^config\/(?:runs\/|temp-)|\.(?:tmp|part|new|lock)$/;

let failed = true;
const before = await descriptorsOf(fortress.server.pid);
const looking = setInterval(async () => {
  diskMB = Math.max(diskMB, (await fortress.diskBytes()) / 1e6);
  if (Date.now() - answeredAt > FROZEN_MS) {
    answeredAt = Date.now() + FROZEN_MS;
    await fortress.frozen();
  }
}, 500);
try {
  watch();
  // Nothing happens unseen.
  await until(AbortSignal.timeout(START_LIMIT_MS), () => health.length > 0 && calls.length > 0);
  startedAt = Date.now();
  console.log(`${rows.length} of ${ABUSES.length} abuses, ${minutes} minutes`);
  await Promise.all([waves(), ...rows.filter(({ abuse }) => abuse.beside).map(beside)]);
  // A short siege of one abuse is one too.
  if (timeLeft() > 0) await sleep(Math.min(timeLeft(), 5_000));
  const tookMinutes = (Date.now() - startedAt) / 60_000;
  witness.send("stop");
  await witnessEnded;
  clearInterval(looking);
  const ended = await end();
  const logs = [...new Set([...fortress.logs, fortress.server.stderr])].join("\n");
  const siege: Siege = {
    calls,
    health,
    peakMB,
    diskMB,
    ends: fortress.ends,
    abuses: {
      of: rows.length,
      played: rows.filter(({ played }) => played.length > 0).length,
      held: rows.filter(holds).length,
    },
    dangersInLog: dangersInLog(logs),
    ...ended,
  };
  const lines = judge(siege);
  const page = toMarkdown(siege, lines, rows, tookMinutes);
  console.log(`\n${page}`);
  if (values.write) writeFileSync(PAGE, page);
  failed = lines.some(({ ok }) => !ok);
} finally {
  clearInterval(looking);
  witness.kill();
  await fortress.remove();
}
process.exitCode = failed ? 1 : 0;

/** Many tenants, and workers that are killed meanwhile. */
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../../measure/statistics.mjs";
import type { Caller, Outcome } from "../caller.js";
import type { Run } from "../cli-log.js";
import { faultsOf, type Kill, longestStoring, recoveries, repeatedRounds } from "../judge.js";
import { EVERY_ENGINE, type Ground, type Options, type Part } from "../part.js";
import { ask } from "../question.js";
import { ROOMY, type World } from "../world.js";

/** A lease of 30 s, and a turn in the queue. */
const RECOVERY_MS = 35_000;
/** What the last jobs may take when nobody asks for more. */
const AFTERWARDS_MS = 150_000;
const BUSY_LIMIT_MS = 3_000;
/** Calls that come at once, so that kills meet a queue that is not empty. */
const BURST = 25;

interface Job {
  mark: string;
  rounds: number;
  /** None when the call broke. */
  outcome?: Outcome;
  broke?: string;
}

export const KILLS: Part = {
  name: "load and kills",
  engines: EVERY_ENGINE,
  withinMs: ({ seconds }) => seconds * 1_000 + AFTERWARDS_MS + 120_000,
  async play(ground) {
    const { options, tell } = ground;
    const names = Array.from({ length: options.tenants }, (_, i) => `t${i + 1}`);
    const world = await ground.open({ tenants: Object.fromEntries(names.map((name) => [name, ROOMY])) });
    await world.startAll();
    const over = new AbortController();
    const killing = killNowAndThen(world, options, over.signal);
    const deadline = performance.now() + options.seconds * 1_000 + AFTERWARDS_MS;
    const jobs: Job[] = [];
    const plan = planOf(options);
    const whole = sleep(options.seconds * 1_000);
    await Promise.all(names.map((name, i) => beTenant(world, name, plan[i] ?? [], { jobs, deadline })));
    // Kills go on for as long as was asked, though the last answer may be there before.
    await whole;
    over.abort();
    await killing;
    tell(`${jobs.length} jobs, ${world.kills.length} kills`);
    await judge(ground, world, jobs);
    await ground.close(world);
  },
};

/** When each call of each tenant begins, in milliseconds: half of all spread evenly, half in bursts. */
function planOf({ tenants, calls, seconds }: Options): number[][] {
  const span = seconds * 1_000;
  const total = tenants * calls;
  const bursts = Math.max(1, Math.ceil(total / 2 / BURST));
  const moments = Array.from({ length: total }, (_, i) =>
    i % 2 === 0 ? (i / total) * span : (Math.floor((i / total) * bursts) / bursts) * span,
  );
  return Array.from({ length: tenants }, (_, t) => moments.filter((_, i) => i % tenants === t).sort((a, b) => a - b));
}

async function beTenant(
  world: World,
  tenant: string,
  moments: readonly number[],
  { jobs, deadline }: { jobs: Job[]; deadline: number },
): Promise<void> {
  const from = performance.now();
  let opening: Promise<Caller> | undefined;
  const calls = moments.map(async (moment, i) => {
    await sleep(Math.max(0, from + moment - performance.now()));
    const rounds = [1, 2, 3, 2, 1][i % 5] ?? 1;
    const { mark, query, tool } = ask(tenant, { rounds, ms: 100 + Math.random() * 300 });
    const job: Job = { mark, rounds };
    jobs.push(job);
    try {
      opening ??= world.caller(tenant);
      const caller = await opening;
      const args = { query, ...(i % 2 === 0 && { wait_seconds: 0 }) };
      job.outcome = await caller.finish(tool, args, deadline - performance.now());
    } catch (error) {
      job.broke = (error as Error).message;
    }
  });
  await Promise.all(calls);
}

/** One of those that do something, if any does soon: an idle worker shows nothing when it is killed. */
async function killNowAndThen(world: World, { killEverySeconds, engine }: Options, signal: AbortSignal): Promise<void> {
  if (killEverySeconds === 0 || engine === "files") return;
  for (;;) {
    await sleep(killEverySeconds * 1_000, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const busyIn = (runs: readonly Run[]) =>
      world.workers.filter((name) => runs.some((run) => run.by === name && run.end === undefined));
    const busy = busyIn(await world.log.until(BUSY_LIMIT_MS, (runs) => busyIn(runs).length > 0));
    const workers = busy.length > 0 ? busy : world.workers;
    const name = workers[Math.floor(Math.random() * workers.length)];
    if (name !== undefined) await world.killWorker(name);
  }
}

async function judge({ row, options }: Ground, world: World, jobs: readonly Job[]): Promise<void> {
  const runs = await world.log.runs();
  const broken = jobs.filter(({ broke }) => broke !== undefined);
  row(
    "every call is answered by a front",
    `${options.tenants * options.calls}`,
    `${jobs.length - broken.length}${broken[0] ? `; ${broken[0].mark}: ${broken[0].broke}` : ""}`,
    broken.length === 0 && jobs.length === options.tenants * options.calls,
  );
  const ended = jobs.filter(({ outcome }) => outcome?.answer.success && outcome.answer.status !== "running");
  const [open] = jobs.filter((job) => !ended.includes(job) && job.broke === undefined);
  const why = open?.outcome?.answer;
  row(
    "every job ends with a report, none is lost",
    `${jobs.length}`,
    `${ended.length}${open ? `; ${open.mark}: ${why?.status ?? ""} ${why?.code ?? ""} ${why?.message ?? ""}` : ""}`,
    jobs.length > 0 && ended.length === jobs.length,
  );
  const wrong = ended.flatMap(({ mark, rounds, outcome }) =>
    faultsOf(outcome?.answer.result ?? "", mark, rounds, runs).map((fault) => `${mark} ${fault}`),
  );
  row(
    "each report holds each round of its own job once",
    "all",
    wrong.length === 0 ? `${ended.length} of ${ended.length}` : `${wrong.length} wrong; ${wrong[0]}`,
    ended.length > 0 && wrong.length === 0,
  );
  const ids = ended.map(({ outcome }) => outcome?.answer.jobId);
  row(
    "each question is one job",
    "all ids differ",
    `${new Set(ids).size} of ${ids.length}`,
    new Set(ids).size === ids.length && !ids.includes(undefined),
  );
  const repeated = repeatedRounds(runs, world.kills);
  row(
    "finished rounds that ran again though their worker was not killed in them",
    "none",
    repeated.length === 0
      ? `none in ${runs.length} runs; storing took ${longestStoring(runs)} ms at most`
      : `${repeated.length}; round ${repeated[0]?.round} of ${repeated[0]?.mark} by ${repeated[0]?.runs.map(({ by }) => by).join(", ")}`,
    runs.length > 0 && repeated.length === 0,
  );
  if (world.layout.workers > 0 && options.killEverySeconds > 0)
    killRows(row, world.kills, recoveries(runs, world.kills));
  const times = ended.map(({ outcome }) => outcome?.ms ?? 0);
  row(
    "from a call to its report",
    "measured",
    `median ${quantile(times, 0.5).toFixed(0)} ms, 99th percentile ${quantile(times, 0.99).toFixed(0)} ms`,
    times.length > 0,
  );
  await metricsRow(row, world);
}

function killRows(row: Ground["row"], kills: readonly Kill[], hit: ReturnType<typeof recoveries>): void {
  const lost = hit.filter(({ ms }) => ms === undefined);
  const longest = Math.max(0, ...hit.map(({ ms }) => ms ?? 0));
  row(
    "a job goes on in another worker after its own was killed in a run",
    `within ${RECOVERY_MS / 1_000} s (lease of 30 s, and a turn)`,
    `${kills.length} kills met ${hit.length} runs; ${(longest / 1_000).toFixed(1)} s at most${lost[0] ? `; ${lost[0].mark} never` : ""}`,
    hit.length > 0 && lost.length === 0 && longest <= RECOVERY_MS,
  );
}

async function metricsRow(row: Ground["row"], world: World): Promise<void> {
  const [tenant = ""] = Object.keys(world.layout.tenants);
  const { status, text } = await world.page("/metrics", 0, { authorization: `Bearer ${world.tokenOf(tenant)}` });
  const samples = text.split("\n").filter((line) => /^[a-z_:][\w:]*(?:\{[^}]*\})? -?[\d.e+-]+$/i.test(line));
  const secret = world.secrets.some((word) => text.includes(word)) || /load-t\d+-\d+-r/.test(text);
  row(
    "`/metrics` is Prometheus text without tokens and questions",
    "200, samples",
    `${status}, ${samples.length} samples${secret ? ", a secret" : ""}${status === 200 ? "" : `: ${text.slice(0, 100)}`}`,
    status === 200 && samples.length > 0 && !secret,
  );
}

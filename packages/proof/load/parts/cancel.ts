/** A cancel reaches every worker, and ends what it started. */
import { lastOf } from "../../rig/leftovers.js";
import type { Run } from "../cli-log.js";
import { EVERY_ENGINE, type Ground, type Part } from "../part.js";
import { ask } from "../question.js";
import { isThere } from "../store.js";
import type { World } from "../world.js";

const CANCEL_MS = 2_000;
const LOOK_LIMIT_MS = 15_000;
const ORPHAN_MS = 35_000;
const START_LIMIT_MS = 30_000;

export const CANCEL: Part = {
  name: "cancel",
  engines: EVERY_ENGINE,
  withinMs: () => 240_000,
  async play(ground) {
    const { options } = ground;
    const world = await ground.open({});
    await world.startAll();
    const places = options.engine === "files" ? 2 : options.workers * options.concurrency;
    await cancelAll(ground, world, places);
    if (world.store) await killedWorker(ground, world);
    await ground.close(world);
  },
};

/** Every place of every worker is taken by a run that hangs; each is cancelled at a front. */
async function cancelAll({ row, options }: Ground, world: World, places: number): Promise<void> {
  const caller = await world.caller("one");
  const asked = Array.from({ length: places }, () => ask("one", { doing: "hang", ms: 0 }));
  const jobs = await Promise.all(
    asked.map(async ({ mark, query, tool }) => ({ mark, ...(await caller.call(tool, { query, wait_seconds: 0 })) })),
  );
  const isUp = (runs: readonly Run[], mark: string) => runs.some((run) => run.mark === mark && run.child !== undefined);
  const runs = await world.log.until(START_LIMIT_MS, (all) => asked.every(({ mark }) => isUp(all, mark)));
  const missing = asked.filter(({ mark }) => !isUp(runs, mark)).length;
  const by = new Set(runs.map((run) => run.by));
  row(
    "jobs that hang fill every place of every worker",
    `${places} runs in ${Math.max(1, options.engine === "files" ? 1 : options.workers)} processes`,
    `${runs.length} in ${by.size}`,
    missing === 0 && (options.engine === "files" || by.size === options.workers),
  );

  const waiting = ask("one", { ms: 50 });
  const queued =
    options.engine === "files" ? undefined : await caller.call(waiting.tool, { query: waiting.query, wait_seconds: 0 });
  const dropped = queued && (await caller.call("research_cancel", { job_id: queued.jobId }));
  const times = await Promise.all(
    jobs.map(async ({ mark, jobId }) => {
      const from = performance.now();
      const answer = await caller.call("research_cancel", { job_id: jobId });
      const own = runs.filter((run) => run.mark === mark).flatMap(({ pid, child }) => [pid, child ?? pid]);
      const left = await lastOf(async () => await existing(own), LOOK_LIMIT_MS);
      return { ms: performance.now() - from, left: left.length, answer };
    }),
  );
  const refused = times.find(({ answer }) => !answer.success);
  const longest = Math.max(...times.map(({ ms }) => ms));
  const left = times.filter((time) => time.left > 0).length;
  row(
    "from a cancel at any front to the end of the CLI and of what it started, in any worker",
    `within ${CANCEL_MS / 1_000} s`,
    `${longest.toFixed(0)} ms at most of ${places}${left > 0 ? `; ${left} still there` : ""}${refused ? `; ${refused.answer.code} ${refused.answer.message}` : ""}`,
    longest <= CANCEL_MS && left === 0 && refused === undefined,
  );
  const states = await Promise.all(
    jobs.map(({ jobId }) => caller.call("research_result", { job_id: jobId, wait_seconds: 0 })),
  );
  const codes = new Set(states.map(({ code, status }) => code ?? status));
  row("what a cancelled job answers", "CANCELLED", [...codes].join(", "), codes.size === 1 && codes.has("CANCELLED"));
  if (queued === undefined) return;
  // The next one in the line has its turn: the one before it would have had it.
  const next = ask("one", { ms: 50 });
  await caller.finish(next.tool, { query: next.query }, START_LIMIT_MS);
  const ran = await world.log.runs(waiting.mark);
  row(
    "a job that is cancelled while it waits",
    "never runs",
    `${ran.length} runs; ${dropped?.code ?? dropped?.status ?? "cancelled"}`,
    ran.length === 0 && dropped?.success === true,
  );
}

/** A worker is killed while its CLI hangs: nobody is there to end it but a guard, or the next owner of the job. */
async function killedWorker({ row }: Ground, world: World): Promise<void> {
  const caller = await world.caller("two");
  const { mark, query, tool } = ask("two", { doing: "hang", ms: 0 });
  const { jobId } = await caller.call(tool, { query, wait_seconds: 0 });
  const [run] = (
    await world.log.until(START_LIMIT_MS, (all) => all.some((each) => each.mark === mark && each.child))
  ).filter((each) => each.mark === mark);
  if (run === undefined) return row("a CLI that hangs in a killed worker", "gone", "it never started", false);
  const from = performance.now();
  await world.killWorker(run.by);
  const left = await lastOf(async () => await existing([run.pid, run.child ?? run.pid]), ORPHAN_MS);
  const ms = performance.now() - from;
  row(
    "a CLI that hangs when its worker is killed",
    `gone within ${ORPHAN_MS / 1_000} s, with what it started`,
    left.length === 0 ? `gone after ${(ms / 1_000).toFixed(1)} s` : `${left.length} processes still there`,
    left.length === 0,
  );
  await caller.call("research_cancel", { job_id: jobId });
}

async function existing(pids: readonly number[]): Promise<number[]> {
  const there = await Promise.all(pids.map(isThere));
  return pids.filter((_, i) => there[i]);
}

/** The store goes away while jobs run. */
import { setTimeout as sleep } from "node:timers/promises";
import { faultsOf, repeatedRounds } from "../judge.js";
import type { Ground, Part } from "../part.js";
import { ask } from "../question.js";
import type { World } from "../world.js";
import { clearError, untilReady } from "./start.js";

const PAUSE_MS = 5_000;
const AWAY_MS = 5_000;
const END_LIMIT_MS = 120_000;
const START_LIMIT_MS = 30_000;
const JOBS = 12;

export const OUTAGES: Part = {
  name: "store goes away",
  withinMs: () => 2 * (END_LIMIT_MS + START_LIMIT_MS + 60_000),
  async play(ground) {
    await during(ground, "killed and started again", async (world) => {
      await world.store?.kill();
      const [health, ready] = await Promise.all([world.page("/health"), world.page("/ready")]);
      ground.row(
        "`/health` and `/ready` while it is away",
        "200, 503",
        `${health.status}, ${ready.status} ${ready.text}`,
        health.status === 200 && ready.status === 503,
      );
      await Promise.all([clearError(ground, world, "a call while it is away"), sleep(AWAY_MS)]);
      await world.store?.start();
      const came = await untilReady(world);
      ground.row("`/ready` afterwards", "200 by itself", came ? "200" : "not ready", came);
    });
    await during(ground, `stopped for ${PAUSE_MS / 1_000} s (SIGSTOP)`, async (world) => {
      await world.store?.pause();
      // The outage is the time itself.
      await sleep(PAUSE_MS);
      await world.store?.resume();
    });
  },
};

/** Jobs of both tools, some running and some waiting, while this happens to the store. */
async function during(ground: Ground, what: string, happens: (world: World) => Promise<void>): Promise<void> {
  const { row } = ground;
  const world = await ground.open({});
  await world.startAll();
  const caller = await world.caller("one");
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, async (_, i) => {
      const asked = ask("one", { rounds: i % 3 === 0 ? 1 : 3, ms: 1_000 });
      return { ...asked, begun: await caller.call(asked.tool, { query: asked.query, wait_seconds: 0 }) };
    }),
  );
  const refused = jobs.find(({ begun }) => begun.jobId === undefined);
  if (refused) return row(what, "jobs are taken", `${refused.begun.code} ${refused.begun.message}`, false);
  await world.log.until(START_LIMIT_MS, (runs) => runs.some(({ end }) => end !== undefined));
  const from = Date.now();
  await happens(world);
  // Those who were cut off have to come back.
  world.outages.push({ from, to: Date.now() + AWAY_MS });
  const limit = performance.now() + END_LIMIT_MS;
  const answers = await Promise.all(
    jobs.map(async (job) => {
      for (;;) {
        const args = { job_id: job.begun.jobId, wait_seconds: 20 };
        const answer = await caller.call("research_result", args).catch((error: Error) => ({
          success: false,
          code: "no answer",
          status: undefined,
          message: error.message,
          result: "",
        }));
        const over = answer.success && answer.status !== "running";
        if (over || performance.now() > limit) return { ...job, answer };
        if (!answer.success) await sleep(1_000);
      }
    }),
  );
  const ended = answers.filter(({ answer }) => answer.success && answer.status !== "running");
  const [open] = answers.filter((each) => !ended.includes(each));
  row(
    `jobs under way when the store is ${what}`,
    `${JOBS} end with a report`,
    `${ended.length}${open ? `; ${open.mark}: ${open.answer.status ?? open.answer.code} ${open.answer.message}` : ""}`,
    ended.length === JOBS,
  );
  const runs = await world.log.runs();
  const faults = ended.flatMap(({ answer, mark, rounds }) =>
    faultsOf(answer.result, mark, rounds, runs).map((fault) => `${mark} ${fault}`),
  );
  const repeated = repeatedRounds(runs, [], world.outages);
  row(
    "their reports, and rounds that ran again though nothing happened to them",
    "each round once, none",
    `${faults.length} wrong, ${repeated.length} again${faults[0] ? `; ${faults[0]}` : ""}${repeated[0] ? `; round ${repeated[0].round} of ${repeated[0].mark}` : ""}`,
    faults.length === 0 && repeated.length === 0,
  );
  await ground.close(world);
}

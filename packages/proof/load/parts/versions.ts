/** An older and a newer version of the server on one store, as during an upgrade. */
import type { Answer } from "../../siege/peer.js";
import type { Caller } from "../caller.js";
import { faultsOf } from "../judge.js";
import type { Ground, Part } from "../part.js";
import { ask } from "../question.js";
import type { World } from "../world.js";

const LIMIT_MS = 120_000;
const JOBS = 24;
const JOB_MS = 500;

export const VERSIONS: Part = {
  name: "two versions",
  withinMs: () => 4 * LIMIT_MS,
  async play(ground) {
    const { older } = ground.options;
    if (older === undefined) return ground.tell("no older version is named: --older FILE");
    const world = await ground.open({ fronts: 0, workers: 0 });
    // The older one sets the store up.
    await world.startFront(older);
    await world.startWorker({}, older);
    const caller = await world.caller("one");
    await work(ground, world, caller, "the older version alone");
    await world.startFront();
    await world.startWorker();
    await work(ground, world, caller, "both versions");
    const [first = ""] = world.workers;
    await handOver(ground, world, caller, { ends: first, what: "the older worker is ended in the middle" });
    await world.startWorker({}, older);
    const [newer = ""] = world.workers;
    await handOver(ground, world, caller, {
      ends: newer,
      what: "the newer worker is ended in the middle, as when one goes back",
    });
    await ground.close(world);
  },
};

interface Asked {
  mark: string;
  rounds: number;
  answer: Promise<{ answer: Answer }>;
}

/** Each goes to whichever front is next. */
function begin(caller: Caller): Asked[] {
  return Array.from({ length: JOBS }, (_, i) => {
    const { mark, query, tool, rounds } = ask("one", { rounds: 1 + (i % 3), ms: JOB_MS });
    return { mark, rounds, answer: caller.finish(tool, { query, wait_seconds: 0 }, LIMIT_MS) };
  });
}

async function work(ground: Ground, world: World, caller: Caller, what: string): Promise<void> {
  await judge(ground, world, caller, { what, jobs: begin(caller) });
}

async function handOver(
  ground: Ground,
  world: World,
  caller: Caller,
  { ends, what }: { ends: string; what: string },
): Promise<void> {
  const jobs = begin(caller);
  await world.log.until(LIMIT_MS, (runs) => runs.some(({ by, end }) => by === ends && end === undefined));
  await world.endWorker(ends);
  await judge(ground, world, caller, { what, jobs });
}

async function judge(
  { row }: Ground,
  world: World,
  caller: Caller,
  { what, jobs }: { what: string; jobs: Asked[] },
): Promise<void> {
  const answers = await Promise.all(jobs.map(async ({ answer, ...job }) => ({ ...job, ...(await answer) })));
  const runs = await world.log.runs();
  const faults = answers.flatMap(({ answer, mark, rounds }) =>
    answer.success && answer.status !== "running"
      ? faultsOf(answer.result, mark, rounds, runs)
      : [`${mark}: ${answer.status ?? answer.code} ${answer.message}`],
  );
  row(
    `jobs of ${what}`,
    `${JOBS} reports, each with its rounds once`,
    `${JOBS - faults.length}${faults[0] ? `; ${faults[0]}` : ""}`,
    faults.length === 0,
  );
  const fronts = world.ports.map((_, front) => front);
  const read = await Promise.all(
    answers.flatMap(({ answer: { jobId, result } }) =>
      fronts.map(async (front) => {
        const again = await caller.call("research_result", { job_id: jobId, wait_seconds: 0 }, { front });
        return again.result === result;
      }),
    ),
  );
  row(
    `reports of ${what}, read from the fronts of each version`,
    `the same ${read.length} times`,
    `${read.filter(Boolean).length}`,
    read.every(Boolean),
  );
}

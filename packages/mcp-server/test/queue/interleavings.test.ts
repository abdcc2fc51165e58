import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Ask, AskRequest } from "../../src/isolation/ask.js";
import type { Job } from "../../src/jobs/job.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import type { Research } from "../../src/research.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

vi.setConfig({ testTimeout: 300_000 });
const SOON = { timeout: 120_000, interval: 100 };

/** The same numbers for the same seed, from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Researches that take some time of their own. */
function briefResearch(random: () => number): Pick<Research, "ask"> & { running: number } {
  const research = {
    running: 0,
    async *ask(_tool: string, { signal }: AskRequest): ReturnType<Ask> {
      research.running += 1;
      try {
        yield { type: "research-start", id: randomUUID() };
        await pause(random() * 60, undefined, signal && { signal });
        return searchReport();
      } finally {
        research.running -= 1;
      }
    },
  };
  return research;
}

const OWNERS = ["tenant:a", "tenant:b", "tenant:c"];
const STEPS = 150;

describe.each(ENGINES)("what many do at once in %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  test.each([1, 2, 3])(
    "every job ends, whenever it is asked for, joined, cancelled or gone on with (seed %i)",
    async (seed) => {
      const random = randomOf(seed);
      const url = await databaseIn(server);
      const open = async () => {
        const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now, againMs: 100 });
        closing.push(() => engine.close());
        return engine;
      };
      const engines = [await open(), await open()] as const;
      const fronts = engines.map((engine, at) => new QueuedJobs({ engine, log: () => {}, own: processOf(at + 1) }));
      closing.push(() => Promise.all(fronts.map((front) => front.close())));
      const research = briefResearch(random);
      for (const pid of [11, 12]) {
        const worker = workerOf(await open(), research, pid);
        closing.push(() => worker.close());
        await worker.start(3);
      }
      const jobs = new Map<string, { owner: string; job: Job }>();
      const acts = Array.from({ length: STEPS }, async () => {
        await pause(random() * 3_000);
        const owner = OWNERS[Math.floor(random() * OWNERS.length)] ?? "";
        const own = (fronts[random() < 0.5 ? 0 : 1] as QueuedJobs).of(owner, "", { running: 2, queued: 100 });
        const known = [...jobs.values()].filter((each) => each.owner === owner);
        const one = known[Math.floor(random() * known.length)]?.job.record.id ?? "search-0000000000";
        const dice = random();
        if (dice < 0.3) await own.cancel(one);
        else if (dice < 0.45) await own.resume(one);
        else {
          const { job } = await own.start("search", { query: `question ${Math.floor(random() * 25)}` });
          jobs.set(job.record.id, { owner, job });
        }
      });
      await Promise.all(acts);
      await vi.waitFor(async () => {
        const states = await Promise.all(
          [...jobs].map(async ([id, { owner }]) => (await fronts[0]?.of(owner).look(id))?.state),
        );
        expect(states.filter((state) => state !== "completed" && state !== "cancelled")).toEqual([]);
      }, SOON);
      // Who waits for one of them is not kept waiting.
      await Promise.all([...jobs.values()].map(({ job }) => job.ended()));
      for (const owner of OWNERS) {
        expect(await engines[0].store.counts(owner)).toEqual([{ owner, waiting: 0, running: 0 }]);
      }
      await vi.waitFor(() => expect(research.running).toBe(0), SOON);
      // And whoever asks next has a turn.
      const { job } = await (fronts[1] as QueuedJobs).of("tenant:a", "", { running: 2, queued: 1 }).start("search", {
        query: "the last one",
      });
      await job.ended();
      expect(job.record.state).toBe("completed");
    },
  );
});

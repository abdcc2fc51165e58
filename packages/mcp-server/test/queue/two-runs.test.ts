import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { JobMessage, JobQueue, Work } from "../../src/jobs/job-queue.js";
import { JobWorker } from "../../src/queue/job-worker.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { processOf } from "../support/process-of.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A run of a CLI that has not ended yet. */
interface Run {
  signal: AbortSignal;
  /** Its end, which may come long after it was told to. */
  end(): void;
}

describe.each(ENGINES)("two runs of one job in one process, with its record in %s,", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  /** A worker that is handed what it does, and a job that waits. */
  async function world() {
    const engine = await openEngine({
      ...{ url: await databaseIn(server), log: () => {}, keepMs: 60_000_000, now: Date.now },
    });
    closing.push(() => engine.close());
    const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
    closing.push(() => jobs.close());
    const { job } = await jobs.of("ann").start("deep_search", { query: "why" });
    const handed: { work?: Work; tell?: (message: JobMessage) => void } = {};
    const queue: Partial<JobQueue> = {
      async work(_concurrency, work) {
        handed.work = work;
        return { close: async () => {} };
      },
      publish: async () => {},
      subscribe(listener) {
        handed.tell = listener;
        return () => {};
      },
    };
    const runs: Run[] = [];
    const ask = async function* (_tool: string, { signal }: { signal: AbortSignal }) {
      yield { type: "research-start", id: `research-${runs.length}` };
      await new Promise<void>((resolve) => runs.push({ signal, end: resolve }));
      signal.throwIfAborted();
    };
    const [begun, ended]: [string[], string[]] = [[], []];
    const keyLimit = {
      restsMs: async () => 0,
      async begin(id = "") {
        begun.push(id);
        return 0;
      },
      ended: async (id: string) => void ended.push(id),
      lower: async () => {},
    };
    const worker = new JobWorker({
      ...{ engine: { store: engine.store, queue: queue as JobQueue }, log: () => {}, own: processOf(2), keyLimit },
      research: async () => ({ ask: ask as never }),
    });
    await worker.start(2);
    const { id } = job.record;
    const begin = async () => {
      const lease = new AbortController();
      const count = runs.length;
      const left = handed.work?.do({ id, signal: lease.signal });
      await vi.waitFor(() => expect(runs).toHaveLength(count + 1));
      return { left, lose: () => lease.abort("lost"), ...(runs[count] as Run) };
    };
    return { id, jobs: jobs.of("ann"), worker, begin, begun, ended, tell: handed.tell };
  }

  test("are told apart: a cancel ends the newer one when the older one, whose lease was lost, has ended after it began", async () => {
    const { id, jobs, worker, begin, begun, ended, tell } = await world();
    const older = await begin();
    older.lose();
    const newer = await begin();
    expect(worker.running).toBe(2);
    older.end();
    await older.left;
    expect(worker.running).toBe(1);
    expect(begun).toHaveLength(2);
    expect(ended).toEqual(begun.slice(0, 1));
    expect(new Set(begun)).toHaveProperty("size", 2);
    await jobs.cancel(id);
    tell?.({ kind: "stop", id });
    await vi.waitFor(() => expect(newer.signal.aborted).toBe(true));
    newer.end();
    await newer.left;
    expect(worker.running).toBe(0);
  });

  test("do not go on both: an older one that does not hear of its lease sees that the job was begun anew", async () => {
    const { id, begin, tell, worker } = await world();
    const older = await begin();
    const newer = await begin();
    tell?.({ kind: "stop", id });
    await vi.waitFor(() => expect(older.signal.aborted).toBe(true));
    expect(newer.signal.aborted).toBe(false);
    for (const run of [older, newer]) run.end();
    await Promise.all([older.left, newer.left]);
    expect(worker.running).toBe(0);
  });
});

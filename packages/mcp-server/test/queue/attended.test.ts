import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { JobMessage } from "../../src/jobs/job-queue.js";
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

const SOON = { timeout: 60_000, interval: 50 };

describe.each(ENGINES)("a front with %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  test("does not end a job whose call is gone and that another has joined after it was forgotten", async () => {
    const engine = await openEngine({
      ...{ url: await databaseIn(server), log: () => {}, keepMs: 60_000_000, now: Date.now },
    });
    closing.push(() => engine.close());
    const all = new QueuedJobs({ engine, log: () => {}, own: processOf(1), closedMs: 15_000, mostAttended: 1 });
    closing.push(() => all.close());
    const jobs = all.of("ann");
    const { job } = await jobs.start("search", { query: "why" });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    closing.push(async () => void vi.useRealTimers());
    expect(await jobs.wait(job, { waitMs: undefined, signal: AbortSignal.abort("closed") })).toBe("closed");
    await jobs.start("search", { query: "how" });
    const joined = await jobs.start("search", { query: "why" });
    expect(joined.job.record.id).toBe(job.record.id);
    vi.advanceTimersByTime(15_000);
    vi.useRealTimers();
    for (let looks = 0; looks < 50; looks++) expect((await jobs.look(job.record.id))?.state).toBe("running");
  });

  test("keeps nothing of a job that has ended: a call that gave up on it does not make the next one end it", async () => {
    const url = await databaseIn(server);
    const open = async (pid: number) => {
      const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
      closing.push(() => engine.close());
      const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(pid) });
      closing.push(() => jobs.close());
      return { engine, jobs: jobs.of("ann") };
    };
    const [one, two] = [await open(1), await open(2)];
    const { job } = await one.jobs.start("search", { query: "why" });
    const { id } = job.record;
    const ending = AbortSignal.abort("timed-out");
    expect(await one.jobs.wait(job, { waitMs: undefined, signal: ending })).toBe("timed-out");
    const heard: JobMessage[] = [];
    one.engine.queue.subscribe((message) => heard.push(message));
    // Who has just begun to hear may miss the first ones.
    await vi.waitFor(async () => {
      await two.engine.queue.publish({ kind: "attended", id: "first" });
      expect(heard.length).toBeGreaterThan(0);
    }, SOON);
    // Another front's client ends it, and goes on with it.
    await two.jobs.cancel(id);
    await vi.waitFor(() => expect(heard).toContainEqual({ kind: "ended", id }), SOON);
    expect((await two.jobs.resume(id))?.record.state).toBe("running");
    const joined = await one.jobs.start("search", { query: "why" });
    expect(joined.job.record.id).toBe(id);
    const cancelled = AbortSignal.abort("cancelled");
    expect(await one.jobs.wait(joined.job, { waitMs: undefined, signal: cancelled })).toBe("cancelled");
    for (let looks = 0; looks < 50; looks++) expect((await one.jobs.look(id))?.state).toBe("running");
  });
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { type JobRecord, newRecord } from "../../src/jobs/job-record.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(ENGINES)("a worker of %s that ended while it read an answer", (_, start) => {
  /** A worker that finds a job as such a one has left it. */
  async function found(left: Partial<JobRecord>) {
    const server = await start();
    closing.push(() => server.remove());
    const engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
    closing.push(() => engine.close());
    const research = fakeResearch();
    const worker = workerOf(engine, research, 2);
    closing.push(() => worker.close());
    const record = newRecord("ann", "search", { query: "why" }, { own: processOf(1), nowMs: Date.now() });
    await engine.store.create({ ...record, ...left }, undefined);
    await worker.start(1);
    await engine.queue.wake();
    const front = new QueuedJobs({ engine, log: () => {}, own: processOf(3) });
    closing.push(() => front.close());
    return { research, id: record.id, jobs: front.of("ann"), load: () => engine.store.load(record.id) };
  }

  test("may have been ended by anything: the next one goes on, and remembers it", async () => {
    const { research, load } = await found({ reading: true });
    await research.hasAsked(1);
    expect(await load()).toMatchObject({ state: "running", readingDeaths: 1 });
    expect(await load()).not.toHaveProperty("reading");
    research.tell({ type: "step", round: 1, step: { type: "run-end", durationMs: 1 } });
    await vi.waitFor(async () => expect(await load()).toMatchObject({ reading: true }), { timeout: 20_000 });
    research.finish(searchReport("read"));
    await vi.waitFor(async () => expect(await load()).toMatchObject({ state: "completed" }), { timeout: 20_000 });
    expect(await load()).not.toHaveProperty("reading");
  });

  test("was the second one: the job is given up, and says why", async () => {
    const { research, load } = await found({ reading: true, readingDeaths: 1 });
    const failure = { code: "EXECUTION_ERROR", message: expect.stringMatching(/ended while/) };
    await vi.waitFor(async () => expect(await load()).toMatchObject({ state: "failed", failure }), { timeout: 20_000 });
    expect(research.asked).toEqual([]);
  });

  test("was the second one, and somebody resumes the job: it starts anew, and none is counted", async () => {
    const { research, id, jobs, load } = await found({ reading: true, readingDeaths: 1, researchId: "research-1" });
    await vi.waitFor(async () => expect(await load()).toMatchObject({ state: "failed" }), { timeout: 20_000 });
    await jobs.resume(id);
    await research.hasAsked(1);
    expect(research.asked[0]?.resume).toBeUndefined();
    expect(await load()).not.toHaveProperty("readingDeaths");
  });

  test("had it cancelled before: none is counted when it goes on", async () => {
    const failure = { code: "CANCELLED", message: "The research was cancelled." } as const;
    const { research, id, jobs, load } = await found({ state: "cancelled", failure, reading: true, readingDeaths: 1 });
    await jobs.resume(id);
    await research.hasAsked(1);
    expect(await load()).toMatchObject({ state: "running", readingDeaths: 1 });
  });
});

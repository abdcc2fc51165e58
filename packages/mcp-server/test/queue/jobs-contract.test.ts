import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ResearchError } from "@x/research";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createRecordLock } from "../../src/jobs/file-lock.js";
import type { JobTool } from "../../src/jobs/job-record.js";
import { createJobs, type SharedJobs } from "../../src/jobs/jobs.js";
import { createRecordFiles } from "../../src/jobs/record-files.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { deepReport, type FakeResearch, fakeResearch, searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { ENGINES } from "./engines.js";

/** Two servers of one place where jobs are kept, as a client meets them. */
interface Servers {
  one: SharedJobs;
  two: SharedJobs;
  /** What was told of jobs that ended, by any process. */
  ended: string[];
  close(): Promise<void>;
}

/** A place where jobs are kept, as long as the tests of it run. */
interface Place {
  open(research: FakeResearch): Promise<Servers>;
  remove(): Promise<void>;
}

/** Today's files: each server does what it was asked. */
async function files(): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-server-contract-"));
  return {
    async open(research) {
      const ended: string[] = [];
      const onEnded = (owner: string, state: string) => void ended.push(`${owner} ${state}`);
      const server = (pid: number) => {
        const own = processOf(pid, "abc");
        const [records, lock] = [
          createRecordFiles({ directory }),
          createRecordLock({ directory, own, isGone: () => false }),
        ];
        const all = { research: async () => research, files: records, lock, own, log: () => {}, isGone: () => false };
        return createJobs({ ...all, onEnded, closedMs: 50, maxRunning: 20 });
      };
      const [one, two] = [server(1), server(2)];
      return { one, two, ended, close: async () => void (await Promise.all([one.close(), two.close()])) };
    },
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A shared queue: the servers are fronts, and a worker of another process does what both were asked. */
const queued = (start: (typeof ENGINES)[number][1]) => async (): Promise<Place> => {
  const database = await start();
  return {
    async open(research) {
      const process = () => openEngine({ url: database.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
      const engines = [await process(), await process(), await process()] as const;
      const ended: string[] = [];
      for (const { store } of engines) store.onEnded = (owner, state) => void ended.push(`${owner} ${state}`);
      const [one, two] = engines.slice(1).map((engine, index) => {
        return new QueuedJobs({ engine, log: () => {}, own: processOf(index + 1), closedMs: 50 });
      }) as [QueuedJobs, QueuedJobs];
      const worker = workerOf(engines[0], research, 9);
      await worker.start(20);
      return {
        ...{ one, two, ended },
        async close() {
          await Promise.all([one.close(), two.close(), worker.close()]);
          await Promise.all(engines.map((engine) => engine.close()));
        },
      };
    },
    remove: () => database.remove(),
  };
};

const PLACES = [
  ["files", files],
  ...ENGINES.map(([name, start]) => [name, queued(start)] as const),
] as readonly (readonly [string, () => Promise<Place>])[];

describe.each(PLACES)("jobs in %s", (_, make) => {
  let place: Place;
  let servers: Servers;
  let research: FakeResearch;
  const question = () => `why is the sky blue, ${randomUUID()}`;
  const never = new AbortController().signal;

  beforeAll(async () => {
    place = await make();
  });
  afterAll(() => place?.remove());
  const open = async () => {
    research = fakeResearch();
    servers = await place.open(research);
    return { one: servers.one.of("ann"), two: servers.two.of("ann"), eve: servers.two.of("eve") };
  };
  afterEach(() => servers.close());

  test("what one server was asked, the other one finds, waits for and reads", async () => {
    const { one, two } = await open();
    const { job, earlier } = await one.start("search", { query: question() });
    expect(earlier).toBeUndefined();
    await research.hasAsked(1);
    const { id } = job.record;
    await vi.waitFor(async () => expect(await two.look(id)).toMatchObject({ id, state: "running" }), {
      timeout: 20_000,
    });
    const found = await two.find(id);
    const waits = [one.wait(job, { waitMs: undefined, signal: never }), found?.ended()];
    research.finish(searchReport("the answer"));
    expect(await Promise.all(waits)).toEqual(["ended", undefined]);
    for (const record of [job.record, found?.record, await two.look(id)]) {
      expect(record).toMatchObject({ state: "completed", report: { result: "the answer" } });
    }
    expect((await two.list(5))[0]).toMatchObject({ id, state: "completed" });
  });

  test("each job that ends is told of once, with whose it is and how it ended", async () => {
    const { one, two } = await open();
    const { job: completed } = await one.start("search", { query: question() });
    await research.hasAsked(1);
    research.finish();
    await completed.ended();
    const { job: failed } = await one.start("search", { query: question() });
    await research.hasAsked(2);
    research.fail(new Error("no answer"));
    await failed.ended();
    const { job: cancelled } = await two.start("search", { query: question() });
    await research.hasAsked(3);
    await two.cancel(cancelled.record.id);
    await vi.waitFor(() => expect(research.running).toBe(0), { timeout: 20_000 });
    for (const { record } of [completed, failed]) await one.taken(record);
    expect(servers.ended.sort()).toEqual(["ann cancelled", "ann completed", "ann failed"]);
  });

  test("the same question at the other server joins the running job", async () => {
    const { one, two } = await open();
    const query = question();
    const { job } = await one.start("deep_search", { query });
    await research.hasAsked(1);
    await vi.waitFor(async () => expect(await two.look(job.record.id)).toBeDefined(), { timeout: 20_000 });
    const other = await two.start("deep_search", { query: `  ${query} ` });
    expect(other.job.record.id).toBe(job.record.id);
    research.finish(deepReport());
    await Promise.all([job.ended(), other.job.ended()]);
    expect(research.asked).toHaveLength(1);
  });

  test("what is another's is as good as what does not exist", async () => {
    const { one, eve } = await open();
    const query = question();
    const { job } = await one.start("search", { query });
    await research.hasAsked(1);
    const { id } = job.record;
    for (const look of ["look", "find", "resume", "cancel"] as const) expect(await eve[look](id)).toBeUndefined();
    expect(await eve.list(9)).toEqual([]);
    const { job: own } = await eve.start("search", { query });
    expect(own.record.id).not.toBe(id);
    await research.hasAsked(2);
    research.finish();
    await Promise.race([job.ended(), own.ended()]);
    research.finish();
    await Promise.all([job.ended(), own.ended()]);
    expect(await eve.look(id)).toBeUndefined();
  });

  test("a cancel at the other server ends the work within 2 s", async () => {
    const { one, two } = await open();
    const { job } = await one.start("search", { query: question() });
    await research.hasAsked(1);
    const { id } = job.record;
    await vi.waitFor(async () => expect(await two.look(id)).toBeDefined(), { timeout: 20_000 });
    expect(await two.cancel(id)).toMatchObject({ state: "cancelled", failure: { code: "CANCELLED" } });
    await job.ended();
    await vi.waitFor(() => expect(research.running).toBe(0), { timeout: 10_000 });
    expect(await one.look(id)).toMatchObject({ state: "cancelled" });
  });

  test("a call that is cancelled takes its job along", async () => {
    const { one } = await open();
    const { job } = await one.start("search", { query: question() });
    await research.hasAsked(1);
    const call = new AbortController();
    const waited = one.wait(job, { waitMs: undefined, signal: call.signal });
    call.abort("cancelled");
    expect(await waited).toBe("cancelled");
    await vi.waitFor(() => expect(research.running).toBe(0), { timeout: 10_000 });
  });

  test("a call whose connection broke takes its job along, unless its client asks again in time", async () => {
    const { one } = await open();
    const { job } = await one.start("search", { query: question() });
    await research.hasAsked(1);
    const call = new AbortController();
    const waited = one.wait(job, { waitMs: undefined, signal: call.signal });
    call.abort("closed");
    expect(await waited).toBe("closed");
    await vi.waitFor(() => expect(research.running).toBe(0), { timeout: 10_000 });
  });

  test("a research that was cancelled after a round goes on when the same is asked again", async () => {
    const { one } = await open();
    const request = { query: question() };
    const { job } = await one.start("deep_search", request);
    await research.hasAsked(1);
    research.tell({ type: "round-end", round: 1, verified: false, result: "so far" } as never);
    await vi.waitFor(async () => expect((await one.look(job.record.id))?.activity.roundsDone).toBe(1), {
      timeout: 20_000,
    });
    await vi.waitFor(async () => expect((await one.list(1))[0]?.activity.roundsDone).toBe(1), { timeout: 20_000 });
    await one.cancel(job.record.id);
    await vi.waitFor(() => expect(research.running).toBe(0), { timeout: 10_000 });
    const again = await one.start("deep_search", request);
    expect(again).toMatchObject({ job: { record: { id: job.record.id } }, earlier: { how: "goes-on", rounds: 1 } });
    await research.hasAsked(2);
    expect(research.asked[1]?.resume).toBe("research-1");
    research.finish(deepReport());
    await again.job.ended();
    expect(again.job.record.state).toBe("completed");
  });

  test("a report that nobody took is given to whoever asks the same, once", async () => {
    const { one, two } = await open();
    const request = { query: question() };
    const { job } = await one.start("search", request);
    await research.hasAsked(1);
    expect(await one.wait(job, { waitMs: 1, signal: never })).toBe("time");
    research.finish(searchReport("kept"));
    await job.ended();
    await vi.waitFor(async () => expect((await two.look(job.record.id))?.state).toBe("completed"), { timeout: 20_000 });
    const kept = await two.start("search", request);
    expect(kept).toMatchObject({ earlier: { how: "kept" }, job: { record: { report: { result: "kept" } } } });
    expect(await two.wait(kept.job, { waitMs: undefined, signal: never })).toBe("ended");
    await vi.waitFor(async () => expect((await two.look(job.record.id))?.taken).toBe(true), { timeout: 20_000 });
  });

  test("a failure is kept in the words of the contract", async () => {
    const { one, two } = await open();
    const { job } = await one.start("search", { query: question() });
    await research.hasAsked(1);
    research.fail(new ResearchError("AUTH_REQUIRED", "not signed in"));
    await job.ended();
    expect(job.record).toMatchObject({ state: "failed", failure: { code: "AUTH_REQUIRED" } });
    await vi.waitFor(async () => expect(await two.look(job.record.id)).toMatchObject({ state: "failed" }), {
      timeout: 20_000,
    });
    const again = await two.resume(job.record.id);
    expect(again?.record.state).toBe("running");
    await research.hasAsked(2);
    research.finish();
    await again?.ended();
    expect(again?.record).toMatchObject({ state: "completed" });
    expect(again?.record.failure).toBeUndefined();
  });

  test("a job that has ended can be deleted, one that runs or is another's cannot", async () => {
    const { one, two, eve } = await open();
    const { job } = await one.start("search", { query: question() });
    await research.hasAsked(1);
    const { id } = job.record;
    await vi.waitFor(async () => expect(await two.look(id)).toBeDefined(), { timeout: 20_000 });
    expect(await two.remove(id)).toBe("running");
    research.finish();
    await job.ended();
    expect(await eve.remove(id)).toBeUndefined();
    expect(await one.remove(id)).toBe("removed");
    expect(await two.look(id)).toBeUndefined();
    expect((await one.list(50)).map((head) => head.id)).not.toContain(id);
  });

  test("a question that cannot be asked leaves no job", async () => {
    const { one } = await open();
    const before = (await one.list(50)).length;
    const tool: JobTool = "search";
    await expect(one.start(tool, { query: "  " })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await one.list(50)).toHaveLength(before);
  });
});

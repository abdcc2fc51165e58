import { expect, test, vi } from "vitest";
import { PERSON } from "../../src/jobs/job-record.js";
import { createJobs } from "../../src/jobs/jobs.js";
import { deepReport, fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { processOf } from "../support/process-of.js";

function shared(options: { maxRunning?: number; files?: ReturnType<typeof createMemoryFiles> } = {}) {
  const research = fakeResearch();
  const { maxRunning = 50, files = createMemoryFiles() } = options;
  const all = { research: async () => research, files, log: () => {}, own: processOf(1), maxRunning };
  return { research, files, jobs: createJobs(all) };
}

const query = "why is the sky blue";

test("what is another's is as good as what does not exist: it is not joined, found, looked at, listed or cancelled", async () => {
  const { research, jobs } = shared();
  const [mine, theirs] = [jobs.of(PERSON), jobs.of("token-1")];
  const { job } = await mine.start("search", { query });
  await research.hasAsked(1);
  const { id } = job.record;
  for (const look of ["look", "find", "resume", "cancel", "remove"] as const)
    expect(await theirs[look](id)).toBeUndefined();
  expect(await theirs.list(9)).toEqual([]);
  const { job: other } = await theirs.start("search", { query });
  expect(other.record.id).not.toBe(id);
  await research.hasAsked(2);
  research.finish();
  await job.ended();
  research.finish();
  await other.ended();
  // Nor on disk, nor is its report handed over.
  expect(await theirs.look(id)).toBeUndefined();
  expect((await mine.list(9)).map((head) => head.id)).toEqual([id]);
  const third = await jobs.of("token-2").start("search", { query });
  expect(third.earlier).toBeUndefined();
});

test("another's report is not read to be told of as nothing", async () => {
  const { research, jobs, files } = shared();
  const { job } = await jobs.of(PERSON).start("search", { query });
  await research.hasAsked(1);
  research.finish();
  await job.ended();
  const load = vi.spyOn(files, "load");
  const theirs = jobs.of("token-1");
  for (const look of ["look", "find", "resume", "cancel", "remove"] as const)
    expect(await theirs[look](job.record.id)).toBeUndefined();
  expect(load).not.toHaveBeenCalled();
  expect(await jobs.of(PERSON).look(job.record.id)).toMatchObject({ id: job.record.id });
  expect(load).toHaveBeenCalled();
});

test("an older record without an owner is the person's", async () => {
  const { jobs, files } = shared();
  const at = new Date().toISOString();
  const id = "deep-search-0123456789";
  const record = { id, tool: "deep_search", request: { query }, state: "completed", pid: 9, place: "x" };
  files.put(id, { ...record, createdAt: at, updatedAt: at, report: deepReport() });
  expect(await jobs.of(PERSON).look(id)).toMatchObject({ id });
  expect(await jobs.of("token-1").look(id)).toBeUndefined();
});

test("a job of another session does not wait for a hundred of the first", async () => {
  const { research, jobs, files } = shared({ maxRunning: 1 });
  const crowd = jobs.of(PERSON, "crowd");
  for (let i = 0; i < 100; i++) await crowd.start("search", { query: `${query} ${i}` });
  // Whoever is refused costs no look at the disk.
  const lastOf = vi.spyOn(files, "lastOf");
  await expect(crowd.start("search", { query: "one too many" })).rejects.toMatchObject({
    code: "QUOTA_EXCEEDED",
    details: "Ask again when one of them has ended.",
  });
  expect(lastOf.mock.calls.flat().join()).not.toContain("one too many");
  const { job } = await jobs.of(PERSON, "other").start("search", { query });
  await research.hasAsked(1);
  research.finish();
  await research.hasAsked(2);
  research.finish();
  await research.hasAsked(3);
  expect(research.asked.map(({ request }) => request["query"])).toContain(query);
  research.finish();
  await job.ended();
  expect(job.record.state).toBe("completed");
  await jobs.close();
});

test("a job of another session does not wait for all those that one client goes on with", async () => {
  const { research, jobs } = shared({ maxRunning: 1 });
  const crowd = jobs.of(PERSON, "crowd");
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) {
    const { job } = await crowd.start("search", { query: `${query} ${i}` });
    await crowd.cancel(job.record.id);
    ids.push(job.record.id);
  }
  const before = research.asked.length;
  for (const id of ids) expect((await crowd.resume(id))?.record.state).toBe("running");
  await jobs.of(PERSON, "other").start("search", { query });
  for (let turn = 1; turn <= 2; turn++) {
    await research.hasAsked(before + turn);
    research.finish();
  }
  await research.hasAsked(before + 3);
  expect(research.asked.slice(before).map(({ request }) => request["query"])).toContain(query);
  await jobs.close();
});

test("a research that is to go on needs room as a new one does", async () => {
  const { research, jobs } = shared();
  const tenant = jobs.of("ann", undefined, { running: 1, queued: 0 });
  const { job: first } = await tenant.start("search", { query: "first" });
  await research.hasAsked(1);
  await tenant.cancel(first.record.id);
  await first.ended();
  const { job: second } = await tenant.start("search", { query: "second" });
  await research.hasAsked(2);
  await expect(tenant.resume(first.record.id)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  research.finish();
  await second.ended();
  expect(await tenant.resume(first.record.id)).toMatchObject({ record: { id: first.record.id, state: "running" } });
  await jobs.close();
});

test("one that waits for its turn says so, and can be cancelled", async () => {
  const { research, jobs } = shared({ maxRunning: 1 });
  const mine = jobs.of(PERSON);
  const { job: first } = await mine.start("search", { query: "first" });
  const { job } = await mine.start("search", { query });
  await research.hasAsked(1);
  expect(first.record.activity.now, "it has its turn").toBe("starting");
  expect(job.record.activity.now).toBe("waiting for its turn");
  expect((await mine.cancel(job.record.id))?.state).toBe("cancelled");
  expect(research.asked).toHaveLength(1);
  await jobs.close();
});

test("who waits and who runs is counted by owner, and nobody when all have ended", async () => {
  const { research, jobs } = shared({ maxRunning: 2 });
  const started = [];
  for (const [owner, text] of [
    ["ann", "1"],
    ["ann", "2"],
    ["ann", "3"],
    ["bob", "1"],
  ] as const) {
    started.push((await jobs.of(owner).start("search", { query: text })).job);
  }
  await research.hasAsked(2);
  const all = jobs.counts();
  expect(all.reduce((sum, { running }) => sum + running, 0)).toBe(2);
  expect(all.map(({ owner, waiting, running }) => [owner, waiting + running])).toEqual([
    ["ann", 3],
    ["bob", 1],
  ]);
  expect(jobs.counts("bob")).toEqual(all.filter(({ owner }) => owner === "bob"));
  expect(jobs.counts("eve")).toEqual([{ owner: "eve", waiting: 0, running: 0 }]);
  await jobs.close();
  await Promise.all(started.map((job) => job.ended()));
  expect(jobs.counts()).toEqual([]);
});

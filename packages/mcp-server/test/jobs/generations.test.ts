import { afterEach, describe, expect, test, vi } from "vitest";
import { deepReport, fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

afterEach(() => {
  vi.useRealTimers();
});

const query = "why is the sky blue";

/** Servers on one machine that share what is on disk. Default: none is gone but those that a test says. */
function servers(isGone?: (pid: number) => boolean | undefined) {
  const files = createMemoryFiles();
  const gone = new Set<number>();
  const serverOf = (pid: number) => {
    const research = fakeResearch();
    const all = { research: async () => research, files, log: () => {}, own: processOf(pid) };
    const isGoneHere = ({ pid: of }: { pid: number }) => (isGone === undefined ? gone.has(of) : isGone(of));
    return { pid, research, jobs: personsJobs({ ...all, isGone: isGoneHere }) };
  };
  return { files, gone, one: serverOf(1), two: serverOf(2), three: serverOf(3) };
}

/** A deep search that the first server works on, and that stands on disk. */
async function begun({ files, one }: ReturnType<typeof servers>) {
  const { job } = await one.jobs.start("deep_search", { query });
  await one.research.hasAsked(1);
  const { id } = job.record;
  await vi.waitFor(async () => expect(await files.load(id)).toMatchObject({ researchId: "research-1" }));
  /** Its last sign of life is long ago. */
  const silent = async (): Promise<void> => {
    const record = (await files.load(id)) as object;
    files.put(id, { ...record, updatedAt: "2020-01-01T00:00:00.000Z" });
  };
  return { job, id, silent };
}

test("a process that lives is at work, however long it was silent: both may have slept", async () => {
  const all = servers();
  const { two } = all;
  const { id, silent } = await begun(all);
  await silent();
  expect((await two.jobs.find(id))?.record.state).toBe("running");
  expect(two.research.asked).toEqual([]);
});

test("of a process on another machine no more is seen than that it is silent", async () => {
  const all = servers(() => undefined);
  const { two } = all;
  const { id, silent } = await begun(all);
  expect((await two.jobs.find(id))?.record.state).toBe("running");
  expect(two.research.asked).toEqual([]);
  await silent();
  await two.jobs.find(id);
  await two.research.hasAsked(1);
});

test("what a process has left that was killed is interrupted for everybody, until somebody goes on with it", async () => {
  let isGone: boolean | undefined = false;
  const all = servers(() => isGone);
  const { two } = all;
  const { id, silent } = await begun(all);
  const seen = async () => [(await two.jobs.look(id))?.state, ...(await two.jobs.list(9)).map(({ state }) => state)];
  expect(await seen(), "while it lives").toEqual(["running", "running"]);
  isGone = undefined;
  expect(await seen(), "on another machine").toEqual(["running", "running"]);
  await silent();
  expect(await seen(), "on another machine, and silent").toEqual(["interrupted", "interrupted"]);
  isGone = true;
  expect(await seen(), "when it is gone").toEqual(["interrupted", "interrupted"]);
  await two.jobs.find(id);
  expect(await seen(), "when it goes on here").toEqual(["running", "running"]);
});

test("who finds that another has gone on with its job stops, and does not write over what that one saved", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let isGone = false;
  const all = servers((pid) => isGone && pid === 1);
  const { files, one, two } = all;
  const { job, id } = await begun(all);
  // As it looks to the second one while the first is suspended on another machine.
  isGone = true;
  const taken = await two.jobs.find(id);
  await two.research.hasAsked(1);
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  await job.ended();
  expect(one.research.running).toBe(0);
  expect(await files.load(id)).toMatchObject({ pid: 2, generation: 2, state: "running" });
  two.research.finish(deepReport());
  await taken?.ended();
  expect(await files.load(id)).toMatchObject({ pid: 2, state: "completed" });
  isGone = false;
  expect((await one.jobs.look(id))?.state).toBe("completed");
});

test("a cancel reaches the server that really works on it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const all = servers();
  const { files, one, two } = all;
  const { job, id } = await begun(all);
  expect(await two.jobs.cancel(id)).toMatchObject({ state: "cancelled", failure: { code: "CANCELLED" } });
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  await job.ended();
  expect(one.research.running).toBe(0);
  expect(job.record.state).toBe("cancelled");
  expect(await files.load(id)).toMatchObject({ state: "cancelled" });
});

test("one that is deleted as soon as it is cancelled ends where it runs, and does not come back", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const all = servers();
  const { files, one, two } = all;
  const { job, id } = await begun(all);
  await two.jobs.cancel(id);
  expect(await two.jobs.remove(id)).toBe("removed");
  // A round that ends in this moment writes nothing.
  one.research.tell({ type: "round-end", round: 1, verified: false, result: "It scatters." });
  vi.advanceTimersByTime(2_000);
  vi.useRealTimers();
  await job.ended();
  expect(one.research.running).toBe(0);
  expect(job.record.state).toBe("cancelled");
  expect(await files.load(id)).toBeUndefined();
  expect(await one.jobs.list(10)).toEqual([]);
});

test("who waits for one that is deleted meanwhile waits no longer", async () => {
  const all = servers();
  const { one, two } = all;
  const { id } = await begun(all);
  const watched = await two.jobs.find(id);
  await one.jobs.cancel(id);
  await one.jobs.remove(id);
  await watched?.ended();
  expect(watched?.record.state).toBe("cancelled");
});

describe("a server that ended without a word while it read an answer", () => {
  type Server = ReturnType<typeof servers>["one"];

  /** It ends as it reads the answer of a round: what is on disk says so. */
  async function dies({ files, gone }: ReturnType<typeof servers>, server: Server, id: string, round: number) {
    server.research.tell({ type: "step", round, step: { type: "run-end", durationMs: 1 } });
    await vi.waitFor(async () => expect(await files.load(id)).toMatchObject({ state: "running", reading: true }));
    gone.add(server.pid);
  }

  /** One round is finished, and the first server ends over the answer of the next one. */
  async function died(all: ReturnType<typeof servers>) {
    const { id } = await begun(all);
    all.one.research.tell({ type: "round-end", round: 1, verified: false, result: "So far." });
    await dies(all, all.one, id, 2);
    return id;
  }

  /** The second one goes on, and ends in the same way. */
  async function diedAgain(all: ReturnType<typeof servers>) {
    const id = await died(all);
    await all.two.jobs.find(id);
    await all.two.research.hasAsked(1);
    await dies(all, all.two, id, 2);
    return id;
  }

  const failed = {
    state: "failed",
    failure: { code: "EXECUTION_ERROR", message: expect.stringMatching(/ended while/) },
  };

  test("may have been ended by anything: the next one goes on after the last finished round, and remembers it", async () => {
    const all = servers();
    const { two, files } = all;
    const id = await died(all);
    expect(await two.jobs.list(1)).toMatchObject([{ id, state: "interrupted" }]);
    expect((await two.jobs.find(id))?.record).toMatchObject({ state: "running", readingDeaths: 1 });
    await two.research.hasAsked(1);
    expect(two.research.asked[0]?.resume).toBe("research-1");
    expect(await files.load(id)).toMatchObject({ state: "running", pid: 2, readingDeaths: 1 });
    expect(await files.load(id)).not.toHaveProperty("reading");
    two.research.finish(deepReport());
    await vi.waitFor(async () => expect(await files.load(id)).toMatchObject({ state: "completed" }));
  });

  test("had finished the round that another one ended in: that one no longer counts", async () => {
    const all = servers();
    const { two, three } = all;
    const id = await died(all);
    await two.jobs.find(id);
    await two.research.hasAsked(1);
    two.research.tell({ type: "round-end", round: 2, verified: false, result: "More." });
    await dies(all, two, id, 3);
    expect((await three.jobs.find(id))?.record).toMatchObject({ state: "running", readingDeaths: 1 });
  });

  test("is asked the same question: the research goes on", async () => {
    const all = servers();
    const { two } = all;
    const id = await died(all);
    const { job, earlier } = await two.jobs.start("deep_search", { query });
    expect([job.record.id, earlier]).toMatchObject([id, { how: "goes-on", rounds: 1 }]);
    await two.research.hasAsked(1);
    expect(two.research.asked[0]?.resume).toBe("research-1");
  });

  test("was the second one: the job has failed for everybody, and says why", async () => {
    const all = servers();
    const { three } = all;
    const id = await diedAgain(all);
    expect(await three.jobs.list(1)).toMatchObject([{ id, ...failed }]);
    expect(await three.jobs.look(id)).toMatchObject(failed);
    for (const _ of ["once", "again"]) expect((await three.jobs.find(id))?.record).toMatchObject(failed);
    expect(await three.jobs.cancel(id), "has ended").toMatchObject(failed);
    expect(three.research.asked).toEqual([]);
    expect(await three.jobs.remove(id)).toBe("removed");
  });

  test("was the second one, and somebody waited for it: the wait ends with the failure", async () => {
    const all = servers();
    const { two, three } = all;
    const id = await died(all);
    await two.jobs.find(id);
    await two.research.hasAsked(1);
    const watched = await three.jobs.find(id);
    expect(watched?.record.state).toBe("running");
    await dies(all, two, id, 2);
    await watched?.ended();
    expect(watched?.record).toMatchObject(failed);
  });

  test("was the second one, and is asked the same question: it starts anew, from the first round", async () => {
    const all = servers();
    const { three } = all;
    const id = await diedAgain(all);
    const { job, earlier } = await three.jobs.start("deep_search", { query });
    expect([job.record.id === id, earlier]).toEqual([false, undefined]);
    await three.research.hasAsked(1);
    expect(three.research.asked[0]?.resume).toBeUndefined();
  });

  test("was the second one, and somebody resumes the job: it starts anew, and none is counted", async () => {
    const all = servers();
    const { three, files } = all;
    const id = await diedAgain(all);
    expect((await three.jobs.resume(id))?.record).toMatchObject({ id, state: "running" });
    await three.research.hasAsked(1);
    expect(three.research.asked[0]?.resume).toBeUndefined();
    expect(await files.load(id)).not.toHaveProperty("readingDeaths");
  });

  test("had read it: none is counted", async () => {
    const all = servers();
    const { two, one, gone, files } = all;
    const { id } = await begun(all);
    one.research.tell({ type: "step", round: 1, step: { type: "run-end", durationMs: 1 } });
    await vi.waitFor(async () => expect(await files.load(id)).toMatchObject({ reading: true }));
    one.research.tell({ type: "round-end", round: 1, verified: false, result: "So far." });
    await vi.waitFor(async () => expect(await files.load(id)).not.toHaveProperty("reading"));
    gone.add(1);
    await two.jobs.find(id);
    await two.research.hasAsked(1);
    expect(two.research.asked[0]?.resume).toBe("research-1");
    expect(await files.load(id)).not.toHaveProperty("readingDeaths");
  });

  test("had cancelled it for somebody else: none is counted when it goes on", async () => {
    const all = servers();
    const { two, one, files } = all;
    const { id } = await begun(all);
    one.research.tell({ type: "step", round: 1, step: { type: "run-end", durationMs: 1 } });
    await vi.waitFor(async () => expect(await files.load(id)).toMatchObject({ reading: true }));
    await two.jobs.cancel(id);
    await two.jobs.resume(id);
    expect(await files.load(id)).toMatchObject({ state: "running", pid: 2 });
    for (const name of ["reading", "readingDeaths"]) expect(await files.load(id)).not.toHaveProperty(name);
  });
});

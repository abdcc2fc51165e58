import { afterEach, expect, test, vi } from "vitest";
import { deepReport, fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

afterEach(() => {
  vi.useRealTimers();
});

const query = "why is the sky blue";

/** Servers on one machine that share what is on disk. */
function servers(isGone: (pid: number) => boolean | undefined = () => false) {
  const files = createMemoryFiles();
  const serverOf = (pid: number) => {
    const research = fakeResearch();
    const all = { research: async () => research, files, log: () => {}, own: processOf(pid) };
    return { research, jobs: personsJobs({ ...all, isGone: (process) => isGone(process.pid) }) };
  };
  return { files, one: serverOf(1), two: serverOf(2) };
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

import { afterEach, expect, test, vi } from "vitest";
import { deepReport, fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

afterEach(() => {
  vi.useRealTimers();
});

/** A server that looks at what others have left in the store. */
function lookingOn() {
  const files = createMemoryFiles();
  const load = vi.spyOn(files, "load");
  const research = async () => fakeResearch();
  return { files, load, jobs: personsJobs({ research, files, log: () => {}, own: processOf(1), isGone: () => false }) };
}

/** A record of another process; the numbers are seconds. */
function recordOf(name: string, { created, saved }: { created: number; saved: number }) {
  const at = (seconds: number) => new Date(Date.now() - 10_000 + seconds * 1_000).toISOString();
  return {
    id: `deep-search-000000000${name}`,
    tool: "deep_search",
    request: { query: "why" },
    state: "running",
    pid: 2,
    place: "",
    createdAt: at(created),
    updatedAt: at(saved),
  };
}

test("the record of another process's job is read again as long as somebody waits", async () => {
  vi.useFakeTimers();
  const { files, load, jobs } = lookingOn();
  const record = recordOf("a", { created: 0, saved: 9 });
  files.put(record.id, record);
  const job = await jobs.find(record.id);
  if (job === undefined) throw new Error("not found");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(load).toHaveBeenCalledTimes(1);

  const { signal } = new AbortController();
  const first = jobs.wait(job, { waitMs: 2_500, signal });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await first).toBe("time");
  expect(load).toHaveBeenCalledTimes(3);
  expect(vi.getTimerCount()).toBe(0);

  const second = jobs.wait(job, { waitMs: undefined, signal });
  files.put(record.id, { ...record, state: "completed", report: deepReport() });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await second).toBe("ended");
  expect(job.record.report).toEqual(deepReport());
});

test("no report is read for a list, and a damaged record is passed over", async () => {
  const { files, load, jobs } = lookingOn();
  const saved = [
    recordOf("a", { created: 2, saved: 3 }),
    recordOf("b", { created: 4, saved: 5 }),
    recordOf("c", { created: 1, saved: 6 }),
  ];
  for (const record of saved) files.put(record.id, record);
  files.put("deep-search-000000000d", "damaged");
  expect((await jobs.list(2)).map(({ id }) => id.at(-1))).toEqual(["b", "a"]);
  expect(load).not.toHaveBeenCalled();
});

test("a job that is interrupted is saved as that before its processes are gone", async () => {
  const files = createMemoryFiles();
  const never = new Promise<never>(() => {});
  const research = async () => ({
    async *ask(): AsyncGenerator<never, never, void> {
      yield await never;
      return await never;
    },
    offload: undefined,
  });
  const jobs = personsJobs({ research: research as never, files, log: () => {}, own: processOf(1) });
  const { job } = await jobs.start("deep_search", { query: "why" });
  void jobs.close();
  await expect.poll(() => files.load(job.record.id)).toMatchObject({ state: "interrupted" });
});

test("a disk that takes no more: it is said once what is not kept, where, and what to do; and at the end again", async () => {
  const files = createMemoryFiles();
  const research = fakeResearch();
  const warned: string[] = [];
  const log = (level: string, message: string) => void (level === "warn" && warned.push(message));
  const jobs = personsJobs({ research: async () => research, files, log, own: processOf(1) });
  const { job } = await jobs.start("deep_search", { query: "why" });
  await research.hasAsked(1);
  const { id } = job.record;
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  const save = vi.spyOn(files, "save").mockRejectedValue(full);
  const endRound = (round: number) => research.tell({ type: "round-end", round, verified: false, result: "So far." });
  for (const round of [1, 2]) {
    const before = save.mock.calls.length;
    endRound(round);
    await vi.waitFor(() => expect(save.mock.calls.length).toBeGreaterThan(before));
  }
  const step = "The disk is full. Free some space, or set GEMINI_SEARCH_CONFIG_DIR to a folder on another disk.";
  const goesOn = `The state of ${id} could not be saved in ${files.directory}: the disk is full. If this program ends before it can be saved, the research goes on later from what was saved before. ${step}`;
  expect(warned).toEqual([goesOn]);
  save.mockRestore();
  endRound(3);
  await vi.waitFor(async () => expect(await files.load(id)).toMatchObject({ activity: { roundsDone: 3 } }));
  vi.spyOn(files, "save").mockRejectedValue(full);
  research.finish(deepReport());
  await job.ended();
  const end = `The end of ${id} could not be saved in ${files.directory}: the disk is full. What came of it is known to this program alone, until it ends. ${step}`;
  expect(warned).toEqual([goesOn, end]);
});

test.each([
  ["a report that is on disk is not kept in memory", false, undefined],
  ["one that the disk would not take is", true, "completed"],
] as const)("%s", async (_, isFull, state) => {
  const files = createMemoryFiles();
  const research = fakeResearch();
  const jobs = personsJobs({ research: async () => research, files, log: () => {}, own: processOf(1) });
  const { job } = await jobs.start("search", { query: "why" });
  await research.hasAsked(1);
  if (isFull) vi.spyOn(files, "save").mockRejectedValue(Object.assign(new Error("full"), { code: "ENOSPC" }));
  research.finish(searchReport());
  await job.ended();
  await files.remove(job.record.id);
  expect((await jobs.look(job.record.id))?.state).toBe(state);
});

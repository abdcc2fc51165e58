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

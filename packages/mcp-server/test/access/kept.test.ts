import { afterEach, expect, test, vi } from "vitest";
import { keepingAtMost } from "../../src/access/kept.js";
import { createJobs, type SharedJobs } from "../../src/jobs/jobs.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { processOf } from "../support/process-of.js";

let shared: SharedJobs;
afterEach(() => shared.close());

// All begin in one millisecond: what came first is told by more than its time.
test("so many of a tenant's researches stay when they have ended; what runs, and what is another's, is not touched", async () => {
  const research = fakeResearch();
  const files = createMemoryFiles();
  shared = createJobs({
    research: async () => research,
    files,
    log: () => {},
    own: processOf(1),
    maxRunning: 10,
    now: () => 0,
  });
  const ann = keepingAtMost(shared.of("ann"), { kept: 2 });
  const bob = shared.of("bob");
  const ask = async (jobs: typeof ann, query: string) => {
    const { job } = await jobs.start("search", { query });
    await research.hasAsked(research.asked.length || 1);
    return job;
  };
  const ended = async (jobs: typeof ann, query: string) => {
    const job = await ask(jobs, query);
    research.finish(searchReport(`Report of ${query}.`));
    await job.ended();
    return job.record.id;
  };
  const others = await ended(bob, "of bob");
  const ids: string[] = [];
  for (const query of ["1", "2", "3"]) ids.push(await ended(ann, query));
  const running = await ask(ann, "4");
  const left = async () => (await ann.list(10)).map(({ id }) => id).sort();
  await vi.waitFor(async () => expect(await left()).toEqual([ids[1], ids[2], running.record.id].sort()));
  expect(await ann.look(ids[0] ?? "")).toBeUndefined();
  expect(await bob.look(others)).toMatchObject({ state: "completed" });
});

test.each([
  ["", 0],
  [", behind a line of any length", 5_000],
])("those beyond what one list holds go, too%s", async (_, waiting) => {
  const line = Array.from({ length: waiting }, (_, n) => ({ id: `waiting-${n}`, state: "running" }));
  const heads = Array.from({ length: 2_500 }, (_, n) => ({ id: `search-${n}`, state: "completed" }));
  shared = createJobs({
    ...{ research: async () => fakeResearch(), files: createMemoryFiles(), log: () => {}, own: processOf(1) },
  });
  const ann = keepingAtMost(
    {
      ...shared.of("ann"),
      list: async (max) => [...line, ...heads].slice(0, max) as never[],
      async remove(id) {
        heads.splice(
          heads.findIndex((head) => head.id === id),
          1,
        );
        return "removed";
      },
    },
    { kept: 2 },
  );
  await ann.start("search", { query: "1" });
  await vi.waitFor(() => expect(heads.map(({ id }) => id)).toEqual(["search-0", "search-1"]));
});

test("a new research is answered before the oldest are gone, and none is forgotten that was begun meanwhile", async () => {
  const research = fakeResearch();
  const files = createMemoryFiles();
  shared = createJobs({ research: async () => research, files, log: () => {}, own: processOf(1) });
  const lists: (() => void)[] = [];
  const slow = { ...shared.of("ann"), list: () => new Promise<never[]>((resolve) => lists.push(() => resolve([]))) };
  const ann = keepingAtMost(slow, { kept: 1 });
  for (const query of ["1", "2", "3"]) await ann.start("search", { query });
  expect(lists).toHaveLength(1);
  lists[0]?.();
  await vi.waitFor(() => expect(lists).toHaveLength(2));
  lists[1]?.();
});

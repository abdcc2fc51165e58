import { ResearchError } from "@x/research";
import { expect, test, vi } from "vitest";
import { KeyLimit } from "../../src/jobs/key-limit.js";
import { createMemoryRates } from "../../src/jobs/rates.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

interface WorldOptions {
  running?: number;
  perMinute?: number;
}

/** The jobs of one process with room for ten at once, all of them asked with one key. */
function world({ running, perMinute }: WorldOptions = {}) {
  const research = fakeResearch();
  const limit = new KeyLimit({ rates: createMemoryRates(Date.now), key: async () => "one", perMinute });
  const jobs = personsJobs({
    ...{ research: async () => research, files: createMemoryFiles(), log: () => {}, own: processOf(1) },
    ...{ isGone: () => false, maxRunning: 10, key: { limit, running } },
  });
  const ask = async (query: string) => (await jobs.start("search", { query })).job;
  return { research, jobs, ask };
}

const tooMany = (retryAfterMs: number) =>
  new ResearchError("QUOTA_EXCEEDED", "too many", { scope: "minute", retryAfterMs });

test("so many researches of a key at once", async () => {
  const { research, ask } = world({ running: 2 });
  const jobs = await Promise.all(["a", "b", "c", "d"].map(ask));
  for (let done = 0; done < jobs.length; done++) {
    await research.hasAsked(Math.min(done + 2, jobs.length));
    expect(research.asked).toHaveLength(Math.min(done + 2, jobs.length));
    research.finish();
    await vi.waitFor(() => expect(jobs.filter((job) => job.record.state === "completed")).toHaveLength(done + 1));
  }
});

test("so many researches of a key in a minute", async () => {
  const { research, jobs, ask } = world({ perMinute: 2 });
  const begun = await Promise.all(["a", "b", "c"].map(ask));
  await research.hasAsked(2);
  for (let left = 1; left >= 0; left--) {
    research.finish();
    await vi.waitFor(() => expect(research.running).toBe(left));
  }
  await vi.waitFor(() => expect(begun.filter((job) => job.record.state === "completed")).toHaveLength(2));
  expect(research.asked).toHaveLength(2);
  await jobs.close();
});

test("what the API refuses waits for as long as it asks, and nothing is begun meanwhile", async () => {
  const { research, ask } = world();
  const first = await ask("first");
  await research.hasAsked(1);
  research.fail(tooMany(1_000));
  await vi.waitFor(() => expect(first.record.activity.now).toMatch(/quota/));
  const second = await ask("second");
  expect(research.asked).toHaveLength(1);
  await research.hasAsked(2);
  expect(research.asked[1]?.request).toMatchObject({ query: "first" });
  research.finish(searchReport("after all"));
  await first.ended();
  expect(first.record).toMatchObject({ state: "completed", report: { result: "after all" }, refusals: 1 });
  expect(second.record.state).toBe("running");
});

test("a research that is refused again and again fails, and one whose day is used up at once", async () => {
  const { research, jobs, ask } = world();
  const again = await ask("again");
  for (let asked = 1; asked <= 4; asked++) {
    await research.hasAsked(asked);
    research.fail(tooMany(10));
  }
  await again.ended();
  expect(again.record).toMatchObject({ state: "failed", failure: { code: "QUOTA_EXCEEDED" } });
  await jobs.close();
  const other = world();
  const day = await other.ask("day");
  await other.research.hasAsked(1);
  other.research.fail(new ResearchError("QUOTA_EXCEEDED", "used up", { scope: "day" }));
  await day.ended();
  expect(day.record).toMatchObject({ state: "failed", failure: { code: "QUOTA_EXCEEDED" } });
  expect(other.research.asked).toHaveLength(1);
});

test("one that waits for the API can be cancelled", async () => {
  const { research, jobs, ask } = world();
  const job = await ask("first");
  await research.hasAsked(1);
  research.fail(tooMany(600_000));
  await vi.waitFor(() => expect(job.record.activity.now).toMatch(/quota/));
  expect(await jobs.cancel(job.record.id)).toMatchObject({ state: "cancelled" });
  await jobs.close();
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JobWatch } from "../../src/queue/job-watch.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("whoever waits for one of many jobs is told that it has ended, by one question a second for all", async () => {
  const asked: number[] = [];
  const ended = new Set(["7"]);
  const watch = new JobWatch({
    async atRest(ids) {
      asked.push(ids.length);
      return ids.filter((id) => ended.has(id));
    },
  });
  const rang: string[] = [];
  const stops = Array.from({ length: 300 }, (_, n) => watch.watch(String(n), () => rang.push(String(n))));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked).toEqual([300, 300]);
  expect(rang).toEqual(["7", "7"]);
  for (const stop of stops) stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(2);
  // Nobody waits, so nothing is left that would hold the process.
  expect(vi.getTimerCount()).toBe(0);
});

test("a store that is away tells nothing, and is asked again", async () => {
  let isAway = true;
  const watch = new JobWatch({
    async atRest(ids) {
      if (isAway) throw new Error("away");
      return [...ids];
    },
  });
  let rang = 0;
  watch.watch("one", () => {
    rang += 1;
  });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(rang).toBe(0);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(rang).toBe(1);
  watch.close();
  expect(vi.getTimerCount()).toBe(0);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newActivity } from "../../src/jobs/activity.js";
import type { Job } from "../../src/jobs/job.js";
import type { JobRecord } from "../../src/jobs/job-record.js";
import { reportProgress } from "../../src/tools/progress.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function fakeJob(): Job & { change(): void } {
  const listeners = new Set<() => void>();
  const createdAt = new Date().toISOString();
  return {
    record: { id: "search-0123456789", createdAt, activity: newActivity() } as JobRecord,
    ended: () => new Promise(() => {}),
    onEvent: () => () => {},
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: () => {
      for (const listener of listeners) listener();
    },
  };
}

function listen(job: Job, send = async () => {}) {
  const sent: { at: number; progress: number; message: string }[] = [];
  const from = Date.now();
  const reporter = reportProgress(job, (progress, message) => {
    sent.push({ at: Date.now() - from, progress, message });
    return send();
  });
  return { sent, reporter };
}

test("comes at once and then at least every 10 s, rising, with what happens, the time and the job", async () => {
  const { sent } = listen(fakeJob());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent[0]).toEqual({ at: 0, progress: 1, message: "starting · 0 s · search-0123456789" });
  const gaps = sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0));
  expect(gaps.length).toBeGreaterThan(5);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10_000);
  expect(sent.map(({ progress }) => progress)).toEqual(sent.map((_, i) => i + 1));
});

test("comes at most twice a second, with the last state", async () => {
  const job = fakeJob();
  const { sent } = listen(job);
  for (let n = 0; n < 100; n++) {
    job.record.activity.now = `step ${n}`;
    job.change();
    await vi.advanceTimersByTimeAsync(20);
  }
  await vi.advanceTimersByTimeAsync(500);
  const gaps = sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500);
  expect(sent.at(-1)?.message).toContain("step 99");
});

test("stops for good before the answer, and some time passes between the two", async () => {
  const job = fakeJob();
  const { sent, reporter } = listen(job);
  let stopped = false;
  job.change();
  const done = reporter.stop().then(() => {
    stopped = true;
  });
  await Promise.resolve();
  expect(stopped).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  job.change();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
});

test("a client that does not read gets no heap of them", async () => {
  const { sent } = listen(fakeJob(), () => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
});

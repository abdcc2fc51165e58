import { expect, test } from "vitest";
import type { JobMessage } from "../../src/jobs/job-queue.js";
import { newRecord } from "../../src/jobs/job-record.js";
import type { JobStore } from "../../src/jobs/job-store.js";
import { waitFor } from "../../src/jobs/wait.js";
import { JobWatch } from "../../src/queue/job-watch.js";
import { RemoteJob } from "../../src/queue/remote-job.js";
import { processOf } from "../support/process-of.js";

test("a worker hears of each wait for its job, however short it is", async () => {
  const record = newRecord("ann", "search", { query: "why" }, { own: processOf(1), nowMs: 0 });
  const told: JobMessage[] = [];
  const queue = {
    publish: async (message: JobMessage) => void told.push(message),
    subscribe: () => () => {},
  };
  const store = { head: async () => record, atRest: async () => [] } as unknown as JobStore;
  const watch = new JobWatch(store);
  const job = new RemoteJob(record, { store, queue: queue as never }, watch);
  for (let waits = 0; waits < 3; waits++) {
    expect(await waitFor(job, { waitMs: 0, signal: new AbortController().signal })).toBe("time");
  }
  watch.close();
  expect(told).toEqual(Array(3).fill({ kind: "attended", id: record.id }));
});

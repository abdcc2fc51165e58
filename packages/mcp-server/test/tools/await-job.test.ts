import { expect, test } from "vitest";
import type { Job } from "../../src/jobs/job.js";
import type { WaitOptions } from "../../src/jobs/wait.js";
import { awaitJob } from "../../src/tools/await-job.js";
import type { Call } from "../../src/tools/tool.js";

/** How long a call waits for its job that came so long ago. */
async function waitAfter(agoMs: number, limits: Partial<Call["limits"]>, input = {}): Promise<number | undefined> {
  let waited: WaitOptions | undefined;
  const wait = async (_: Job, options: WaitOptions) => {
    waited = options;
    return "time" as const;
  };
  const call = { jobs: { wait }, limits, progress: undefined, arrivedMs: performance.now() - agoMs };
  await awaitJob({ record: {} } as Job, input, call as unknown as Call);
  return waited?.waitMs;
}

test("a call waits from when it came, not from when its job was found", async () => {
  const limits = { waitMs: 7_200, longestWaitMs: 7_200 };
  expect(await waitAfter(5_000, limits)).toBeLessThanOrEqual(2_200);
  expect(await waitAfter(5_000, limits, { wait_seconds: 60 })).toBeLessThanOrEqual(2_200);
  expect(await waitAfter(9_000, limits)).toBe(0);
  expect(await waitAfter(9_000, { waitMs: 0 })).toBeUndefined();
});

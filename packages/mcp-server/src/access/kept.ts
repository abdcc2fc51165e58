import { isUnfinished } from "../jobs/job-record.js";
import type { Jobs } from "../jobs/jobs.js";

/** More are not listed. */
const MOST_LISTED = 1_000;

/** The same jobs, of which so many stay when they have ended: with each new one the oldest beyond them go. */
export function keepingAtMost(jobs: Jobs, most: number): Jobs {
  async function trim(): Promise<void> {
    const ended = (await jobs.list(MOST_LISTED)).filter((head) => !isUnfinished(head));
    for (const { id } of ended.slice(most)) await jobs.remove(id);
  }
  return {
    ...jobs,
    async start(tool, request) {
      const started = await jobs.start(tool, request);
      // The next one tries again.
      if (started.earlier === undefined) await trim().catch(() => {});
      return started;
    },
  };
}

import { isUnfinished } from "../jobs/job-record.js";
import type { Jobs } from "../jobs/jobs.js";
import type { TenantLimits } from "./principal.js";

/** At first. */
const LISTED = 1_000;

/**
 * The same jobs, of which so many stay when they have ended: with each new one the oldest beyond them go, after it was answered.
 *
 * @param limits Are looked at each time.
 */
export function keepingAtMost(jobs: Jobs, limits: Pick<TenantLimits, "kept">): Jobs {
  let isDue = false;
  let isTrimming = false;

  async function trim(): Promise<void> {
    isDue = true;
    if (isTrimming) return;
    isTrimming = true;
    // One that was begun meanwhile is another to make room for.
    while (isDue) {
      isDue = false;
      // The next one tries again.
      await remove(limits.kept).catch(() => {});
    }
    isTrimming = false;
  }

  async function remove(most: number | undefined): Promise<void> {
    if (most === undefined) return;
    for (let max = LISTED; ; ) {
      const listed = await jobs.list(max);
      const over = listed.filter((head) => !isUnfinished(head)).slice(most);
      let removed = 0;
      for (const { id } of over) if ((await jobs.remove(id)) === "removed") removed += 1;
      if (listed.length < max) return;
      // Those that were not listed come up when others have gone, or stand in a longer list.
      if (removed === 0) max *= 2;
    }
  }

  return {
    ...jobs,
    async start(tool, request) {
      const started = await jobs.start(tool, request);
      if (started.earlier === undefined) void trim();
      return started;
    },
  };
}

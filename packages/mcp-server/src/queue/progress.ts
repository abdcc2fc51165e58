import type { LocalJob } from "../jobs/job.js";
import type { JobQueue } from "../jobs/job-queue.js";

/** Progress is told at most so often. */
const PROGRESS_MS = 250;
/** Of what is told of a job; the whole is in its record. */
const LONGEST_LIST = 60;

/** Tells the fronts what a job does. Gives the way to stop telling. */
export function tellProgress(job: LocalJob, queue: Pick<JobQueue, "publish">): () => void {
  let pending: NodeJS.Timeout | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  const tell = () => {
    pending = undefined;
    lastMs = performance.now();
    const { queries, pages, ...activity } = job.record.activity;
    const lists = queries.length + pages.length <= LONGEST_LIST ? { queries, pages } : {};
    void queue.publish({ kind: "progress", id: job.record.id, activity: { ...activity, ...lists } }).catch(() => {});
  };
  const forget = job.onChange(() => {
    pending ??= setTimeout(tell, Math.max(0, lastMs + PROGRESS_MS - performance.now()));
  });
  return () => {
    forget();
    clearTimeout(pending);
  };
}

import { allEarlierIn, earlierIn } from "./earlier-job.js";
import type { JobHead } from "./job-record.js";

/**
 * A research with all that it follows and renews, and all that follows and renews those: the oldest first.
 * @param heads The newest first.
 */
export function threadOf(id: string, heads: readonly JobHead[]): JobHead[] {
  const neighbours = new Map<string, string[]>();
  const join = (one: string, other: string) => neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
  for (const head of heads) {
    for (const { job } of allEarlierIn(head)) {
      join(head.id, job);
      join(job, head.id);
    }
  }
  const found = new Set([id]);
  // A set is walked over what is added meanwhile, too.
  for (const one of found) for (const other of neighbours.get(one) ?? []) found.add(other);
  const inThread = heads.filter((head) => found.has(head.id)).reverse();
  return inThread.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** What a list tells of a research that follows another one, or renews it: a sign, and what it means. */
export function markOf(head: Pick<JobHead, "request">): { sign: string; meaning: string } | undefined {
  if (earlierIn(head, "refreshOf") !== undefined) return { sign: "↻", meaning: "an earlier question, asked anew" };
  return earlierIn(head, "followUpOf") && { sign: "↳", meaning: "asked on from an earlier research" };
}

import type { ResearchEvent } from "@x/research";
import type { Failure } from "./failure.js";
import type { JobHead, JobRecord } from "./job-record.js";

/**
 * Notes in the record whether an answer of the model is being read: a server that ends without a word then may have ended
 * by it. Gives whether that changed.
 */
export function noteReading(record: JobRecord, event: ResearchEvent): boolean {
  if (event.type === "log") return false;
  // The answers of a finished round did no harm.
  if (event.type === "round-end") delete record.readingDeaths;
  const reads = event.type === "step" && event.step.type === "run-end";
  if (reads === (record.reading === true)) return false;
  if (reads) record.reading = true;
  else delete record.reading;
  return true;
}

/** One may have ended by anything; after so many in one round, the next one could end by the same answer. */
const MOST_DEATHS = 2;

/** A running job as a server has left it that ended without a word: interrupted, or failed when too many ended over its answers. */
export function leftBehind<T extends JobHead>(record: T): T {
  const left: T = { ...record, state: "interrupted" };
  if (left.reading !== true) return left;
  delete left.reading;
  left.readingDeaths = (left.readingDeaths ?? 0) + 1;
  return left.readingDeaths < MOST_DEATHS ? left : { ...left, state: "failed", failure: DIED_READING };
}

const DIED_READING: Failure = {
  code: "EXECUTION_ERROR",
  message: "The server ended while it read the model's answer, for the second time.",
  details: "Ask the question again to start anew.",
};

import type { ResearchEvent } from "@x/research";
import type { JobRecord } from "./job-record.js";

/**
 * Notes in the record whether an answer of the model is being read: a server that ends without a word then may have ended
 * by it. Gives whether that changed.
 */
export function noteReading(record: JobRecord, event: ResearchEvent): boolean {
  if (event.type === "log") return false;
  const reads = event.type === "step" && event.step.type === "run-end";
  if (reads === (record.reading === true)) return false;
  if (reads) record.reading = true;
  else delete record.reading;
  return true;
}

/** Where another server goes on with a job by itself, so many may end over its answers: whoever ends one may mean no harm. */
const MOST_DEATHS = 2;

/** A job that was taken from a server that is gone: how many ended over its answers, and whether that is enough. */
export function deathsReading({ reading, readingDeaths = 0 }: Pick<JobRecord, "reading" | "readingDeaths">) {
  const deaths = readingDeaths + (reading === true ? 1 : 0);
  return { deaths, isHopeless: deaths >= MOST_DEATHS };
}

/** Whether the server of a job that nobody works on ended without a word while it read an answer. */
export function diedReading({ state, reading }: Pick<JobRecord, "state" | "reading">): boolean {
  return state === "running" && reading === true;
}

/** Why such a job is not gone on with by itself: the next server could end in the same way. */
export const DIED_READING = {
  code: "EXECUTION_ERROR",
  message: "The server ended while it read the model's answer.",
  details: "Ask the question again to start anew.",
} as const;

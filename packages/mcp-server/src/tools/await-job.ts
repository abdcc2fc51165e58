import type { ClientLimits } from "../clients/client-limits.js";
import type { Job } from "../jobs/job.js";
import type { JobRecord } from "../jobs/job-record.js";
import type { Outgoing } from "../report/outgoing.js";
import { type Answer, type AnswerOptions, failedAnswer, runningAnswer } from "./answer.js";
import type { Input } from "./arguments.js";
import { reportProgress } from "./progress.js";
import { doTask } from "./tasks.js";
import type { Call } from "./tool.js";

/** Waits for a job as long as the call may, sends progress meanwhile, and gives the state of the job at the end. */
export async function awaitJob(job: Job, input: Input, call: Call): Promise<JobRecord> {
  const { jobs, limits, signal, progress, arrivedMs } = call;
  const reporter = progress && reportProgress(job, progress);
  const wholeMs = waitMsOf(input, limits);
  const waitMs = wholeMs && Math.max(0, arrivedMs + wholeMs - performance.now());
  await jobs.wait(job, { waitMs, signal });
  await reporter?.stop();
  return job.record;
}

/** The wait that the call asks for, but no longer than the client waits; else the client's own. `undefined`: to the end. */
export function waitMsOf(input: Input, limits: Pick<ClientLimits, "waitMs" | "longestWaitMs">): number | undefined {
  const { wait_seconds } = input;
  if (typeof wait_seconds === "number") return Math.min(wait_seconds * 1000, limits.longestWaitMs ?? Infinity);
  return limits.waitMs === 0 ? undefined : limits.waitMs;
}

/** A job in whatever state it is, as the contract's answer. */
export async function answerOf(
  record: JobRecord,
  options: Omit<AnswerOptions, "limits">,
  call: Call,
): Promise<Outgoing<Answer>> {
  const { limits, offload } = call;
  if (record.report !== undefined) return doTask("answer", { record, options: { ...options, limits } }, offload);
  if (record.failure !== undefined) return failedAnswer(record.failure);
  return runningAnswer(record, { ...options, limits, now: Date.now() });
}

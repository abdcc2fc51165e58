import { exitCodeOfSignal } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { KINDS } from "../../isolation/kinds.js";
import { earlierInWords } from "../../jobs/earlier.js";
import { earlierJob } from "../../jobs/earlier-job.js";
import type { Job } from "../../jobs/job.js";
import { isUnfinished, type JobRecord, type JobRequest, type JobTool, subjectOf } from "../../jobs/job-record.js";
import { requestAgain, withPast } from "../../jobs/plans.js";
import { fail, failureOf } from "../terminal/fail.js";
import { notify } from "../terminal/notify.js";
import { screenOf } from "../terminal/paint.js";
import { createProgressDisplay } from "../terminal/show-progress.js";
import { withAdvice } from "./flag-advice.js";
import { giveOut } from "./give-out.js";
import { checkOutput, type OutputOptions } from "./output.js";
import { openSession, type Session } from "./session.js";
import { toReport, unknownId, type Which, whichResearch } from "./which.js";

/** How a command comes by its job; a text says why there is none. */
export type FindJob = (session: Session) => Promise<Job | { missing: string }>;

/** A new research of this request, or what an earlier call has left of it. */
export function asking(tool: JobTool, request: JobRequest): FindJob {
  return async ({ jobs, warn }) => {
    if (request["web"] === false && request["files"] === undefined)
      return { missing: "--no-web leaves nothing to research in. Name documents with --file or --dir." };
    const { job, earlier } = await jobs.start(tool, await withPast(jobs, tool, request));
    const words = earlier && earlierInWords(earlier);
    if (words !== undefined) warn(words);
    return job;
  };
}

/** A new research of an earlier question: `changes` take the place of what was asked then, filter by filter. */
export function askingAgain(which: Which, changes: JobRequest, command: string): FindJob {
  return async (session) => {
    const found = await whichResearch(session.jobs, which, command, { failedStart: true });
    if ("missing" in found) return found;
    const record = await session.jobs.look(found.id);
    if (record === undefined) return { missing: unknownId(found.id, command) };
    const { tool } = record;
    if (!KINDS[tool].keepsEvidence)
      return { missing: `${found.id} is of the older tool; ask its question with deep-search.` };
    if (tool === "search" && changes["maxRounds"] !== undefined)
      return { missing: "--rounds is for deep searches; this one was a search." };
    const { plan, ...before } = requestAgain(record);
    const request = changes["planOnly"] === true || plan === undefined ? before : { ...before, plan };
    const merged = (name: string) => {
      const both = { ...(request[name] as object | undefined), ...(changes[name] as object | undefined) };
      return Object.keys(both).length > 0 ? { [name]: both } : {};
    };
    return asking(tool, { ...request, ...changes, ...merged("filters"), ...merged("budget") })(session);
  };
}

/** A new research that begins with what an earlier one found. `tool`: default as that one. */
export function askingOn(
  which: Which,
  { tool, request }: { tool?: JobTool | undefined; request: JobRequest },
  command: string,
): FindJob {
  return async (session) => {
    const found = await earlierOf(which, session, command);
    if ("missing" in found) {
      // Who forgets the id has its first word taken for one.
      const isUnknown = which.id !== undefined && found.missing === unknownId(which.id, command);
      const last = `To ask on from the last one: ${command} ask --last "…"`;
      return { missing: isUnknown ? `${found.missing}\n${last}` : found.missing };
    }
    return asking(tool ?? found.record.tool, { ...request, followUpOf: found.earlier })(session);
  };
}

/** An earlier question anew, with `changes` as in {@link askingAgain}, and with what became of its claims. */
export function refreshing(which: Which, changes: JobRequest, command: string): FindJob {
  return async (session) => {
    const found = await earlierOf(which, session, command);
    if ("missing" in found) return found;
    return askingAgain({ id: found.record.id }, { ...changes, refreshOf: found.earlier }, command)(session);
  };
}

/** The research that another one is to follow. Rejects, with what to do first, when it has no report. */
async function earlierOf(which: Which, { jobs }: Session, command: string) {
  const found = await whichResearch(jobs, which, command);
  if ("missing" in found) return found;
  const { id } = found;
  try {
    return (await earlierJob(jobs, id)) ?? { missing: unknownId(id, command) };
  } catch (error) {
    const record = await jobs.look(id);
    const details = record && toReport(record, command);
    throw details === undefined ? error : Object.assign(error as Error, { details });
  }
}

/** The research that is meant; one that stopped or failed goes on. */
export function resuming(which: Which, command: string): FindJob {
  return async ({ jobs }) => {
    const found = await whichResearch(jobs, which, command, { failedStart: true });
    if ("missing" in found) return found;
    return (await jobs.resume(found.id)) ?? { missing: unknownId(found.id, command) };
  };
}

/** Follows one job to its end and gives out its report. Gives the exit code. */
export async function runResearch(findJob: FindJob, options: OutputOptions, given: Io): Promise<number> {
  const io = options.verbose ? { ...given, env: { ...given.env, DEBUG: "true" } } : given;
  const output = await checkOutput(options, io);
  if (typeof output === "string") return fail({ code: "INVALID_INPUT", message: output }, options, io);
  const display = await createProgressDisplay(io, { now: Date.now, quiet: output.quiet });
  const { paint } = screenOf(io.stderr, io.env);
  const session = openSession(io, (message) => display.say(`${paint.yellow("!")} ${message}`));
  let job: Job | { missing: string };
  try {
    do {
      job = await findJob(session);
      if ("missing" in job) return fail({ code: "INVALID_INPUT", message: job.missing }, options, io);
      display.follow(job);
      await endOf(job, io.signal);
      // The process that worked on it may have ended in the middle.
    } while (isUnfinished(job.record) && !io.signal.aborted);
    if (job.record.report !== undefined) await session.jobs.taken(job.record);
  } catch (error) {
    return fail(failureOf(error, io), options, io);
  } finally {
    display.stop();
    await session.close();
  }
  const { record } = job;
  const { report } = record;
  if (options.notify) notify(report === undefined ? "Research ended" : "Research done", subjectOf(record), io);
  return report === undefined ? endedWithout(record, options, io) : await giveOut({ ...record, report }, output, io);
}

/** Resolves when the job has ended or the person has had enough. */
function endOf(job: Job, signal: AbortSignal): Promise<unknown> {
  const stopped = new Promise<void>((stop) => {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", () => stop(), { once: true });
  });
  return Promise.race([job.ended(signal), stopped]);
}

function endedWithout(record: JobRecord, options: OutputOptions, io: Io): number {
  const { failure, state } = record;
  if (failure !== undefined && state !== "interrupted") return fail(withAdvice(failure, record, io), options, io);
  const kept = record.tool === "deep_search" && record.researchId !== undefined;
  const how = kept ? `Go on with: ${io.command} resume ${record.id}` : "Ask again to start anew.";
  fail({ code: "CANCELLED", message: "Stopped.", details: how }, options, io);
  return exitCodeOfSignal(io.signal.reason);
}

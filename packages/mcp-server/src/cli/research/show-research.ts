import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { describe } from "../../jobs/activity.js";
import type { JobRecord, Report } from "../../jobs/job-record.js";
import { threadOf } from "../../jobs/thread.js";
import { fail } from "../terminal/fail.js";
import { withAdvice } from "./flag-advice.js";
import { giveOut, giveOutThread } from "./give-out.js";
import { openPage } from "./open-page.js";
import { checkOutput, type OutputOptions } from "./output.js";
import { openSession, type Session } from "./session.js";
import { toReport, unknownId, type Which, whichResearch } from "./which.js";

const usage = (message: string) => ({ code: "INVALID_INPUT", message });

/** Gives out a report that is kept; of a research without one, how far it is. Starts nothing. Gives the exit code. */
export async function showResearch(which: Which, options: OutputOptions, io: Io): Promise<number> {
  const output = await checkOutput(options, io);
  if (typeof output === "string") return fail(usage(output), options, io);
  const record = await recordOf(which, io);
  if ("missing" in record) return fail(usage(record.missing), options, io);
  const { report } = record;
  return report === undefined ? withoutReport(record, options, io) : giveOut({ ...record, report }, output, io);
}

/** Gives out the reports of a research and of all that follow each other with it, the oldest first. Gives the exit code. */
export async function showThread(which: Which, options: OutputOptions, io: Io): Promise<number> {
  const output = await checkOutput(options, io);
  if (typeof output === "string") return fail(usage(output), options, io);
  const records = await finishedThread(which, options, io);
  return typeof records === "number" ? records : giveOutThread(records, output, io);
}

/** The researches that follow each other with the one that is meant, as far as they have reports. Else the exit code. */
export async function finishedThread(
  which: Which,
  options: Pick<OutputOptions, "json">,
  io: Io,
): Promise<FinishedRecord[] | number> {
  const records = await inSession(io, async ({ jobs }) => {
    const found = await whichResearch(jobs, which, io.command);
    if ("missing" in found) return found;
    const thread = threadOf(found.id, await jobs.list(Number.POSITIVE_INFINITY));
    if (thread.length === 0) return { missing: unknownId(found.id, io.command) };
    const all = await Promise.all(thread.map(({ id }) => jobs.look(id)));
    const finished = all.flatMap((record) => (record?.report === undefined ? [] : [record as FinishedRecord]));
    return finished.length > 0 ? finished : { missing: "No research of this thread has a report yet." };
  });
  return "missing" in records ? fail(usage(records.missing), options, io) : records;
}

/** Shows a report that is kept in the browser. Gives the exit code. */
export async function openResearch(which: Which, io: Io): Promise<number> {
  const record = await finishedRecord(which, io);
  return typeof record === "number" ? record : openPage([record], io);
}

/** A research with its report. */
export type FinishedRecord = JobRecord & { report: Report };

/** The research that is meant, if it has a report. Else says why not, and gives the exit code. */
export async function finishedRecord(which: Which, io: Io): Promise<FinishedRecord | number> {
  const record = await recordOf(which, io);
  if ("missing" in record) return fail(usage(record.missing), {}, io);
  const { report } = record;
  return report === undefined ? withoutReport(record, {}, io) : { ...record, report };
}

function recordOf(which: Which, io: Io): Promise<JobRecord | { missing: string }> {
  return inSession(io, async ({ jobs }) => {
    const found = await whichResearch(jobs, which, io.command);
    if ("missing" in found) return found;
    return (await jobs.look(found.id)) ?? { missing: unknownId(found.id, io.command) };
  });
}

async function inSession<T>(io: Io, work: (session: Session) => Promise<T>): Promise<T> {
  const session = openSession(io);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Says why there is no report, and how to come by one. */
function withoutReport(record: JobRecord, options: OutputOptions, io: Io): number {
  const { state, failure, activity } = record;
  if (failure !== undefined) return fail(withAdvice(failure, record, io), options, io);
  const message =
    state === "running" ? `No report yet: ${describe(activity)}.` : `No report: the research is ${state}.`;
  const details = toReport(record, io.command);
  fail({ code: "INVALID_INPUT", message, ...(details && { details }) }, options, io);
  return EXIT.failed;
}

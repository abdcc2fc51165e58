import { resultOf } from "@x/gemini-runner";
import type { ResearchEvent, RunStore } from "@x/research";
import type { Ask } from "../isolation/ask.js";
import { askedOfResearch, withJobIds } from "./earlier-job.js";
import type { JobRecord, Report } from "./job-record.js";

/**
 * Does the research of a record to its end; a deep search goes on after its last finished round.
 *
 * @param store Where its rounds are. Default: where all are.
 */
export async function researchOf(
  ask: Ask,
  record: JobRecord,
  signal: AbortSignal,
  onEvent: (event: ResearchEvent) => void,
  store?: RunStore,
): Promise<Report> {
  const { tool, request, researchId } = record;
  const resume = tool === "deep_search" && researchId !== undefined ? { resume: researchId } : {};
  const asked = { ...askedOfResearch(request), ...resume, ...(store && { store }), signal };
  try {
    return inJobs(await resultOf(ask(tool, asked), onEvent), record);
  } catch (error) {
    if (error instanceof Error) error.message = withJobIds(error.message, record);
    throw error;
  }
}

/** A report that names the jobs that it follows and renews. */
function inJobs(report: Report, record: JobRecord): Report {
  const metadata: Record<string, unknown> = { ...report.metadata };
  for (const name of ["follow_up", "changes"]) {
    const { of, ...rest } = { ...(metadata[name] as { of?: string } | undefined) };
    if (of !== undefined) metadata[name] = { of: withJobIds(of, record), ...rest };
  }
  return { ...report, metadata } as Report;
}

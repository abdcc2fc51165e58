import type { Report } from "../jobs/job-record.js";

/** The JSON object that a tool answers with. */
export type Answer = { success: boolean; [key: string]: unknown };

/** A report with its state and its id, and all that is known of it. */
export function wholeAnswer(id: string, report: Report): Answer {
  const { success, metadata, ...rest } = report as unknown as Answer;
  return { success, status: "completed", job_id: id, ...rest, metadata };
}

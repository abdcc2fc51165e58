import { describe } from "../jobs/activity.js";
import type { Failure } from "../jobs/failure.js";
import { type JobRecord, type Report, subjectOf } from "../jobs/job-record.js";
import type { ClientLimits } from "../protocol/client-limits.js";
import { pagesOf, sizeInJson, toDocument } from "../report/document.js";

/** The JSON object that a tool answers with. */
export type Answer = { success: boolean; [key: string]: unknown };

/** A message of the protocol must stay far below 10 MiB, at which both sides of a stdio connection hang up. */
const LONGEST_ANSWER = 1_000_000;
/** Of a report for a client that would take it whole and asks for a page, or that is too long for a message. */
const PAGE = 24_000;
/** For a warning of the call itself. */
const SPARE = 150;
/** Stands for the number of pages while that is not known: at least as many digits as it can have. */
const MANY = 9_999;
/** Quotes, comma and indentation. */
const BESIDES_ENTRY = 12;

/** A finished job, whole where the client takes it whole, else its first page; or the page that is asked for. */
export function finishedAnswer(record: JobRecord, limits: Pick<ClientLimits, "maxChars">, page?: number): Answer {
  const { report } = record;
  if (report === undefined) throw new TypeError(`${record.id} has no report`);
  const maxChars = limits.maxChars ?? LONGEST_ANSWER;
  if (page === undefined) {
    const whole = wholeAnswer(record.id, report);
    if (JSON.stringify(whole, null, 2).length <= maxChars) return whole;
  }
  const withPage = (text: string, at: number, of: number): Answer => ({
    success: true,
    status: "completed",
    job_id: record.id,
    result: text,
    ...("verified" in report ? { verified: report.verified } : {}),
    metadata: {
      ...essentials(report.metadata as Record<string, unknown>),
      page: at,
      pages: of,
      next:
        at < of
          ? `Call research_result with ${JSON.stringify({ job_id: record.id, page: at + 1 })} for the next page. The last pages list every source, search and round.`
          : "This is the last page.",
    },
  });
  const pages = pagesOf(toDocument(record), roomIn(withPage("", MANY - 1, MANY), limits));
  const at = page ?? 1;
  const text = pages[at - 1];
  if (text === undefined) throw new RangeError(`There is no page ${at}: the report has ${pages.length}.`);
  return withPage(text, at, pages.length);
}

/** A report with its state and its id, however long it is. */
export function wholeAnswer(id: string, report: Report): Answer {
  const { success, metadata, ...rest } = report as unknown as Answer;
  return { success, status: "completed", job_id: id, ...rest, metadata };
}

/** How long a text may be that is put into an answer. */
function roomIn(empty: Answer, { maxChars }: Pick<ClientLimits, "maxChars">): number {
  return maxChars === undefined ? PAGE : maxChars - JSON.stringify(empty, null, 2).length - SPARE;
}

/** What a reader of the first page alone must know, cut to what fits beside it; the pages have all of it. */
function essentials(metadata: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of ["duration_ms", "query", "topic", "depth", "model", "timestamp", "iterations", "note"]) {
    const value = metadata[name];
    if (value !== undefined) kept[name] = typeof value === "string" ? cut(value, 300) : value;
  }
  const { warnings, sources_visited, search_queries_used, evidence } = metadata;
  // A warning is a sentence, which a part of still warns; a part of an address leads nowhere.
  if (Array.isArray(warnings)) kept["warnings"] = asFit(warnings.map((warning) => cut(String(warning), 300)));
  for (const [name, list] of Object.entries({ sources_visited, search_queries_used })) {
    if (Array.isArray(list)) kept[name] = asFit(list);
  }
  if (typeof evidence === "object" && evidence !== null) {
    const { status, citation_accuracy, independent_hosts } = evidence as Record<string, unknown>;
    kept["evidence"] = { status, citation_accuracy, independent_hosts };
  }
  return kept;
}

/** Those of the entries for which there is room. */
function asFit(list: readonly unknown[]): unknown[] {
  let left = 350;
  return list.filter((entry) => {
    left -= sizeInJson(String(entry)) + BESIDES_ENTRY;
    return left >= 0;
  });
}

function cut(text: string, max: number): string {
  return sizeInJson(text) <= max ? text : `${pagesOf(text.replace(/\s+/g, " "), max - 1)[0]}…`;
}

/** A job that goes on: what is known so far, and how to hear of its end. */
export function runningAnswer(record: JobRecord, limits: ClientLimits, now: number): Answer {
  const { activity } = record;
  const wait = limits.waitMs === 0 ? "until it has ended" : `up to ${Math.round(limits.waitMs / 1000)} s`;
  const withText = (text: string): Answer => ({
    success: true,
    status: "running",
    job_id: record.id,
    result: text,
    metadata: {
      duration_ms: Math.max(0, now - Date.parse(record.createdAt)),
      [record.tool === "deep_research" ? "topic" : "query"]: cut(subjectOf(record), 300),
      timestamp: new Date(now).toISOString(),
      activity: describe(activity),
      ...(activity.rounds > 1 ? { round: activity.round, rounds: activity.rounds } : {}),
      ...essentials({ sources_visited: activity.pages, search_queries_used: activity.queries }),
      next: `Call research_result with ${JSON.stringify({ job_id: record.id })}: it waits ${wait} and then gives the report. Do not ask the question anew.`,
    },
  });
  if (activity.result !== undefined) return withText(pagesOf(activity.result, roomIn(withText(""), limits))[0] ?? "");
  return withText(
    record.state === "interrupted"
      ? "The research is interrupted, since its server ends. It goes on when its result is asked for."
      : `The research is still running: ${describe(activity)}.`,
  );
}

export function failedAnswer(failure: Failure): Answer {
  return { success: false, error: failure };
}

/** The envelope of the older tool: its keys and codes, nothing else; in pages where the client would cut it. */
export function deepResearchAnswer(record: JobRecord, limits: Pick<ClientLimits, "maxChars">): Answer {
  if (record.report !== undefined) {
    const whole = record.report as unknown as Answer;
    if (JSON.stringify(whole, null, 2).length <= (limits.maxChars ?? LONGEST_ANSWER)) return whole;
    const { result: report, metadata } = finishedAnswer(record, limits, 1);
    return { success: true, report, metadata };
  }
  const { code, ...rest } = record.failure ?? {
    code: "UNEXPECTED_ERROR",
    message: "The research ended without a report.",
  };
  const own = ["CLI_NOT_FOUND", "RESEARCH_FAILED", "EXECUTION_ERROR", "UNEXPECTED_ERROR"];
  return failedAnswer({ code: own.includes(code) ? code : "EXECUTION_ERROR", ...rest });
}

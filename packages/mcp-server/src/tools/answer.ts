import type { ResearchPlan } from "@x/research";
import type { ClientLimits } from "../clients/client-limits.js";
import { describe } from "../jobs/activity.js";
import type { Failure } from "../jobs/failure.js";
import { type JobRecord, type Report, startedMsOf, subjectOf } from "../jobs/job-record.js";
import { planIn } from "../jobs/plans.js";
import { rowOf } from "../jobs/troubleshooting.js";
import { pagesOf, sizeInJson, toDocument } from "../report/document.js";
import { type Outgoing, outgoing, outgoingJson } from "../report/outgoing.js";
import { type Answer, wholeAnswer } from "../report/whole-answer.js";
import { shortLine } from "../text/plain-text.js";
import { compactMetadata, roomBeside } from "./metadata.js";

export type { Answer } from "../report/whole-answer.js";

/** How an answer is wanted. */
export interface AnswerOptions {
  limits: Pick<ClientLimits, "maxChars" | "structured">;
  /** This page of the report, from 1. Default: all of it where the client takes it, else the first. */
  page?: number | undefined;
  /** `full`: everything that is known. Default: the report, and what matters most beside it. */
  detail?: "compact" | "full" | undefined;
  /** What the caller must know of how the answer came about. */
  continued?: string | undefined;
}

/** A message of the protocol must stay far below 10 MiB, at which both sides of a stdio connection hang up. */
const LONGEST_ANSWER = 1_000_000;
/** Of a report for a client that would take it whole and asks for a page, or that is too long for a message. */
const PAGE = 24_000;
/** For a warning of the call itself. */
const SPARE = 150;
/** Stands for the number of pages while that is not known: at least as many digits as it can have. */
const MANY = 9_999;

/** A finished job, whole where the client takes it whole, else its first page; or the page that is asked for. */
export function finishedAnswer(record: JobRecord, options: AnswerOptions): Outgoing<Answer> {
  // Before it is cut, so that pages have their size; and after it, since half of a code block is none.
  return outgoing(finished(outgoing(record), options));
}

function finished(record: Outgoing<JobRecord>, options: AnswerOptions): Answer {
  const { report } = record;
  if (report === undefined) throw new TypeError(`${record.id} has no report`);
  if (options.page === undefined) {
    const whole = withMetadata(wholeAnswer(record.id, report), options);
    const plan = planIn(report);
    if (plan !== undefined) whole["metadata"] = { next: afterPlan(record, plan), ...(whole["metadata"] as object) };
    if (outgoingJson(whole, 2).length <= (options.limits.maxChars ?? LONGEST_ANSWER)) return whole;
  }
  return pageOf(record, report, options);
}

/** How to go on after a plan. */
function afterPlan({ tool }: JobRecord, plan: ResearchPlan): string {
  return `Show the plan to the user. To research by it, call ${tool} with the same query and ${JSON.stringify({ plan })}, as it is or as the user changes it, without plan_only.`;
}

function withMetadata(answer: Answer, { detail, continued, limits }: AnswerOptions): Answer {
  const { result, report, ...rest } = answer;
  const metadata = { ...(rest["metadata"] as Record<string, unknown>), ...(continued !== undefined && { continued }) };
  if (detail === "full") return { ...answer, metadata };
  const isPretty = !limits.structured;
  const text = String(result ?? report ?? "");
  const envelope = outgoingJson({ ...rest, metadata: {} }, isPretty ? 2 : 0).length;
  const room = roomBeside(isPretty ? sizeInJson(text) : text.length) - envelope;
  return { ...answer, metadata: compactMetadata(metadata, room, { isPretty }) };
}

/** One page: what it is and where the next one is stand before its text, which a client may cut at the end. */
function pageOf(record: JobRecord, report: Report, { limits, page: at = 1, continued }: AnswerOptions): Answer {
  const longest = limits.maxChars ?? PAGE;
  const metadata = { ...(report.metadata as Record<string, unknown>), ...(continued !== undefined && { continued }) };
  const document = toDocument(record);
  let beside: Record<string, unknown> = {};
  // The last pages hold all of it.
  const data = ["data", "plan"].flatMap((name) => {
    const value = (report as unknown as Record<string, unknown>)[name];
    return value !== undefined && outgoingJson({ [name]: value }, 2).length <= longest / 4
      ? [[name, value] as const]
      : [];
  });
  const withText = (result: string, page: number, pages: number): Answer => ({
    success: true,
    status: "completed",
    job_id: record.id,
    ...("verified" in report ? { verified: report.verified } : {}),
    ...(page === 1 ? Object.fromEntries(data) : {}),
    metadata: {
      page,
      pages,
      next:
        page < pages
          ? `Call research_result with ${JSON.stringify({ job_id: record.id, page: page + 1 })} for the next page. The last pages list every source, search and round.`
          : "This is the last page.",
      ...(page === 1 ? beside : {}),
    },
    result,
  });
  const sizeBeside = (page: number) => outgoingJson(withText("", page, MANY), 2).length + SPARE;
  const roomOn = (page: number) => (limits.maxChars === undefined ? PAGE : longest - sizeBeside(page));
  const cutBeside = (textLength: number): string[] => {
    const isPretty = !limits.structured;
    beside = {};
    const always = outgoingJson(withText("", 1, MANY), isPretty ? 2 : 0).length;
    beside = compactMetadata(metadata, Math.min(longest / 4, roomBeside(textLength)) - always, { isPretty });
    return pagesOf(document, { first: roomOn(1), others: roomOn(MANY - 1) });
  };
  let pages = cutBeside(document.length);
  // Its length is limited as JSON, but beside structure the text stands as it is, which may be half of that.
  if (limits.structured) pages = cutBeside(pages[0]?.length ?? 0);
  const text = pages[at - 1];
  if (text === undefined) throw new RangeError(`There is no page ${at}: the report has ${pages.length}.`);
  return withText(text, at, pages.length);
}

/** A job that goes on: in a few words what is known so far, and how to hear of its end. */
export function runningAnswer(
  record: JobRecord,
  { limits, now, continued }: { limits: ClientLimits; now: number; continued?: string | undefined },
): Outgoing<Answer> {
  const { activity } = record;
  const wait = limits.waitMs === 0 ? "until it has ended" : `up to ${Math.round(limits.waitMs / 1000)} s`;
  const state =
    record.state === "interrupted"
      ? "the research is interrupted, since its server ends; it goes on when its result is asked for."
      : `${describe(activity)}.`;
  const known = activity.known === undefined ? "" : ` So far: ${activity.known}`;
  return outgoing({
    success: true,
    status: "running",
    job_id: record.id,
    result: `Not finished: ${state}${known}`,
    metadata: {
      next: `Call research_result with ${JSON.stringify({ job_id: record.id })}: it waits ${wait} and then gives the report. Do not ask the question anew.`,
      duration_ms: Math.max(0, now - startedMsOf(record)),
      ["topic" in record.request ? "topic" : "query"]: shortLine(subjectOf(record), 200),
      timestamp: new Date(now).toISOString(),
      ...(activity.rounds > 1 ? { round: activity.round, rounds: activity.rounds } : {}),
      ...(activity.queries.length > 0 ? { searches: activity.queries.length } : {}),
      ...(activity.pages.length > 0 ? { pages_read: activity.pagesDone } : {}),
      ...(continued !== undefined && { continued }),
    },
  });
}

/** What a model can do nothing about. */
const FOR_THE_USER: ReadonlySet<string> = new Set(["AUTH_REQUIRED", "CLI_NOT_FOUND", "QUOTA_EXCEEDED"]);

export function failedAnswer(failure: Failure): Outgoing<Answer> {
  // A limit of this server says by itself what is to be done.
  const isForUser = FOR_THE_USER.has(failure.code) && failure.scope === undefined;
  const parts = [failure.details, rowOf(failure), isForUser ? "Tell the user; do not retry." : undefined];
  const details = parts.filter(Boolean).join("\n");
  return outgoing({ success: false, error: { ...failure, ...(details !== "" && { details }) } });
}

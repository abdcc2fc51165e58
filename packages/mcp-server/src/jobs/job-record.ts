import type { ProcessIdentity } from "@x/owned-files";
import type { Report } from "../isolation/ask.js";
import { isJobTool, type JobTool } from "../isolation/kinds.js";
import { type Activity, newActivity } from "./activity.js";
import { type Failure, isFailure } from "./failure.js";
import { type ReportSummary, summaryOf, withoutSummary } from "./report-summary.js";

export type { JobTool, Report };

/** What is asked, as the research takes it, without its signal. */
export type JobRequest = { query?: string; topic?: string; [more: string]: unknown };

/**
 * - `interrupted`: its server ended first. Who asks for its result starts it again; finished rounds are not repeated.
 */
export type JobState = "running" | "interrupted" | "completed" | "failed" | "cancelled";

/** One piece of work, as it is kept. */
export interface JobRecord {
  id: string;
  tool: JobTool;
  request: JobRequest;
  state: JobState;
  /** Who asked. Missing in older records: the person at the machine. */
  owner?: string;
  /** Process that works on it, as `ProcessIdentity` tells it. `start` is missing in older records. */
  pid: number;
  place: string;
  start?: string;
  /** How often the work on it was begun or taken away: whoever works on an older one stops. Missing in older records: 0. */
  generation?: number;
  /** ISO 8601. While it runs, `updatedAt` is renewed every {@link HEARTBEAT_MS}. */
  createdAt: string;
  updatedAt: string;
  /** When the present work on it began. Missing in older records: with `createdAt`. */
  startedAt?: string;
  /** Under which the research keeps its finished rounds. */
  researchId?: string;
  activity: Activity;
  report?: Report;
  failure?: Failure;
  /** Somebody was given its report. */
  taken?: boolean;
  /** An answer of the model is being read. */
  reading?: true;
  /** Servers that ended without a word while they read an answer of the present round. Default: 0. */
  readingDeaths?: number;
  /** How often the API refused it since too much was asked in a minute, where many workers share a key. */
  refusals?: number;
}

/** What is known of a job without its report. */
export type JobHead = Omit<JobRecord, "report"> & ReportSummary;

/** The owner of what the person at the machine asks, in the terminal or through a client on stdio. */
export const PERSON = "person";

const TENANT = "tenant:";

/** The owner of what a tenant asks. */
export function tenantOwner(name: string): string {
  return TENANT + name;
}

/** The name of the tenant whose it is; `undefined`: the person's, or of whoever has the one token. */
export function tenantIn(owner: string): string | undefined {
  return owner.startsWith(TENANT) ? owner.slice(TENANT.length) : undefined;
}

export const HEARTBEAT_MS = 15_000;

/** The name of its tool and some signs nobody can guess. */
const ID = /^([a-z-]{1,30})-[a-z0-9]{10}$/;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id that a person can read aloud and nobody can guess. */
export function newJobId(tool: JobTool): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return `${tool.replace("_", "-")}-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
}

export function isJobId(text: string): boolean {
  return isJobTool(ID.exec(text)?.[1]?.replace("-", "_"));
}

/** A job that begins now. */
export function newRecord(
  owner: string,
  tool: JobTool,
  request: JobRequest,
  { own, nowMs }: { own: ProcessIdentity; nowMs: number },
): JobRecord {
  const at = new Date(nowMs).toISOString();
  const [createdAt, updatedAt, startedAt] = [at, at, at];
  return {
    ...{ id: newJobId(tool), tool, request, state: "running", owner, ...own, generation: 1 },
    ...{ createdAt, updatedAt, startedAt, activity: newActivity() },
  };
}

/** A job that begins again for whoever asks: what the API refused before does not count. */
export function begunAgain(record: JobRecord): JobRecord {
  const begun: JobRecord = { ...record, state: "running", generation: (record.generation ?? 0) + 1 };
  delete begun.failure;
  delete begun.reading;
  delete begun.refusals;
  // What failed has no round that is worth going on from.
  if (record.failure !== undefined && record.failure.code !== "CANCELLED") {
    delete begun.researchId;
    delete begun.readingDeaths;
  }
  return begun;
}

/** When the present work on it began. */
export function startedMsOf({ startedAt, createdAt }: Pick<JobRecord, "startedAt" | "createdAt">): number {
  return Date.parse(startedAt ?? createdAt);
}

export function subjectOf({ request }: Pick<JobRecord, "request">): string {
  return String(request.query ?? request.topic ?? "");
}

/** The same question of the same owner with the same options is the same work. */
export function keyOf(owner: string, tool: JobTool, request: JobRequest): string {
  const sorted = Object.entries(request)
    // What earlier researches cost is another thing with every research.
    .filter(([name, value]) => value !== undefined && name !== "past")
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === "string" ? value.trim().replace(/\s+/g, " ") : value]);
  return JSON.stringify([owner, tool, sorted]);
}

/** Neither done nor given up, whether or not anybody works on it. */
export function isUnfinished({ state }: Pick<JobRecord, "state">): boolean {
  return state === "running" || state === "interrupted";
}

const STATES: readonly unknown[] = ["running", "interrupted", "completed", "failed", "cancelled"] satisfies JobState[];

export function ownerOf({ owner = PERSON }: Pick<JobRecord, "owner">): string {
  return owner;
}

export function isOf(record: Pick<JobRecord, "owner">, owner: string): boolean {
  return ownerOf(record) === owner;
}

/** A record as it stands in a list. */
export function headOf({ report, ...head }: JobRecord): JobHead {
  return report === undefined ? head : { ...head, ...summaryOf(report) };
}

/** What was read from disk, if it is a record: a damaged or foreign file is none. */
export function asJobRecord(value: unknown): JobRecord | undefined {
  if (!isObject(value)) return undefined;
  const { report, ...rest } = value;
  const head = withoutSummary(rest);
  if (head["state"] === "completed" ? !isReport(report) : report !== undefined) return undefined;
  const record: JobRecord | undefined = asJobHead(head);
  return record && (report === undefined ? record : { ...record, report: report as Report });
}

/** The same of a record whose report was not read. */
export function asJobHead(value: unknown): JobHead | undefined {
  if (!isObject(value)) return undefined;
  const { id, tool, request, state, pid, place, createdAt, updatedAt, researchId, activity, failure } = value;
  const { startedAt, start, generation, owner, readingDeaths, refusals } = value;
  const whole =
    typeof id === "string" &&
    isJobId(id) &&
    isJobTool(tool) &&
    STATES.includes(state) &&
    isObject(request) &&
    typeof (request["query"] ?? request["topic"]) === "string" &&
    Number.isSafeInteger(pid) &&
    typeof place === "string" &&
    (owner === undefined || typeof owner === "string") &&
    (start === undefined || typeof start === "string") &&
    [generation, readingDeaths, refusals].every((count) => count === undefined || Number.isSafeInteger(count)) &&
    isDate(createdAt) &&
    isDate(updatedAt) &&
    (startedAt === undefined || isDate(startedAt)) &&
    (researchId === undefined || typeof researchId === "string") &&
    (state === "failed" ? isFailure(failure) : failure === undefined || isFailure(failure));
  if (!whole) return undefined;
  // Older records have their report on the first line.
  const { report, ...head } = value;
  return {
    ...(head as unknown as JobHead),
    ...(isReport(report) && summaryOf(report as Report)),
    // How far it was matters less than what came of it.
    activity: { ...newActivity(), ...(isActivity(activity) && activity) },
  };
}

/** Older records say nothing of what became of each round. */
function isActivity(value: unknown): value is Partial<Activity> {
  if (!isObject(value)) return false;
  const { now, round, rounds, roundsDone, known, queries, pages, pagesDone, current, outcomes } = value;
  return (
    typeof now === "string" &&
    [round, rounds, roundsDone, pagesDone].every(Number.isSafeInteger) &&
    (known === undefined || typeof known === "string") &&
    [queries, pages].every((list) => Array.isArray(list) && list.every((each) => typeof each === "string")) &&
    (current === undefined || isCurrentRound(current)) &&
    (outcomes === undefined || (Array.isArray(outcomes) && outcomes.every(isOutcome)))
  );
}

function isCurrentRound(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { startedMs, searches, reads, steps } = value;
  return (
    (startedMs === undefined || Number.isFinite(startedMs)) &&
    [searches, reads].every(Number.isSafeInteger) &&
    Array.isArray(steps) &&
    steps.every(
      (step) =>
        isObject(step) &&
        [step["id"], step["what"]].every((text) => typeof text === "string") &&
        ["search", "read"].includes(step["kind"] as string) &&
        ["running", "done", "failed"].includes(step["state"] as string),
    )
  );
}

function isOutcome(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { round, end, reason, searches, reads, durationMs } = value;
  return (
    [round, searches, reads].every(Number.isSafeInteger) &&
    ["verified", "unverified", "failed"].includes(end as string) &&
    (reason === undefined || typeof reason === "string") &&
    Number.isFinite(durationMs)
  );
}

function isReport(value: unknown): boolean {
  return (
    isObject(value) &&
    value["success"] === true &&
    typeof (value["result"] ?? value["report"]) === "string" &&
    isObject(value["metadata"])
  );
}

function isDate(value: unknown): boolean {
  return typeof value === "string" && Number.isFinite(Date.parse(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

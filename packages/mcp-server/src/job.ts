import type { DeepResearchReport, DeepSearchReport, SearchReport } from "@x/research";
import type { Activity } from "./activity.js";
import type { Failure } from "./failure.js";

export type JobTool = "search" | "deep_search" | "deep_research";
export type Report = SearchReport | DeepSearchReport | DeepResearchReport;

/** What is asked, as the research takes it, without its signal. */
export type JobRequest = { query?: string; topic?: string; [more: string]: unknown };

/**
 * - `interrupted`: its server ended first. Who asks for its result starts it again; finished rounds are not repeated.
 */
type JobState = "running" | "interrupted" | "completed" | "failed" | "cancelled";

/** One piece of work, as it is kept. */
export interface JobRecord {
  id: string;
  tool: JobTool;
  request: JobRequest;
  state: JobState;
  /** Process that works on it. */
  pid: number;
  /** ISO 8601. While it runs, `updatedAt` is renewed every {@link HEARTBEAT_MS}. */
  createdAt: string;
  updatedAt: string;
  /** Under which the research keeps its finished rounds. */
  researchId?: string;
  activity: Activity;
  report?: Report;
  failure?: Failure;
}

export const HEARTBEAT_MS = 15_000;

const ID = /^(?:search|deep-search|deep-research)-[a-z0-9]{10}$/;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** An id that a person can read aloud and nobody can guess. */
export function newJobId(tool: JobTool): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return `${tool.replace("_", "-")}-${Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
}

export function isJobId(text: string): boolean {
  return ID.test(text);
}

export function subjectOf(record: JobRecord): string {
  return String(record.request.query ?? record.request.topic ?? "");
}

/** The same question with the same options is the same work. */
export function keyOf(tool: JobTool, request: JobRequest): string {
  const sorted = Object.entries(request)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === "string" ? value.trim().replace(/\s+/g, " ") : value]);
  return JSON.stringify([tool, sorted]);
}

/** What was read from disk, if it is a record: a damaged or foreign file is none. */
export function asJobRecord(value: unknown): JobRecord | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const record = value as Partial<JobRecord>;
  const { report, failure } = record as { report?: Partial<Report>; failure?: Partial<Failure> };
  const whole =
    (report === undefined ||
      (report?.success === true && typeof report.metadata === "object" && report.metadata !== null)) &&
    (failure === undefined || (typeof failure?.code === "string" && typeof failure.message === "string")) &&
    (record.state !== "completed" || report !== undefined) &&
    (record.state !== "failed" || failure !== undefined) &&
    typeof record.id === "string" &&
    isJobId(record.id) &&
    typeof record.tool === "string" &&
    typeof record.state === "string" &&
    typeof record.createdAt === "string" &&
    typeof record.request === "object" &&
    record.request !== null &&
    typeof record.activity === "object" &&
    record.activity !== null;
  return whole ? (record as JobRecord) : undefined;
}

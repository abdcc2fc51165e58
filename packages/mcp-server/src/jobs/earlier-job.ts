import type { checkRequest } from "@x/research";
import { KINDS } from "../isolation/kinds.js";
import type { JobRecord, JobRequest, JobTool } from "./job-record.js";
import type { Jobs } from "./jobs.js";
import { isForPlan } from "./plans.js";

/** A job that another one follows or renews, and under which id its research is kept. */
export interface EarlierJob {
  job: string;
  research: string;
}

/** The fields of a request that name one. */
const FIELDS = ["followUpOf", "refreshOf"] as const;

/** The job that a record names there; `undefined`: it names none. */
export function earlierIn(
  { request }: Pick<JobRecord, "request">,
  field: (typeof FIELDS)[number],
): EarlierJob | undefined {
  const { job, research } = { ...(request[field] as Partial<EarlierJob> | undefined) };
  return typeof job === "string" && typeof research === "string" ? { job, research } : undefined;
}

/** All that a record names. */
export function allEarlierIn(record: Pick<JobRecord, "request">): EarlierJob[] {
  return FIELDS.flatMap((field) => earlierIn(record, field) ?? []);
}

/** What is asked, as the research takes it: it knows researches, not jobs. */
export function askedOfResearch(request: JobRequest): JobRequest {
  const named = FIELDS.map((field) => [field, earlierIn({ request }, field)?.research] as const);
  const { followUpOf: _1, refreshOf: _2, ...rest } = request;
  return { ...rest, ...Object.fromEntries(named.filter(([, research]) => research !== undefined)) };
}

/** The same, for `checkRequest`. */
export function askedToCheck(tool: JobTool, request: JobRequest): Parameters<typeof checkRequest>[0] {
  const { planned } = KINDS[tool];
  return { ...askedOfResearch(request), ...(planned && { kind: planned }) } as Parameters<typeof checkRequest>[0];
}

/** Puts the ids of jobs in the place of those of researches, which nobody else knows. */
export function withJobIds(text: string, record: Pick<JobRecord, "request">): string {
  return allEarlierIn(record).reduce((changed, { job, research }) => changed.replaceAll(research, job), text);
}

/**
 * The earlier research that a new one is to follow or renew; `undefined`: there is none under this id. Rejects with
 * `INVALID_INPUT` when nothing can follow it.
 */
export async function earlierJob(
  jobs: Pick<Jobs, "look">,
  id: string,
): Promise<{ record: JobRecord; earlier: EarlierJob } | undefined> {
  const record = await jobs.look(id);
  if (record === undefined) return undefined;
  const problem = whyNotAskedOn(record);
  if (problem !== undefined) throw Object.assign(new Error(problem), { code: "INVALID_INPUT" });
  return { record, earlier: { job: record.id, research: String(record.researchId) } };
}

/** Why nothing can follow a research; `undefined`: a question can. */
export function whyNotAskedOn({ id, tool, state, request, researchId }: Omit<JobRecord, "report">): string | undefined {
  if (state === "running" || state === "interrupted")
    return `The research ${id} has not ended yet. Ask on when it has a report.`;
  if (state !== "completed")
    return `The research ${id} ${state === "failed" ? "failed" : "was cancelled"}: it has no report to ask on from.`;
  if (isForPlan(request)) return `${id} is a plan, which has no report to ask on from. Research by it first.`;
  if (!KINDS[tool].keepsEvidence || researchId === undefined)
    return `The research ${id} is of the older tool, which keeps no pages. Ask its question with deep_search first.`;
  return undefined;
}

import type { PastResearch, PlanReport, ResearchPlan } from "@x/research";
import type { JobHead, JobRecord, JobRequest, JobTool, Report } from "./job-record.js";
import type { Jobs } from "./jobs.js";

/** Researches that are looked through for what they cost, and of them those that the estimate of a plan is made from. */
const LOOKED_THROUGH = 200;
const COUNTED = 20;

/** Whether a request is for a plan alone. */
export function isForPlan({ planOnly }: JobRequest): boolean {
  return planOnly === true;
}

/** The plan that a report is; `undefined`: it is another report. */
export function planIn(report: Report | undefined): ResearchPlan | undefined {
  return report !== undefined && "plan" in report ? (report as PlanReport).plan : undefined;
}

/**
 * The request with what it takes to make a plan, if it asks for one: what earlier researches cost. Rejects with
 * `INVALID_INPUT` when there is nothing to plan.
 */
export async function withPast(jobs: Pick<Jobs, "list">, tool: JobTool, request: JobRequest): Promise<JobRequest> {
  if (!isForPlan(request)) return request;
  if (request["plan"] !== undefined)
    throw invalid("A plan is asked for, and one is given. Leave out the one, or the other.");
  if (request["web"] === false)
    throw invalid("A plan says what is searched in the web, and here the web is not used. Ask without a plan.");
  const heads = await jobs.list(LOOKED_THROUGH);
  const past = heads.flatMap((head) => pastOf(head, tool)).slice(0, COUNTED);
  return past.length > 0 ? { ...request, past } : request;
}

/** The request of an earlier question without what only its plan needed; that of a plan has the plan now. */
export function requestAgain({ request, report, id }: JobRecord): JobRequest {
  const { planOnly, past: _, ...asked } = request;
  if (planOnly !== true) return asked;
  const plan = planIn(report);
  if (plan === undefined) throw invalid(`${id} was to be a plan, and there is none. Ask its question anew.`);
  return { ...asked, plan };
}

function pastOf({ tool, state, cost }: JobHead, wanted: JobTool): PastResearch[] {
  if (tool !== wanted || state !== "completed" || cost === undefined) return [];
  const { rounds, runs, tokens, durationMs } = cost;
  const isWhole = [rounds, runs, tokens, durationMs].every((number) => Number.isFinite(number) && number >= 0);
  return isWhole && runs > 0 ? [{ rounds, runs, total_tokens: tokens, duration_ms: durationMs }] : [];
}

function invalid(message: string): Error {
  return Object.assign(new Error(message), { code: "INVALID_INPUT" });
}

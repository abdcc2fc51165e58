import { defined } from "../host/defined.js";
import type { JobRequest } from "../jobs/job-record.js";
import type { Input, Property } from "./arguments.js";
import { WAIT_SECONDS } from "./await-job.js";

/** What every question may say besides itself. */
export const QUESTION_PROPERTIES = {
  query: {
    type: "string",
    minLength: 1,
    maxLength: 50_000,
    description: "A full question with context, not keywords",
  },
  allowed_domains: { type: "array", items: { type: "string" }, description: "Only these, e.g. who.int" },
  blocked_domains: { type: "array", items: { type: "string" }, description: "None of these" },
  recency: { type: "string", enum: ["day", "week", "month", "year"], description: "Newest pages only" },
  language: { type: "string", minLength: 1, description: "Of the report" },
  model: { type: "string", minLength: 1, description: "Gemini model. Default: the configured one" },
  wait_seconds: WAIT_SECONDS,
} satisfies Record<string, Property>;

/** The arguments as the research takes them; what was not said is left out. */
export function toRequest(input: Input): JobRequest {
  const { query, model, max_iterations, allowed_domains, blocked_domains, recency, language } = input;
  const filters = defined({ allowedDomains: allowed_domains, blockedDomains: blocked_domains, recency, language });
  return defined({
    query: query as string,
    model,
    maxRounds: max_iterations,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
  });
}

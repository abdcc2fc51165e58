import { defined } from "../host/defined.js";
import type { JobRequest } from "../jobs/job-record.js";
import type { Input } from "./arguments.js";

/** The arguments as the research takes them; what was not said is left out. */
export function toRequest(input: Input): JobRequest {
  const { query, model, max_iterations, allowed_domains, blocked_domains, recency, language, require_evidence } = input;
  const filters = defined({ allowedDomains: allowed_domains, blockedDomains: blocked_domains, recency, language });
  return defined({
    query: query as string,
    model,
    maxRounds: max_iterations,
    requireEvidence: require_evidence,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
  });
}

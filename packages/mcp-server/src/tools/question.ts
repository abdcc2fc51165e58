import { defined } from "../host/defined.js";
import type { JobRequest } from "../jobs/job-record.js";
import type { Input } from "./arguments.js";
import { documentsIn } from "./own-files.js";
import type { Call } from "./tool.js";

/** The arguments as the research takes them; what was not said is left out. Rejects with `INVALID_INPUT` for files that may not be read. */
export async function toRequest(input: Input, { roots }: Pick<Call, "roots">): Promise<JobRequest> {
  const {
    query,
    model,
    max_iterations,
    allowed_domains,
    blocked_domains,
    recency,
    language,
    require_evidence,
    files,
    output_schema,
    plan_only,
    plan,
    web,
  } = input;
  const filters = defined({ allowedDomains: allowed_domains, blockedDomains: blocked_domains, recency, language });
  return defined({
    query: query as string,
    model,
    maxRounds: max_iterations,
    requireEvidence: require_evidence,
    outputSchema: output_schema,
    web: web === false ? web : undefined,
    planOnly: plan_only === true ? plan_only : undefined,
    plan,
    files: files === undefined ? undefined : await documentsIn(files as string[], (await roots?.()) ?? []),
    filters: Object.keys(filters).length > 0 ? filters : undefined,
  });
}

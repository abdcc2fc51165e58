import type { ClientLimits } from "../clients/client-limits.js";
import { failedAnswer } from "./answer.js";
import { type ToolResult, toResult } from "./result.js";

export function unknownJob(id: unknown, limits: ClientLimits): ToolResult {
  const failure = {
    code: "INVALID_INPUT",
    message: `There is no research with the job_id ${JSON.stringify(id)}.`,
    details:
      "Take the job_id from an earlier answer as it stands. Reports are kept for 7 days; ask the question again for a new one.",
  };
  return toResult(failedAnswer(failure), limits);
}

import type { ClientLimits } from "../clients/client-limits.js";
import { quoted } from "../host/quoted.js";
import type { Outgoing } from "../report/outgoing.js";
import { type Answer, failedAnswer } from "./answer.js";
import { type ToolResult, toResult } from "./result.js";

/** The same for an id that is nobody's and for one that is another's. */
export function unknownJobAnswer(id: unknown): Outgoing<Answer> {
  return failedAnswer({
    code: "INVALID_INPUT",
    message: `There is no research with the job_id ${quoted(String(id))}.`,
    details:
      "Take the job_id from an earlier answer as it stands. Reports are kept for 7 days; ask the question again for a new one.",
  });
}

export function unknownJob(id: unknown, limits: ClientLimits): ToolResult {
  return toResult(unknownJobAnswer(id), limits);
}

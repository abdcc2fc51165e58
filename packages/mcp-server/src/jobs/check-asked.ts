import { checkFields } from "@x/research";
import { askedToCheck } from "./earlier-job.js";
import type { JobRequest, JobTool } from "./job-record.js";

/** Rejects with `INVALID_INPUT` when a research would refuse this. What checks a schema is loaded for a request that has one. */
export async function checkAsked(tool: JobTool, request: JobRequest): Promise<void> {
  const asked = askedToCheck(tool, request);
  checkFields(asked);
  if (asked.outputSchema === undefined) return;
  const { checkRequest } = await import("@x/research");
  checkRequest(asked);
}

import { outgoing } from "../report/outgoing.js";
import { researchCancelDefinition } from "./definitions/index.js";
import { unknownJob } from "./job-id.js";
import { toResult } from "./result.js";
import type { Tool } from "./tool.js";

export const researchCancel: Tool = {
  definition: researchCancelDefinition,
  asksNothing: true,
  async call(input, { jobs, limits }) {
    const { job_id } = input as { job_id: string };
    const record = await jobs.cancel(job_id);
    if (record === undefined) return unknownJob(job_id, limits);
    const sentence: Record<typeof record.state, string> = {
      cancelled: "The research is cancelled.",
      completed: "The research had ended already; its report stays.",
      failed: "The research had failed already.",
      running: "The research is still running.",
      interrupted: "The research is not running.",
    };
    const { id, state } = record;
    const answer = { success: true, status: state, job_id: id, result: sentence[state], metadata: {} };
    return toResult(outgoing(answer), limits);
  },
};

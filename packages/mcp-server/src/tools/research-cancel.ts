import { JOB_ID, unknownJob } from "./job-id.js";
import { toResult } from "./result.js";
import type { Tool, ToolDefinition } from "./tool.js";

export const researchCancelDefinition: ToolDefinition = {
  name: "research_cancel",
  title: "Cancel a research",
  description: "Stops a running research and its Gemini CLI.",
  inputSchema: { type: "object", properties: { job_id: JOB_ID }, required: ["job_id"] },
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

export const researchCancel: Tool = {
  definition: researchCancelDefinition,
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
    return toResult({ success: true, status: state, job_id: id, result: sentence[state], metadata: {} }, limits);
  },
};

import { JOB_ID, unknownJob } from "./research-result.js";
import type { Tool } from "./tool.js";
import { toResult } from "./tool.js";

export const researchCancel: Tool = {
  definition: {
    name: "research_cancel",
    title: "Cancel a research",
    description: "Stops a running research and its Gemini CLI.",
    inputSchema: { type: "object", properties: { job_id: JOB_ID }, required: ["job_id"] },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  async call(input, { jobs }) {
    const { job_id } = input as { job_id: string };
    const record = await jobs.cancel(job_id);
    if (record === undefined) return unknownJob(job_id);
    const sentence: Record<typeof record.state, string> = {
      cancelled: "The research is cancelled.",
      completed: "The research had ended already; its report stays.",
      failed: "The research had failed already.",
      running: "Another server works on this research; cancel it there.",
      interrupted: "The research is not running.",
    };
    return toResult({
      success: true,
      status: record.state,
      job_id: record.id,
      result: sentence[record.state],
      metadata: {},
    });
  },
};

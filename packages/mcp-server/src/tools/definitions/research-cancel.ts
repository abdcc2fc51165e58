import { JOB_ID } from "./properties.js";
import type { ToolDefinition } from "./tool-definition.js";

export const researchCancelDefinition: ToolDefinition = {
  name: "research_cancel",
  title: "Cancel a research",
  description: "Stops a running research.",
  inputSchema: { type: "object", properties: { job_id: JOB_ID }, required: ["job_id"] },
  annotations: { idempotentHint: true, openWorldHint: false },
};

import { JOB_ID, WAIT_SECONDS } from "./properties.js";
import { LATER_OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type ToolDefinition, WHOLE_RESULT } from "./tool-definition.js";

export const researchResultDefinition: ToolDefinition = {
  name: "research_result",
  title: "Research result",
  description:
    "Gets the report of a research that answered running, or a page of a long one. Waits; call again while status is running.",
  inputSchema: {
    type: "object",
    properties: {
      job_id: JOB_ID,
      wait_seconds: WAIT_SECONDS,
      page: { type: "integer", minimum: 1, description: "If metadata.pages is above 1" },
      detail: { type: "string", enum: ["compact", "full"], description: "full for every round, source, cost" },
    },
    required: ["job_id"],
  },
  outputSchema: LATER_OUTPUT_SCHEMA,
  annotations: RESEARCH_ANNOTATIONS,
  _meta: { ...WHOLE_RESULT, "anthropic/alwaysLoad": true },
};

import { QUESTION_PROPERTIES } from "./properties.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type ToolDefinition, WHOLE_RESULT } from "./tool-definition.js";

export const searchDefinition: ToolDefinition = {
  name: "search",
  title: "Web search",
  description:
    "Web search with sources: latest news, facts, prices, versions, anything newer than your training. One round of Google Search that reads 3-5 pages, about 30 s. If status is running, call research_result until completed. To compare or fact-check use deep_search.",
  inputSchema: { type: "object", properties: QUESTION_PROPERTIES, required: ["query"] },
  outputSchema: OUTPUT_SCHEMA,
  annotations: RESEARCH_ANNOTATIONS,
  _meta: { ...WHOLE_RESULT, "anthropic/alwaysLoad": true },
};

import { askedFor } from "./asked.js";
import { QUESTION_PROPERTIES, toRequest } from "./question.js";
import { toResult } from "./result.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, type ToolDefinition, WHOLE_RESULT } from "./tool.js";

export const searchDefinition: ToolDefinition = {
  name: "search",
  title: "Web search",
  description:
    "Web search with sources: latest news, facts, prices, versions, anything newer than your training. One round of Google Search that reads 3-5 pages, about 30 s. If status is running, call research_result with the job_id until it is completed. To compare or fact-check use deep_search.",
  inputSchema: { type: "object", properties: QUESTION_PROPERTIES, required: ["query"] },
  outputSchema: OUTPUT_SCHEMA,
  annotations: RESEARCH_ANNOTATIONS,
  _meta: {
    ...WHOLE_RESULT,
    "anthropic/alwaysLoad": true,
    "anthropic/searchHint": "web search internet google latest news current facts online",
  },
};

export const search: Tool = {
  definition: searchDefinition,
  async call(input, call) {
    return toResult(await askedFor("search", toRequest(input), { input, call }), call.limits);
  },
};

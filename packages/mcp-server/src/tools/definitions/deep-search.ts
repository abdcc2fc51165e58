import { QUESTION_PROPERTIES } from "./properties.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type ToolDefinition, WHOLE_RESULT } from "./tool-definition.js";

export const deepSearchDefinition: ToolDefinition = {
  name: "deep_search",
  title: "Deep web search",
  description:
    "Deep web research: compare, fact-check, report on disputed or important questions. Rounds that check each other, 2-15 minutes. If status is running, call research_result until completed. After a time-out ask the same: it goes on.",
  inputSchema: {
    type: "object",
    properties: {
      ...QUESTION_PROPERTIES,
      require_evidence: {
        type: "number",
        minimum: 0,
        maximum: 100,
        description: "If proof matters: % of claims proven",
      },
      max_iterations: { type: "integer", description: "For more or fewer rounds than 5: 2 to 20" },
    },
    required: ["query"],
  },
  outputSchema: OUTPUT_SCHEMA,
  annotations: RESEARCH_ANNOTATIONS,
  _meta: {
    ...WHOLE_RESULT,
    "anthropic/searchHint": "deep research report fact check verify compare investigate web",
  },
};

import { MIN_ROUNDS } from "../host/config.js";
import type { Answer } from "./answer.js";
import { askedFor } from "./asked.js";
import { QUESTION_PROPERTIES, toRequest } from "./question.js";
import { toResult } from "./result.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, type ToolDefinition, WHOLE_RESULT } from "./tool.js";

export const deepSearchDefinition: ToolDefinition = {
  name: "deep_search",
  title: "Deep web search",
  description:
    "Deep web research: compare, fact-check, investigate, write a report on disputed or important questions. Rounds of searches that check each other, 2-15 minutes. If status is running, call research_result with the job_id until it is completed. After a time-out ask the same again: it goes on.",
  inputSchema: {
    type: "object",
    properties: {
      ...QUESTION_PROPERTIES,
      max_iterations: { type: "integer", description: "Most rounds, 2 to 20. Default 5" },
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

export const deepSearch: Tool = {
  definition: deepSearchDefinition,
  async call(input, call) {
    const { max_iterations: asked } = input;
    if (typeof asked === "number" && asked > call.maxRounds) throw tooMany(call.maxRounds);
    const tooFew = typeof asked === "number" && asked < MIN_ROUNDS;
    const request = toRequest(tooFew ? { ...input, max_iterations: MIN_ROUNDS } : input);
    const answer = await askedFor("deep_search", request, { input, call });
    return toResult(tooFew ? warned(answer, `max_iterations ${asked} counts as ${MIN_ROUNDS}.`) : answer, call.limits);
  },
};

function tooMany(maxRounds: number): Error {
  const message = `max_iterations must be at most ${maxRounds}; DEEP_SEARCH_MAX_ITERATIONS of the server may raise it.`;
  return Object.assign(new Error(message), { code: "INVALID_INPUT" });
}

/** The answer with one more of the warnings that a report may have. */
function warned(answer: Answer, warning: string): Answer {
  if (!answer.success) return answer;
  const { warnings = [], ...metadata } = answer["metadata"] as { warnings?: string[] };
  return { ...answer, metadata: { ...metadata, warnings: [...warnings, warning] } };
}

import { MIN_ROUNDS } from "../host/config.js";
import type { Answer } from "./answer.js";
import { answerOf, awaitJob } from "./await-job.js";
import { QUESTION_PROPERTIES, toRequest } from "./question.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, toResult, WHOLE_RESULT } from "./tool.js";

export const deepSearch: Tool = {
  definition: {
    name: "deep_search",
    title: "Deep web search",
    description:
      "Research in rounds: searches from five perspectives, then rounds checking the report until the model calls it verified. For comparisons, disputed or important questions. 2-15 minutes; answers `running` with a job_id when this client would not wait. Gives a Markdown report, `verified`, sources (read, found, unseen), rounds.",
    inputSchema: {
      type: "object",
      properties: {
        ...QUESTION_PROPERTIES,
        max_iterations: { type: "integer", description: "Most rounds; below 2 counts as 2. Default 5" },
      },
      required: ["query"],
    },
    outputSchema: OUTPUT_SCHEMA,
    annotations: RESEARCH_ANNOTATIONS,
    _meta: WHOLE_RESULT,
  },
  async call(input, call) {
    const { max_iterations: asked } = input;
    const tooFew = typeof asked === "number" && asked < MIN_ROUNDS;
    const job = await call.jobs.start(
      "deep_search",
      toRequest(tooFew ? { ...input, max_iterations: MIN_ROUNDS } : input),
    );
    const answer = answerOf(await awaitJob(job, input, call), call.limits);
    return toResult(tooFew ? warned(answer, `max_iterations ${asked} counts as ${MIN_ROUNDS}.`) : answer);
  },
};

/** The answer with one more of the warnings that a report may have. */
function warned(answer: Answer, warning: string): Answer {
  if (!answer.success) return answer;
  const { warnings = [], ...metadata } = answer["metadata"] as { warnings?: string[] };
  return { ...answer, metadata: { ...metadata, warnings: [...warnings, warning] } };
}

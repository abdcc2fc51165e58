import { answerOf, awaitJob } from "./await-job.js";
import { QUESTION_PROPERTIES, toRequest } from "./question.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, toResult, WHOLE_RESULT } from "./tool.js";

export const deepSearch: Tool = {
  definition: {
    name: "deep_search",
    title: "Deep web search",
    description:
      "Research in rounds: searches from five perspectives, then rounds that check the report until it is verified. For comparisons, disputed or important questions. 2-15 minutes; answers `running` with a job_id when this client would not wait. Gives a Markdown report, `verified`, sources, rounds, computed evidence.",
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
    const job = await call.jobs.start("deep_search", toRequest(input));
    return toResult(answerOf(await awaitJob(job, input, call), call.limits));
  },
};

import { answerOf, awaitJob } from "./await-job.js";
import { QUESTION_PROPERTIES, toRequest } from "./question.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, toResult } from "./tool.js";

export const deepSearch: Tool = {
  definition: {
    name: "deep_search",
    title: "Deep web search",
    description:
      "Research in rounds: searches from five perspectives, then rounds that look for errors until the report is verified or the rounds are used up. For comparisons, disputed or important questions. Takes 2-15 minutes and several model runs; answers `running` with a job_id when this client would not wait. Gives a Markdown report, `verified`, sources, rounds and computed evidence. For a quick fact use search.",
    inputSchema: {
      type: "object",
      properties: {
        ...QUESTION_PROPERTIES,
        max_iterations: {
          type: "integer",
          minimum: 1,
          maximum: 20,
          description: "Most rounds, 2-20. Default 5 unless configured.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    outputSchema: OUTPUT_SCHEMA,
    annotations: RESEARCH_ANNOTATIONS,
  },
  async call(input, call) {
    const job = await call.jobs.start("deep_search", toRequest(input));
    return toResult(answerOf(await awaitJob(job, input, call), call.limits));
  },
};

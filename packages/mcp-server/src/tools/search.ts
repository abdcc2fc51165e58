import { answerOf, awaitJob } from "./await-job.js";
import { QUESTION_PROPERTIES, toRequest } from "./question.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, toResult, WHOLE_RESULT } from "./tool.js";

export const search: Tool = {
  definition: {
    name: "search",
    title: "Web search",
    description:
      "One round of Google Search through the Gemini CLI that reads 3-5 pages. For facts, news, versions, anything newer than your training. About 30 s. Gives a Markdown answer with citations and sources. For comparisons, disputed or important questions use deep_search.",
    inputSchema: {
      type: "object",
      properties: QUESTION_PROPERTIES,
      required: ["query"],
    },
    outputSchema: OUTPUT_SCHEMA,
    annotations: RESEARCH_ANNOTATIONS,
    _meta: WHOLE_RESULT,
  },
  async call(input, call) {
    const job = await call.jobs.start("search", toRequest(input));
    return toResult(answerOf(await awaitJob(job, input, call), call.limits));
  },
};

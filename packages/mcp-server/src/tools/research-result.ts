import { answerOf, awaitJob, WAIT_SECONDS } from "./await-job.js";
import { JOB_ID, unknownJob } from "./job-id.js";
import { toResult } from "./result.js";
import { OUTPUT_SCHEMA, RESEARCH_ANNOTATIONS, type Tool, type ToolDefinition, WHOLE_RESULT } from "./tool.js";

export const researchResultDefinition: ToolDefinition = {
  name: "research_result",
  title: "Research result",
  description:
    "Gets the report of a research that answered running, or a page of a long report. Waits for the end; call it again while status is running.",
  inputSchema: {
    type: "object",
    properties: {
      job_id: JOB_ID,
      wait_seconds: WAIT_SECONDS,
      page: { type: "integer", minimum: 1, description: "Page of a long report, from 1" },
      detail: { type: "string", enum: ["compact", "full"], description: "full: every round, source, cost" },
    },
    required: ["job_id"],
  },
  outputSchema: OUTPUT_SCHEMA,
  annotations: RESEARCH_ANNOTATIONS,
  _meta: {
    ...WHOLE_RESULT,
    "anthropic/alwaysLoad": true,
    "anthropic/searchHint": "result of a running research, next page of a report",
  },
};

export const researchResult: Tool = {
  definition: researchResultDefinition,
  async call(input, call) {
    const { limits } = call;
    const { job_id, page, detail } = input as { job_id: string; page?: number; detail?: "compact" | "full" };
    const job = await call.jobs.find(job_id);
    if (job === undefined) return unknownJob(job_id, limits);
    return toResult(await answerOf(await awaitJob(job, input, call), { page, detail }, call), limits);
  },
};

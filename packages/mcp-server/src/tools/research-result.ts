import { failedAnswer } from "./answer.js";
import { answerOf, awaitJob, WAIT_SECONDS } from "./await-job.js";
import { OUTPUT_SCHEMA, type Tool, toResult, WHOLE_RESULT } from "./tool.js";

export const JOB_ID = {
  type: "string",
  minLength: 1,
  maxLength: 100,
} as const;

export function unknownJob(id: unknown) {
  return toResult(
    failedAnswer({
      code: "INVALID_INPUT",
      message: `There is no research with the job_id ${JSON.stringify(id)}.`,
      details:
        "Take the job_id from an earlier answer as it stands. Reports are kept for 7 days; ask the question again for a new one.",
    }),
  );
}

export const researchResult: Tool = {
  definition: {
    name: "research_result",
    title: "Result of a running research",
    description:
      "Waits for a research that answered `running` and gives its report; call it again while it says `running`. Gives further pages of a long report. A research that a restart broke off goes on.",
    inputSchema: {
      type: "object",
      properties: {
        job_id: JOB_ID,
        wait_seconds: WAIT_SECONDS,
        page: { type: "integer", minimum: 1 },
      },
      required: ["job_id"],
    },
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    _meta: WHOLE_RESULT,
  },
  async call(input, call) {
    const { job_id, page } = input as { job_id: string; page?: number };
    const job = await call.jobs.find(job_id);
    if (job === undefined) return unknownJob(job_id);
    const record = await awaitJob(job, input, call);
    try {
      return toResult(answerOf(record, call.limits, page));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return toResult(failedAnswer({ code: "INVALID_INPUT", message: error.message }));
    }
  },
};

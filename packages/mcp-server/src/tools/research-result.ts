import { answerOf, awaitJob } from "./await-job.js";
import { researchResultDefinition } from "./definitions/index.js";
import { unknownJob } from "./job-id.js";
import { toResult } from "./result.js";
import type { Tool } from "./tool.js";

export const researchResult: Tool = {
  definition: researchResultDefinition,
  asksNothing: true,
  async call(input, call) {
    const { limits } = call;
    const { job_id, page, detail } = input as { job_id: string; page?: number; detail?: "compact" | "full" };
    const job = await call.jobs.find(job_id);
    if (job === undefined) return unknownJob(job_id, limits);
    return toResult(await answerOf(await awaitJob(job, input, call), { page, detail }, call), limits);
  },
};

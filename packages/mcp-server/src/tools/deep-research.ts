import { earlierInWords } from "../jobs/earlier.js";
import type { Failure } from "../jobs/failure.js";
import { type Outgoing, outgoing } from "../report/outgoing.js";
import { type Answer, failedAnswer, runningAnswer } from "./answer.js";
import { awaitJob } from "./await-job.js";
import { deepResearchDefinition } from "./definitions/index.js";
import { textResult } from "./result.js";
import { doTask } from "./tasks.js";
import type { Tool } from "./tool.js";

/** The older tool: its input and its answer stay as they were, one text. */
export const deepResearch: Tool = {
  definition: deepResearchDefinition,
  async call(input, call) {
    const { topic, depth = "detailed" } = input as { topic: string; depth?: string };
    const { job, earlier } = await call.jobs.start("deep_research", { topic, depth });
    const record = await awaitJob(job, input, call);
    if (record.report !== undefined) {
      return textResult(await doTask("older-answer", { record, options: { limits: call.limits } }, call.offload));
    }
    if (record.failure !== undefined) return textResult(failed(record.failure));
    const continued = earlier && earlierInWords(earlier);
    return textResult(runningAnswer(record, { limits: call.limits, now: Date.now(), continued }));
  },
  failed: (failure) => textResult(failed(failure, "UNEXPECTED_ERROR")),
};

const OWN_CODES: ReadonlySet<string> = new Set([
  "CLI_NOT_FOUND",
  "RESEARCH_FAILED",
  "EXECUTION_ERROR",
  "UNEXPECTED_ERROR",
  "INVALID_INPUT",
]);

/** A failure with this tool's few keys and one of its few codes; any other code becomes `otherwise`. */
function failed(failure: Failure, otherwise = "EXECUTION_ERROR"): Outgoing<Answer> {
  const { reason: _, ...error } = (failedAnswer(failure) as unknown as { error: Failure }).error;
  const code = OWN_CODES.has(failure.code) ? failure.code : otherwise;
  return outgoing({ success: false, error: { ...error, code } });
}

import { earlierInWords } from "../jobs/earlier.js";
import type { Failure } from "../jobs/failure.js";
import { type Answer, failedAnswer, runningAnswer } from "./answer.js";
import { awaitJob, WAIT_SECONDS } from "./await-job.js";
import { textResult } from "./result.js";
import { doTask } from "./tasks.js";
import { RESEARCH_ANNOTATIONS, type Tool, type ToolDefinition } from "./tool.js";

export const deepResearchDefinition: ToolDefinition = {
  name: "deep_research",
  title: "Deep research (older form)",
  description:
    "Older form; prefer deep_search. One run that nothing checks, 1-5 minutes. Gives one JSON text: success, report, metadata.",
  inputSchema: {
    type: "object",
    properties: {
      topic: { type: "string", minLength: 1, maxLength: 50_000, description: "What to research, in full sentences" },
      depth: { type: "string", enum: ["concise", "detailed"], description: "Default detailed" },
      wait_seconds: WAIT_SECONDS,
    },
    required: ["topic"],
  },
  annotations: RESEARCH_ANNOTATIONS,
};

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

/** It has fewer codes than the others. */
function failed(failure: Failure, otherwise = "EXECUTION_ERROR"): Answer {
  const { error } = failedAnswer(failure) as unknown as { error: Failure };
  return { success: false, error: { ...error, code: OWN_CODES.has(failure.code) ? failure.code : otherwise } };
}

import { deepResearchAnswer, runningAnswer } from "./answer.js";
import { awaitJob, WAIT_SECONDS } from "./await-job.js";
import { RESEARCH_ANNOTATIONS, type Tool, textResult } from "./tool.js";

/** The older tool: its input and its answer stay as they were, one text. */
export const deepResearch: Tool = {
  definition: {
    name: "deep_research",
    title: "Deep research (older form)",
    description:
      "The older research in one run, which nothing checks; prefer deep_search. 1-5 minutes. Gives one JSON text: success, report (Markdown), metadata.",
    inputSchema: {
      type: "object",
      properties: {
        topic: { type: "string", minLength: 1, maxLength: 50_000 },
        depth: { type: "string", enum: ["concise", "detailed"], description: "Default detailed" },
        wait_seconds: WAIT_SECONDS,
      },
      required: ["topic"],
    },
    annotations: RESEARCH_ANNOTATIONS,
  },
  async call(input, call) {
    const { topic, depth = "detailed" } = input as { topic: string; depth?: string };
    const job = await call.jobs.start("deep_research", { topic, depth });
    const record = await awaitJob(job, input, call);
    return textResult(
      record.report === undefined && record.failure === undefined
        ? runningAnswer(record, call.limits, Date.now())
        : deepResearchAnswer(record, call.limits),
    );
  },
};

import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { type Failure, nextStepOf } from "../../jobs/failure.js";
import type { JobRecord, JobRequest } from "../../jobs/job-record.js";
import { durationOf } from "../../text/duration.js";
import { toReport } from "./which.js";

/**
 * How a research failed, with advice in the words of the command line: what was set by an option is changed there, and what
 * was stopped goes on. The message and everything else of it stay.
 */
export function withAdvice(failure: Failure, record: Pick<JobRecord, "id" | "state" | "request">, io: Io): Failure {
  if (failure.code === "CANCELLED") return { ...failure, details: toReport(record, io.command) ?? "" };
  const advice = adviceFor(failure, record.request);
  if (advice === undefined) return failure;
  const general = nextStepOf(failure.code, loadConfig(io).config.origins);
  const said = (failure.details ?? "").split("\n").filter((line) => line !== "" && line !== general);
  return { ...failure, details: [...said, advice].join("\n") };
}

function adviceFor({ code, message }: Failure, request: JobRequest): string | undefined {
  const { model, fallbackModels, budget } = request as {
    model?: string;
    fallbackModels?: string[];
    budget?: { maxRuns?: number; maxDurationMs?: number; maxTokens?: number };
  };
  const unknown = fallbackModels?.find((name) => message.includes(name));
  if (code === "MODEL_NOT_FOUND" && unknown !== undefined && unknown !== model)
    return `Give --fallback-model a model that your account can use, or leave ${unknown} out.`;
  if (code === "MODEL_NOT_FOUND" && model !== undefined)
    return "Give --model a model that your account can use, or leave it out: the CLI then chooses.";
  if (code === "QUOTA_EXCEEDED" && model !== undefined)
    return "Wait until the quota is renewed, or give --model a model that still has some, or leave it out: the CLI then chooses.";
  if (budget === undefined || !message.includes("within the budget")) return undefined;
  if (message.includes("time"))
    return `Ask again with more than --max-time ${durationOf(budget.maxDurationMs ?? 0).replaceAll(" ", "")}, or without it.`;
  if (message.includes("tokens")) return `Ask again with more than --max-tokens ${budget.maxTokens}, or without it.`;
  return `Ask again with more than --max-runs ${budget.maxRuns}, or without it.`;
}

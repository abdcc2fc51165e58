import { join } from "node:path";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import type { Config } from "../../host/config.js";
import type { Io } from "../../host/io.js";
import { durationOf } from "../../text/duration.js";
import { type Check, failedCheck } from "./check.js";

/** A person waits for it. */
export const LIVE_LIMIT_MS = 60_000;
const NAME = "Live answer";

/** Whether the model answers, in at most `limitMs`. */
export async function liveCheck(
  config: Config,
  { env, signal }: Pick<Io, "env" | "signal">,
  limitMs: number,
): Promise<Check> {
  const timeoutMs = Math.min(config.timeoutMs, limitMs);
  const runner = createGeminiRunner({
    command: config.cliPath,
    cwd: join(config.configDir, "runs"),
    env,
    timeoutMs,
    ...(config.model === undefined ? {} : { model: config.model }),
  });
  let heard: string | undefined;
  try {
    const run = runner.run({ prompt: "Answer with the one word: ready", tools: [], signal });
    const result = await resultOf(run, (event) => {
      if (event.type === "warning") heard = event.message;
    });
    const summary = `${result.model ?? "the model"} answered in ${durationOf(result.durationMs)}`;
    return { name: NAME, status: "ok", summary };
  } catch (error) {
    const failed = failedCheck(NAME, error, config);
    const { reason } = error as { reason?: unknown };
    return reason === "timeout" ? tooLate(config, timeoutMs, heard) : failed;
  } finally {
    await runner.close();
  }
}

/** A limit of the doctor's own is no setting that could be raised, and there is no question to narrow. */
function tooLate({ timeoutMs, origins }: Config, limitMs: number, heard?: string): Check {
  const isOurs = timeoutMs > limitMs;
  const setting = origins.get("GEMINI_SEARCH_TIMEOUT")?.name ?? "GEMINI_SEARCH_TIMEOUT";
  const fix = isOurs
    ? `The machine, the connection or the model is slow at this moment. A research waits up to ${durationOf(timeoutMs)} for a run: try one, or this again in a minute.`
    : `That is all that ${setting} allows: raise it (milliseconds).`;
  const last = heard === undefined ? [] : [`Heard last: ${heard}`];
  return {
    name: NAME,
    status: isOurs ? "unknown" : "failed",
    summary: `no answer within ${durationOf(limitMs)}`,
    fix: [...last, fix].join("\n"),
    code: "EXECUTION_ERROR",
  };
}

import type { RunRequest, RunResult } from "../events.js";
import type { GeminiRunnerOptions } from "../options.js";
import { resultOf } from "../result-of.js";
import { createGeminiRunner } from "./runner.js";
import { divide } from "./validate.js";

/** A request and the options of the runner that serves it. */
export type RunOptions = RunRequest & GeminiRunnerOptions;

/**
 * Runs one prompt and resolves with the result. Rejects with `RunnerError`.
 *
 * @example
 * const { text, sources } = await run({ prompt: "Why are there tides? Search the web." });
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const { ofRunner, request } = divide(options);
  const runner = createGeminiRunner(ofRunner);
  try {
    return await resultOf(runner.run(request));
  } finally {
    await runner.close();
  }
}

import type { RunRequest, RunResult } from "../events.js";
import type { GeminiRunnerOptions } from "../options.js";
import { resultOf } from "../result-of.js";
import { createGeminiRunner } from "./runner.js";
import { checkObject } from "./validate.js";

/** A request and the options of the runner that serves it. */
export type RunOptions = RunRequest & GeminiRunnerOptions;

/**
 * Runs one prompt and resolves with the result. Rejects with `RunnerError`.
 *
 * @example
 * const { text, sources } = await run({ prompt: "Why are there tides? Search the web." });
 */
export async function run(options: RunOptions): Promise<RunResult> {
  checkObject("The request", options);
  const runner = createGeminiRunner(options);
  try {
    return await resultOf(runner.run(options));
  } finally {
    await runner.close();
  }
}

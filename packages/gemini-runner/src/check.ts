import { FIRST_CHUNK, MAX_STDIN_BYTES, toStdin } from "./command-line.js";
import { RunnerError } from "./errors.js";
import type { RunRequest } from "./events.js";
import type { GeminiRunnerOptions } from "./options.js";

/** The least that each number may be. `Infinity` is no limit. */
const LEAST = {
  timeoutMs: 0,
  idleTimeoutMs: 0,
  toolTimeoutMs: 0,
  killAfterMs: 0,
  maxConcurrent: 1,
  retries: 0,
} satisfies { [name in keyof GeminiRunnerOptions]: number };

/** Throws `EXECUTION_ERROR` (`input`) for an option that is no number, or too small: NaN as a limit would be none. */
export function checkOptions(options: GeminiRunnerOptions): void {
  for (const [name, least] of Object.entries(LEAST)) {
    const value: unknown = options[name as keyof typeof LEAST];
    if (value === undefined || (typeof value === "number" && value >= least)) continue;
    throw refusal(`${name} is expected to be a number of at least ${least}, not ${String(value)}`);
  }
}

/** Throws `EXECUTION_ERROR` (`input`, `too-long`) for what the CLI could not be given. */
export function checkRequest({ prompt }: RunRequest, model: string | undefined): void {
  if (model?.startsWith("-")) throw refusal(`A model is expected by its name, not ${JSON.stringify(model)}`);
  if (typeof prompt !== "string") throw refusal(`The prompt is expected to be text, not ${typeof prompt}`);
  if (prompt.trim() === "") throw refusal("The prompt is empty");
  if (Buffer.byteLength(FIRST_CHUNK + toStdin(prompt)) > MAX_STDIN_BYTES) {
    throw new RunnerError("EXECUTION_ERROR", "The prompt is longer than 8 MiB, the most that the CLI reads", {
      reason: "too-long",
    });
  }
}

function refusal(message: string): RunnerError {
  return new RunnerError("EXECUTION_ERROR", message, { reason: "input" });
}

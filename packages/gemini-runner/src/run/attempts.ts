import { RunnerError } from "../errors/runner-error.js";
import type { RunEvent } from "../events.js";

export interface AttemptsOptions {
  /** How often a run that failed for the moment is tried again. */
  retries: number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  signal: AbortSignal;
  /** How much of the run's time is left. */
  leftMs(): number;
}

/** A longer wait than this is left to the caller. */
const MAX_RETRY_WAIT_MS = 10_000;
const RETRY_WAIT_MS = 1_000;

/** Makes an attempt, and again after one that failed for the moment, with a warning between them. */
export async function* withRetries<T>(
  attempt: () => AsyncGenerator<RunEvent, T, void>,
  { retries, sleep, signal, leftMs }: AttemptsOptions,
): AsyncGenerator<RunEvent, T, void> {
  for (let failed = 0; ; failed++) {
    try {
      return yield* attempt();
    } catch (error) {
      if (!(error instanceof RunnerError) || !error.retryable || error.repeated || failed >= retries) throw error;
      const waitMs = error.retryAfterMs ?? RETRY_WAIT_MS * 2 ** failed;
      if (waitMs > Math.min(MAX_RETRY_WAIT_MS, leftMs())) throw error;
      yield { type: "warning", message: `${error.message}. It is tried again in ${waitMs} ms.` };
      await sleep(waitMs, signal);
    }
  }
}

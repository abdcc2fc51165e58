import os from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { GeminiRunnerOptions } from "../options.js";

/** The options of a runner with their defaults. */
export type ResolvedOptions = Omit<Required<GeminiRunnerOptions>, "model"> & Pick<GeminiRunnerOptions, "model">;

/** The one place of the defaults; `options.ts` says them to the user. */
export function resolveOptions(options: GeminiRunnerOptions): ResolvedOptions {
  const { onWarning } = options;
  const defaults = {
    command: "gemini",
    cwd: os.tmpdir(),
    env: process.env,
    timeoutMs: 300_000,
    idleTimeoutMs: Number.POSITIVE_INFINITY,
    toolTimeoutMs: 90_000,
    killAfterMs: 1_000,
    maxConcurrent: 2 * os.availableParallelism(),
    maxTurns: 100,
    maxToolCalls: 200,
    maxOutputBytes: 64 * 1024 * 1024,
    retries: 1,
    mcpServers: {},
    sleep: (ms: number, signal?: AbortSignal) => delay(ms, undefined, signal ? { signal } : {}),
    now: () => performance.now(),
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    ...defaults,
    ...given,
    onWarning(message) {
      try {
        onWarning?.(message);
      } catch {
        // Whoever listens is not to end what it is told of.
      }
    },
  };
}

import os from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { GeminiRunnerOptions, PoolOptions } from "../options.js";

/** The options of a runner with their defaults. */
export interface ResolvedOptions extends Omit<Required<GeminiRunnerOptions>, "model" | "pool"> {
  model?: string;
  /** `undefined`: each run has a process of its own. */
  pool: Required<PoolOptions> | undefined;
  /** Runs at once that have a process of their own. */
  maxProcesses: number;
}

/** The one place of the defaults; `options.ts` says them to the user. */
export function resolveOptions(options: GeminiRunnerOptions): ResolvedOptions {
  const { onWarning } = options;
  const pool = resolvePool(options.pool);
  const perCore = 2 * os.availableParallelism();
  const served = pool === undefined ? Number.POSITIVE_INFINITY : pool.processes * pool.sessions;
  const defaults = {
    command: "gemini",
    cwd: os.tmpdir(),
    env: process.env,
    timeoutMs: 300_000,
    idleTimeoutMs: Number.POSITIVE_INFINITY,
    toolTimeoutMs: 90_000,
    killAfterMs: 1_000,
    maxConcurrent: pool === undefined ? perCore : served,
    maxTurns: 100,
    maxToolCalls: 200,
    maxToolOutput: 190_000,
    maxOutputBytes: 64 * 1024 * 1024,
    retries: 1,
    mcpServers: {},
    sleep: (ms: number, signal?: AbortSignal) => delay(ms, undefined, signal ? { signal } : {}),
    now: () => performance.now(),
  };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const all = { ...defaults, ...given };
  const maxConcurrent = Math.min(all.maxConcurrent, served);
  return {
    ...all,
    pool,
    maxConcurrent,
    maxProcesses: pool === undefined ? maxConcurrent : Math.min(perCore, maxConcurrent),
    onWarning(message) {
      try {
        onWarning?.(message);
      } catch {
        // Whoever listens is not to end what it is told of.
      }
    },
  };
}

function resolvePool(given: GeminiRunnerOptions["pool"]): Required<PoolOptions> | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : given;
  return {
    processes: options.processes ?? 1,
    sessions: options.sessions ?? 16,
    maxRuns: options.maxRuns ?? 200,
    maxMemoryBytes: options.maxMemoryBytes ?? 512 * 1024 * 1024,
    hangMs: options.hangMs ?? 15_000,
    idleMs: options.idleMs ?? 300_000,
  };
}

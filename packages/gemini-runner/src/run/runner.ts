import os from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { unknownTools } from "../cli/tools.js";
import { RunnerError } from "../errors/runner-error.js";
import type { AgentRun, GeminiRunner, RunEvent, RunRequest } from "../events.js";
import type { GeminiRunnerOptions } from "../options.js";
import type { CliProcess } from "../process/cli-process.js";
import { inTime } from "../process/in-time.js";
import { removeAbandoned } from "../process/workspace.js";
import { type StartRequest, startCli, TOOL_TIMEOUT_MS, toStartRequest } from "./launch.js";
import { type Answer, readAnswer, repeated, tookTooLong, unbegun } from "./read-answer.js";
import { Queue } from "./semaphore.js";
import { checkOptions, checkRequest, checkStart } from "./validate.js";
import { WarmPool } from "./warm-pool.js";

/** A longer wait than this is left to the caller. */
const MAX_RETRY_WAIT_MS = 10_000;
const RETRY_WAIT_MS = 1_000;

interface Times {
  queuedMs: number;
  /** How much of the run's time is left. */
  leftMs(): number;
}

/**
 * A runner of the user's own Gemini CLI. Nothing is started, read or written before the first run. Throws `RunnerError`
 * (`input`) for an option that cannot be used.
 */
export function createGeminiRunner(options: GeminiRunnerOptions = {}): GeminiRunner {
  checkOptions(options);
  const {
    timeoutMs = 300_000,
    toolTimeoutMs = TOOL_TIMEOUT_MS,
    maxConcurrent = 2 * os.availableParallelism(),
    retries = 1,
    sleep = (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
    now = () => performance.now(),
    onWarning = () => {},
  } = options;
  const queue = new Queue(maxConcurrent);
  const warm = new WarmPool(maxConcurrent, end);
  const stops = new Set<AbortController>();
  /** The processes of runs, from before their start to after their end. */
  const processes = new Set<Promise<CliProcess>>();
  let closed = false;
  let swept: Promise<void> | undefined;

  async function* run(request: RunRequest): AgentRun {
    checkRequest(request, options);
    const stop = new AbortController();
    const { signal } = stop;
    const onAbort = () => stop.abort();
    stops.add(stop);
    request.signal?.addEventListener("abort", onAbort, { once: true });
    if (closed || request.signal?.aborted) stop.abort();
    const queuedAt = now();
    let leave = () => {};
    try {
      leave = await queue.enter(signal);
      const startedAt = now();
      const queuedMs = Math.round(startedAt - queuedAt);
      swept ??= removeAbandoned(options.cwd ?? os.tmpdir());
      const endsAt = startedAt + (request.timeoutMs ?? timeoutMs);
      const answer = yield* withRetries(request, signal, { queuedMs, leftMs: () => endsAt - now() });
      const durationMs = Math.round(now() - startedAt);
      yield { type: "run-end", durationMs };
      return { ...answer, durationMs, queuedMs };
    } catch (error) {
      if (error instanceof RunnerError || !signal.aborted) throw error;
      throw stopped(request);
    } finally {
      request.signal?.removeEventListener("abort", onAbort);
      leave();
      stops.delete(stop);
    }
  }

  async function* withRetries(
    request: RunRequest,
    signal: AbortSignal,
    times: Times,
  ): AsyncGenerator<RunEvent, Answer, void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return yield* once(request, signal, times);
      } catch (error) {
        if (!(error instanceof RunnerError) || !error.retryable || repeated.has(error) || attempt >= retries)
          throw error;
        const waitMs = error.retryAfterMs ?? RETRY_WAIT_MS * 2 ** attempt;
        if (waitMs > Math.min(MAX_RETRY_WAIT_MS, times.leftMs())) throw error;
        yield { type: "warning", message: `${error.message}. It is tried again in ${waitMs} ms.` };
        await sleep(waitMs, signal);
      }
    }
  }

  async function* once(request: RunRequest, signal: AbortSignal, times: Times): AsyncGenerator<RunEvent, Answer, void> {
    const start = toStartRequest(request, options);
    const ahead = warm.take(keyOf(start));
    const starting = ahead.then((taken) => taken ?? startCli(start, options));
    try {
      return yield* serve(starting, request, signal, times, ahead);
    } catch (error) {
      // A process may die at the very moment it is taken, or before it could read its prompt.
      if (!(error instanceof RunnerError) || !unbegun.has(error) || (await ahead) === undefined) throw error;
      const message = `The process that was started ahead was gone before it began: ${error.message}. A new one is started.`;
      yield { type: "warning", message };
    }
    signal.throwIfAborted();
    return yield* serve(startCli(start, options), request, signal, times);
  }

  /** Gives the prompt to a process and reads its answer. `ahead` resolves with it when it was started before the run. */
  async function* serve(
    starting: Promise<CliProcess>,
    request: RunRequest,
    signal: AbortSignal,
    { queuedMs, leftMs }: Times,
    ahead?: Promise<CliProcess | undefined>,
  ): AsyncGenerator<RunEvent, Answer, void> {
    processes.add(starting);
    const runMs = request.timeoutMs ?? timeoutMs;
    let process: CliProcess;
    try {
      process = await inTime(starting, { leftMs: leftMs(), late: () => tookTooLong(runMs), signal, end });
    } catch (error) {
      processes.delete(starting);
      throw error;
    }
    // The process is ended at once, also while nobody reads the run.
    const onAbort = () => {
      process.inbox.push({ type: "stop", error: stopped(request) });
      process.stop();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      process.send(request.prompt);
      const { pid, version } = process;
      const isWarm = (await ahead) === process;
      const idleTimeoutMs = request.idleTimeoutMs ?? options.idleTimeoutMs;
      const unknown = unknownTools(toStartRequest(request, options).grants, version);
      return yield* readAnswer(process, {
        first: [
          { type: "run-start", pid, ...(version === undefined ? {} : { version }), queuedMs, warm: isWarm },
          ...(unknown === undefined ? [] : [{ type: "warning", message: `${unknown.message}.` } as const]),
        ],
        timeoutMs: runMs,
        leftMs: leftMs(),
        toolTimeoutMs,
        ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
      await end(process);
      processes.delete(starting);
    }
  }

  /** Whatever happened: nothing of the process is left when this resolves. */
  async function end(process: CliProcess): Promise<void> {
    process.stop();
    try {
      await process.gone();
    } catch (error) {
      onWarning(`The directory ${process.workspace.folder} could not be removed: ${String(error)}`);
    }
  }

  function stopped(request: RunRequest): RunnerError {
    if (!request.signal?.aborted) {
      return new RunnerError("EXECUTION_ERROR", "The runner was closed", { reason: "closed" });
    }
    return new RunnerError("CANCELLED", "The run was cancelled", { cause: request.signal.reason });
  }

  return {
    run,
    prewarm({ signal, ...request } = {}) {
      checkStart(request, options);
      if (closed || signal?.aborted) return;
      const start = toStartRequest(request, options);
      warm.add(keyOf(start), () => startCli(start, options), signal);
    },
    async close() {
      closed = true;
      for (const stop of [...stops]) stop.abort();
      const ended = [...processes].map((starting) => starting.then(end, () => {}));
      await Promise.all([swept, warm.close(), ...ended]);
    },
  };
}

/** Two requests with the same key can be served by the same process. */
function keyOf({ model, grants }: StartRequest): string {
  return JSON.stringify([model, grants.tools.toSorted(), grants.files.toSorted()]);
}

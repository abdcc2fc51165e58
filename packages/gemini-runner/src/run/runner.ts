import { CAPABILITIES } from "../cli/capabilities.js";
import { RunnerError } from "../errors/runner-error.js";
import type { AgentRun, GeminiRunner, PrewarmRequest, RunRequest } from "../events.js";
import type { GeminiRunnerOptions } from "../options.js";
import { AwakeTimer } from "../process/awake-timer.js";
import { removeAbandoned } from "../process/workspace.js";
import { withRetries } from "./attempts.js";
import { canShare, startCli } from "./launch.js";
import { LiveRuns } from "./live-runs.js";
import { ProcessPool } from "./process-pool.js";
import { type ResolvedOptions, resolveOptions } from "./resolve-options.js";
import { Semaphore } from "./semaphore.js";
import { attempt } from "./serve.js";
import { keyOf, toStartRequest } from "./start-request.js";
import { checkOptions, checkPrewarm, checkRequest } from "./validate.js";
import { WarmPool } from "./warm-pool.js";

/**
 * Makes a runner of the user's own Gemini CLI. Nothing is started, read or written before the first run. Throws
 * `RunnerError` (`input`) for an option that cannot be used.
 *
 * @example
 * const runner = createGeminiRunner({ timeoutMs: 120_000 });
 * const { text } = await resultOf(runner.run({ prompt: "Why are there tides?" }));
 */
export function createGeminiRunner(options: GeminiRunnerOptions = {}): GeminiRunner {
  checkOptions(options);
  const runner = new Runner(resolveOptions(options));
  return {
    capabilities: runner.capabilities,
    run: (request) => runner.run(request),
    prewarm: (request) => runner.prewarm(request),
    close: () => runner.close(),
  };
}

class Runner implements GeminiRunner {
  readonly capabilities = CAPABILITIES;
  readonly #options: ResolvedOptions;
  readonly #semaphore: Semaphore;
  readonly #live: LiveRuns;
  readonly #warm: WarmPool;
  readonly #pool: ProcessPool | undefined;
  readonly #ownProcesses: Semaphore;
  /** Ends a run each, also one that waits for its turn. */
  readonly #stops = new Set<AbortController>();
  #closed = false;
  #swept: Promise<void> | undefined;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.maxConcurrent);
    this.#live = new LiveRuns(options.onWarning);
    this.#warm = new WarmPool(options.maxProcesses, (cli) => this.#live.end(cli));
    this.#pool = options.pool && new ProcessPool(options, options.pool, (run) => this.#live.end(run));
    this.#ownProcesses = new Semaphore(options.maxProcesses);
  }

  async *run(request: RunRequest): AgentRun {
    checkRequest(request, this.#options);
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    this.#stops.add(stop);
    request.signal?.addEventListener("abort", onAbort, { once: true });
    if (this.#closed || request.signal?.aborted) stop.abort();
    try {
      return yield* this.#inTurn(request, stop.signal);
    } catch (error) {
      if (error instanceof RunnerError || !stop.signal.aborted) throw error;
      throw stopped(request);
    } finally {
      request.signal?.removeEventListener("abort", onAbort);
      this.#stops.delete(stop);
    }
  }

  async *#inTurn(request: RunRequest, signal: AbortSignal): AgentRun {
    const { now, timeoutMs, retries, sleep, cwd } = this.#options;
    const queuedAt = now();
    const leave = await this.#semaphore.enter(signal);
    const startedAt = now();
    const time = new AwakeTimer(request.timeoutMs ?? timeoutMs, { now });
    try {
      const queuedMs = Math.round(startedAt - queuedAt);
      const leftMs = () => time.leftMs();
      this.#swept ??= removeAbandoned(cwd);
      const context = {
        request,
        options: this.#options,
        warm: this.#warm,
        pool: this.#pool,
        doubted: false,
        ownProcesses: this.#ownProcesses,
        live: this.#live,
        signal,
        stopped: () => stopped(request),
        queuedMs,
        leftMs,
      };
      const answer = yield* withRetries(() => attempt(context), { retries, sleep, signal, leftMs });
      const durationMs = Math.round(now() - startedAt);
      yield { type: "run-end", durationMs };
      return { ...answer, durationMs, queuedMs };
    } finally {
      time.stop();
      leave();
    }
  }

  prewarm(given: PrewarmRequest & { signal?: AbortSignal } = {}): void {
    checkPrewarm(given, this.#options);
    const { signal, ...request } = given;
    if (this.#closed || signal?.aborted) return;
    const start = toStartRequest(request, this.#options);
    if (this.#pool !== undefined && canShare(start, this.#options)) this.#pool.prepare(start, signal);
    else this.#warm.add(keyOf(start), () => startCli(start, this.#options), { signal });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of [...this.#stops]) stop.abort();
    await Promise.all([this.#swept, this.#warm.close(), this.#live.endAll(), this.#pool?.close()]);
  }
}

/** Why a run was ended that its reader or the runner did not want any more. */
function stopped({ signal }: RunRequest): RunnerError {
  if (!signal?.aborted) return new RunnerError("EXECUTION_ERROR", "The runner was closed", { reason: "closed" });
  return new RunnerError("CANCELLED", "The run was cancelled", { cause: signal.reason });
}

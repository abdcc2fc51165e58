import { unknownTools } from "../cli/tools.js";
import { RunnerError } from "../errors/runner-error.js";
import type { RunEvent, RunRequest } from "../events.js";
import type { CliRun } from "../process/cli-run.js";
import { inTime } from "../process/in-time.js";
import type { PooledRun } from "../process/pooled-run.js";
import type { Answer } from "./answer.js";
import { canShare, startCli } from "./launch.js";
import type { LiveRuns } from "./live-runs.js";
import { PoolError, type ProcessPool } from "./process-pool.js";
import { readAnswer, tookTooLong } from "./read-answer.js";
import type { ResolvedOptions } from "./resolve-options.js";
import type { Semaphore } from "./semaphore.js";
import { keyOf, type StartRequest, toStartRequest } from "./start-request.js";
import type { WarmPool } from "./warm-pool.js";

/** What a run brings along. */
export interface RunContext {
  request: RunRequest;
  options: ResolvedOptions;
  warm: WarmPool;
  /** Processes that serve several runs, if the runner has them. */
  pool: ProcessPool | undefined;
  /** A process that serves several runs has left this one in doubt: it is not to be asked again. */
  doubted: boolean;
  /** How many runs may have a process of their own. */
  ownProcesses: Semaphore;
  live: LiveRuns;
  /** Fires when the run is to end. */
  signal: AbortSignal;
  /** Why it was to end. */
  stopped(): RunnerError;
  queuedMs: number;
  /** How much of the run's time is left. */
  leftMs(): number;
  /** How long the end of what was started too late is waited for, in milliseconds. */
  graceMs?: number;
}

/** The process that serves several has done nothing with the run. */
const NOT_BEGUN = "";

/**
 * Lets a process answer the request: one that serves several runs, one that was started ahead, or a new one. What the first leaves
 * in doubt is done again by the last.
 */
export async function* attempt(context: RunContext): AsyncGenerator<RunEvent, Answer, void> {
  const { pool, request, options, signal, leftMs } = context;
  const start = toStartRequest(request, options);
  if (pool !== undefined && !context.doubted && canShare(start, options)) {
    let taken: PooledRun | undefined;
    const over = new AbortController();
    const shared = pool.take(start, over.signal).then((run) => {
      taken = run;
      return run;
    });
    const ahead = shared.then((run) => (run.warm ? run : undefined)).catch(() => undefined);
    try {
      // What comes too late is the pool's to end: there is no process of this run to wait for.
      return yield* serve(shared, { ...context, graceMs: 0 }, ahead);
    } catch (error) {
      // A run that ends before its session was open is not to wait for it.
      const doubt = error instanceof PoolError ? NOT_BEGUN : taken?.doubt;
      if (doubt === undefined) throw error;
      signal.throwIfAborted();
      context.doubted = doubt !== NOT_BEGUN;
      if (context.doubted) {
        yield { type: "warning", message: `${doubt}. The run is made again in a process of its own.` };
      }
    } finally {
      over.abort();
    }
  }
  const leave = await inTime(context.ownProcesses.enter(signal), {
    leftMs: leftMs(),
    late: () => tookTooLong(request.timeoutMs ?? options.timeoutMs),
    signal,
    end: async (leaveLate) => leaveLate(),
    graceMs: 0,
  });
  try {
    return yield* attemptAlone(start, context);
  } finally {
    leave();
  }
}

async function* attemptAlone(start: StartRequest, context: RunContext): AsyncGenerator<RunEvent, Answer, void> {
  const { options, warm, signal } = context;
  const ahead = warm.take(keyOf(start));
  const starting = ahead.then((taken) => taken ?? startCli(start, options));
  try {
    return yield* serve(starting, context, ahead);
  } catch (error) {
    // A process may die at the very moment it is taken, or before it could read its prompt.
    if (!(error instanceof RunnerError) || !error.unbegun || (await ahead) === undefined) throw error;
    // A failure with a code of its own is told by the next process, unless it was put right meanwhile.
    if (error.code === "EXECUTION_ERROR") yield { type: "warning", message: goneAhead(error) };
  }
  signal.throwIfAborted();
  return yield* serve(startCli(start, options), context);
}

function goneAhead({ message }: RunnerError): string {
  return `The process that was started ahead was gone before it began: ${message}. A new one is started.`;
}

/** Gives the prompt to a run of the CLI and reads its answer. `ahead` resolves with it when its process was there before. */
async function* serve(
  starting: Promise<CliRun>,
  context: RunContext,
  ahead?: Promise<CliRun | undefined>,
): AsyncGenerator<RunEvent, Answer, void> {
  const { request, options, live, signal, leftMs, graceMs } = context;
  const timeoutMs = request.timeoutMs ?? options.timeoutMs;
  const end = (cli: CliRun) => live.end(cli);
  live.add(starting);
  try {
    const cli = await inTime(starting, { leftMs: leftMs(), late: () => tookTooLong(timeoutMs), signal, end, graceMs });
    // It is ended at once, also while nobody reads the run.
    const onAbort = () => {
      cli.inbox.push({ type: "stop", error: context.stopped() });
      cli.stop();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      cli.send(request.prompt);
      return yield* readAnswer(cli, {
        first: firstEvents(cli, context, (await ahead) === cli),
        timeoutMs,
        leftMs: leftMs(),
        toolTimeoutMs: options.toolTimeoutMs,
        idleTimeoutMs: request.idleTimeoutMs ?? options.idleTimeoutMs,
        maxTurns: request.maxTurns ?? options.maxTurns,
        maxToolCalls: request.maxToolCalls ?? options.maxToolCalls,
      });
    } finally {
      signal.removeEventListener("abort", onAbort);
      await end(cli);
    }
  } finally {
    live.delete(starting);
  }
}

function firstEvents({ pid, version }: CliRun, { request, options, queuedMs }: RunContext, warm: boolean): RunEvent[] {
  const unknown = unknownTools(toStartRequest(request, options).grants, version);
  return [
    { type: "run-start", pid, ...(version === undefined ? {} : { version }), queuedMs, warm },
    ...(unknown === undefined ? [] : [{ type: "warning", message: `${unknown.message}.` } as const]),
  ];
}

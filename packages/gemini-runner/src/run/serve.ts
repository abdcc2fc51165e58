import { unknownTools } from "../cli/tools.js";
import { RunnerError } from "../errors/runner-error.js";
import type { RunEvent, RunRequest } from "../events.js";
import type { CliRun } from "../process/cli-run.js";
import { inTime } from "../process/in-time.js";
import type { Answer } from "./answer.js";
import { startCli } from "./launch.js";
import type { LiveRuns } from "./live-runs.js";
import { readAnswer, tookTooLong } from "./read-answer.js";
import type { ResolvedOptions } from "./resolve-options.js";
import { keyOf, toStartRequest } from "./start-request.js";
import type { WarmPool } from "./warm-pool.js";

/** What a run brings along. */
export interface RunContext {
  request: RunRequest;
  options: ResolvedOptions;
  warm: WarmPool;
  live: LiveRuns;
  /** Fires when the run is to end. */
  signal: AbortSignal;
  /** Why it was to end. */
  stopped(): RunnerError;
  queuedMs: number;
  /** How much of the run's time is left. */
  leftMs(): number;
}

/** Lets a process answer the request: one that was started ahead, else a new one. */
export async function* attempt(context: RunContext): AsyncGenerator<RunEvent, Answer, void> {
  const { request, options, warm, signal } = context;
  const start = toStartRequest(request, options);
  const ahead = warm.take(keyOf(start));
  const starting = ahead.then((taken) => taken ?? startCli(start, options));
  try {
    return yield* serve(starting, context, ahead);
  } catch (error) {
    // A process may die at the very moment it is taken, or before it could read its prompt.
    if (!(error instanceof RunnerError) || !error.unbegun || (await ahead) === undefined) throw error;
    const message = `The process that was started ahead was gone before it began: ${error.message}. A new one is started.`;
    yield { type: "warning", message };
  }
  signal.throwIfAborted();
  return yield* serve(startCli(start, options), context);
}

/** Gives the prompt to a process and reads its answer. `ahead` resolves with it when it was started before the run. */
async function* serve(
  starting: Promise<CliRun>,
  context: RunContext,
  ahead?: Promise<CliRun | undefined>,
): AsyncGenerator<RunEvent, Answer, void> {
  const { request, options, live, signal, leftMs } = context;
  const timeoutMs = request.timeoutMs ?? options.timeoutMs;
  const end = (cli: CliRun) => live.end(cli);
  live.add(starting);
  try {
    const cli = await inTime(starting, { leftMs: leftMs(), late: () => tookTooLong(timeoutMs), signal, end });
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

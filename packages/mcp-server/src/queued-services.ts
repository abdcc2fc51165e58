import { availableParallelism } from "node:os";
import { ownProcess, type ProcessIdentity } from "@x/owned-files";
import type { Config } from "./host/config.js";
import type { Io } from "./host/io.js";
import type { Log } from "./host/log.js";
import type { QueueSettings } from "./host/queue-settings.js";
import { toFailure } from "./jobs/failure.js";
import { KeyLimit } from "./jobs/key-limit.js";
import { keyName } from "./jobs/key-name.js";
import type { Engine, EngineProblem } from "./queue/engine.js";
import { JobWorker } from "./queue/job-worker.js";
import { counted, type Metrics } from "./queue/metrics.js";
import { openEngine, QueueSetupError } from "./queue/open-engine.js";
import { QueuedJobs } from "./queue/queued-jobs.js";
import type { OwnerCount, Rows } from "./queue/rows.js";
import { openTracer, traced } from "./queue/traces.js";
import { watchEngine } from "./queue/watch-engine.js";
import { type LazyResearch, lazyResearch, type Services } from "./services.js";

/** Runs of the CLI that share a process. */
const RUNS_A_PROCESS = 16;

/** What a server works with when many processes share its jobs. */
export interface QueuedServices extends Services {
  /** Why it cannot work now. */
  problem(): Promise<EngineProblem | undefined>;
  counts(owner?: string): Promise<OwnerCount[]>;
  /** Small texts that all fronts share. */
  rates: Pick<Rows, "recall" | "remember" | "swap" | "now">;
}

export interface QueuedServicesOptions {
  config: Config;
  log: Log;
  io: Pick<Io, "env" | "host">;
  queue: QueueSettings;
  metrics: Metrics;
  /** Researches that this process does at once. 0: it takes calls alone. */
  concurrency: number;
}

/** Researches at once in a process that was not told. */
export function defaultConcurrency(): number {
  return 2 * availableParallelism();
}

/**
 * Opens the queue, and works on it as soon as it can be reached. Rejects with a `QueueSetupError` when what it needs is not
 * installed, and when it is not set up as it must be.
 */
export async function createQueuedServices(options: QueuedServicesOptions): Promise<QueuedServices> {
  const { config, log, io, queue: settings, metrics, concurrency } = options;
  const engine = await openEngine({ url: settings.url, log, keepMs: config.keepMs, now: Date.now });
  const problem = await engine.problem();
  if (problem?.kind === "setup") {
    await engine.close();
    throw new QueueSetupError(problem.text);
  }
  const research = lazyResearch(config, log, io, {
    processes: Math.max(1, Math.ceil(concurrency / RUNS_A_PROCESS)),
    sessions: RUNS_A_PROCESS,
  });
  engine.store.onEnded = (owner, state) => metrics.ended(owner, state);
  const own = ownProcess();
  const jobs = new QueuedJobs({ engine, log, own });
  const worker = workerOf(options, { engine, research, own });
  const closing = new AbortController();
  const watching = watchEngine(engine.problem, log, closing.signal, async () => {
    if (concurrency > 0) await worker.start(concurrency);
    log(
      "info",
      concurrency > 0 ? `Works on ${concurrency} researches at once` : "Takes calls, and leaves the work to workers",
    );
  });
  return {
    checkFolders: research.checkFolders,
    jobs,
    offload: async () => (await research.find()).offload,
    problem: () => engine.problem(),
    counts: (owner) => engine.store.counts(owner),
    rates: engine.store.rows,
    async close() {
      closing.abort();
      await watching.catch(() => {});
      await jobs.close();
      // What reads a long text hears of no end: its thread is ended while the jobs are given back.
      await Promise.all([worker.close(), research.close()]);
      await engine.close();
    },
    // What a worker does not give back in time is taken by another one.
    saved: async () => {},
  };
}

interface WorkerParts {
  engine: Engine;
  research: LazyResearch;
  own: ProcessIdentity;
}

function workerOf(
  { config, log, io, queue: settings, metrics }: QueuedServicesOptions,
  { engine, research, own }: WorkerParts,
): JobWorker {
  const tracing = openTracer();
  return new JobWorker({
    ...{ engine, log, own },
    // A key that is changed while the server runs is another one.
    keyLimit: new KeyLimit({ rates: engine.store.rows, key: () => keyName(io.env), ...settings.key }),
    failureOf: (error) => toFailure(error, config.origins),
    research: async (owner) => {
      const [{ ask }, tracer] = await Promise.all([research.find(), tracing]);
      return { ask: counted(tracer === undefined ? ask : traced(ask, tracer), metrics, owner) };
    },
    onWaited: (seconds) => metrics.observe("mcp_server_queue_wait_seconds", "How long a research waited.", seconds),
  });
}

import type { Access } from "../access/access.js";
import type { Config } from "../host/config.js";
import type { Io } from "../host/io.js";
import type { Log } from "../host/log.js";
import { type KeySettings, readQueueSettings } from "../host/queue-settings.js";
import type { JobsOptions } from "../jobs/jobs.js";
import { KeyLimit } from "../jobs/key-limit.js";
import { keyName } from "../jobs/key-name.js";
import { createMemoryRates, type Rates } from "../jobs/rates.js";
import { counted, Metrics } from "../queue/metrics.js";
import { type Page, pagesOf } from "../queue/pages.js";
import { accessCheck, cliCheck, queueCheck, readiness } from "../queue/readiness.js";
import { createServices, type Services } from "../services.js";
import { SessionMemory } from "./session-memory.js";

export interface OpenServicesOptions {
  config: Config;
  log: Log;
  io: Pick<Io, "env" | "host">;
  /** With a queue: researches that this process does. Default: two for each processor. */
  concurrency?: number | undefined;
  /** Who may come in. Default: nobody comes in here. */
  access?: Pick<Access, "problem">;
  /** A process that does nothing without a queue. */
  needsQueue?: boolean;
}

export type OpenedServices =
  | {
      ok: true;
      services: Services;
      /** Where calls are counted. */
      rates: Rates;
      pages: Record<string, Page>;
      metrics: Metrics;
      memory?: SessionMemory;
    }
  /** Why nothing may be served. */
  | { ok: false; problem: string };

/** One that nobody sets. */
const ownClock = () => performance.now();

/** Jobs in files or in a queue, as the environment says, and the pages for whoever watches the server. */
export async function openServices(options: OpenServicesOptions): Promise<OpenedServices> {
  const { config, log, io, needsQueue = false } = options;
  const read = readQueueSettings(io.env);
  if (!read.ok) return read;
  const { queue } = read;
  if (queue === undefined && needsQueue) {
    return {
      ok: false,
      problem: "A worker needs a queue: set MCP_SERVER_QUEUE to that of the servers that take calls",
    };
  }
  if (queue === undefined && options.concurrency !== undefined) {
    return {
      ok: false,
      problem:
        "--concurrency needs a queue: set MCP_SERVER_QUEUE to that of the other servers, or leave the option out",
    };
  }
  const metrics = new Metrics();
  const token = io.env["MCP_SERVER_METRICS_TOKEN"] || undefined;
  const cli = cliCheck(config, io);
  const entry = options.access === undefined ? [] : [accessCheck(options.access)];
  if (queue === undefined) {
    const services = createServices(config, log, io, {
      ...{ pool: true, key: keyOf(read.key, config, io) },
      counted: (ask, owner) => counted(ask, metrics, owner),
      onEnded: (owner, state) => metrics.ended(owner, state),
    });
    const counts = async (owner?: string) => services.jobs.counts(owner);
    const pages = pagesOf({ metrics, problems: readiness([...entry, cli]), counts, token });
    return { ok: true, services, pages, metrics, rates: createMemoryRates(ownClock) };
  }
  const { createQueuedServices, defaultConcurrency } = await import("../queued-services.js");
  const { concurrency = defaultConcurrency() } = options;
  try {
    const services = await createQueuedServices({ config, log, io, queue, metrics, concurrency });
    const reached = queueCheck(services);
    const problems = readiness([...entry, reached, ...(concurrency > 0 ? [cli] : [])]);
    const pages = pagesOf({ metrics, problems, counts: services.counts, token });
    return { ok: true, services, pages, metrics, rates: services.rates, memory: new SessionMemory(services.rates) };
  } catch (error) {
    if ((error as Error).name !== "QueueSetupError") throw error;
    return { ok: false, problem: (error as Error).message };
  }
}

/**
 * The limits of a key where this process alone asks with it. What one person has used up that person is told; of several tenants
 * one waits until there is room for all.
 */
function keyOf({ running, perMinute }: KeySettings, { http }: Config, { env }: Pick<Io, "env">): JobsOptions["key"] {
  const isShared = http.tokensFile !== undefined || http.oauth !== undefined;
  if (!isShared && running === undefined && perMinute === undefined) return undefined;
  // A key that is changed while the server runs is another one.
  const limit = new KeyLimit({ rates: createMemoryRates(ownClock), key: () => keyName(env), perMinute });
  return { limit, running };
}

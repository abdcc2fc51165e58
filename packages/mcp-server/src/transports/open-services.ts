import type { Config } from "../host/config.js";
import type { Io } from "../host/io.js";
import type { Log } from "../host/log.js";
import { readQueueSettings } from "../host/queue-settings.js";
import { Metrics } from "../queue/metrics.js";
import { type Page, pagesOf } from "../queue/pages.js";
import { cliCheck, readiness } from "../queue/readiness.js";
import type { QueuedServices } from "../queued-services.js";
import { createServices, type Services } from "../services.js";
import { SessionMemory } from "./session-memory.js";

export interface OpenServicesOptions {
  config: Config;
  log: Log;
  io: Pick<Io, "env" | "host">;
  /** With a queue: researches that this process does. Default: two for each processor. */
  concurrency?: number | undefined;
  /** A process that does nothing without a queue. */
  needsQueue?: boolean;
}

export type OpenedServices =
  | {
      ok: true;
      services: Services & Partial<Pick<QueuedServices, "countCall">>;
      pages: Record<string, Page>;
      memory?: SessionMemory;
    }
  /** Why nothing may be served. */
  | { ok: false; problem: string };

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
  const metrics = new Metrics();
  const token = io.env["MCP_SERVER_METRICS_TOKEN"] || undefined;
  const cli = cliCheck(config, io);
  if (queue === undefined) {
    const services = createServices(config, log, io, true);
    return { ok: true, services, pages: pagesOf({ metrics, problems: readiness([cli]), token }) };
  }
  const { createQueuedServices, defaultConcurrency } = await import("../queued-services.js");
  const { concurrency = defaultConcurrency() } = options;
  try {
    const services = await createQueuedServices({ config, log, io, queue, metrics, concurrency });
    const reached = async () => (await services.problem())?.text;
    const problems = readiness(concurrency > 0 ? [reached, cli] : [reached]);
    const pages = pagesOf({ metrics, problems, counts: services.counts, token });
    return { ok: true, services, pages, memory: new SessionMemory(services) };
  } catch (error) {
    if ((error as Error).name !== "QueueSetupError") throw error;
    return { ok: false, problem: (error as Error).message };
  }
}

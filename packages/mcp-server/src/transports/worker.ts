import type { Io } from "../host/io.js";
import { listening } from "../host/listening.js";
import { startUp } from "../host/start-up.js";
import { within } from "../host/within.js";
import { notStarted } from "./not-started.js";
import { openServices } from "./open-services.js";
import { workerPages } from "./worker-pages.js";

/** A CLI that is told to end gets so long for it. */
const LONGEST_SHUTDOWN_MS = 5_000;

export interface WorkerOptions {
  /** Researches at once. Default: two for each processor. */
  concurrency?: number | undefined;
  /** Where `/health`, `/ready` and `/metrics` are served, on the host of the settings. Default: nowhere. */
  port?: number | undefined;
}

/** Does researches that wait in the queue, until it is told to end. Gives the exit code. */
export async function serveWorker(io: Io, { concurrency, port }: WorkerOptions): Promise<number> {
  const { config, log } = startUp(io);
  const opened = await openServices({ config, log, io, concurrency, needsQueue: true });
  if (!opened.ok) return notStarted(log, opened.problem);
  const { services, pages } = opened;
  const server = port === undefined ? undefined : workerPages(pages, config.http);
  if (server !== undefined && port !== undefined) {
    try {
      const setBy = { host: "MCP_SERVER_HOST", port: "--port" };
      await listening(server, { host: config.http.host, port, setBy, log });
    } catch (error) {
      await within(LONGEST_SHUTDOWN_MS, services.close());
      return notStarted(log, (error as Error).message);
    }
  }
  if (!io.signal.aborted) {
    await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
  }
  log("info", `Ending: ${String(io.signal.reason)}`);
  server?.close();
  server?.closeAllConnections();
  await within(LONGEST_SHUTDOWN_MS, services.close());
  return 0;
}

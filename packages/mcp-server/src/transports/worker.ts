import { createServer } from "node:http";
import type { Io } from "../host/io.js";
import { isLoopback } from "../host/loopback.js";
import { startUp } from "../host/start-up.js";
import { within } from "../host/within.js";
import type { Page } from "../queue/pages.js";
import { openServices } from "./open-services.js";

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
  if (!opened.ok) {
    log("error", opened.problem);
    return 1;
  }
  const { services, pages } = opened;
  const server = port === undefined ? undefined : serverOf(pages, config.http.host);
  server?.on("error", (error) => log("error", `HTTP: ${error.message}`));
  server?.listen(port, config.http.host);
  if (!io.signal.aborted) {
    await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
  }
  log("info", `Ending: ${String(io.signal.reason)}`);
  server?.close();
  server?.closeAllConnections();
  await within(LONGEST_SHUTDOWN_MS, services.close());
  return 0;
}

/** On loopback whoever asks sees all; elsewhere whoever has `MCP_SERVER_METRICS_TOKEN`. */
function serverOf(pages: Readonly<Record<string, Page>>, host: string) {
  return createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const page = request.method === "GET" ? pages[path] : undefined;
    if (page !== undefined) void page(request, response, { all: isLoopback(host) }).catch(() => response.destroy());
    else response.writeHead(path === "/health" ? 200 : 404).end(path === "/health" ? '{"status":"ok"}' : "");
  });
}

import type { Io } from "../host/io.js";
import { MAX_ROUNDS } from "../host/settings.js";
import { startUp } from "../host/start-up.js";
import { within } from "../host/within.js";
import { PERSON } from "../jobs/job-record.js";
import { bothEras } from "../protocol/stateless.js";
import type { Services } from "../services.js";
import { connectLate } from "./lazy-connect.js";
import { LineTransport } from "./line-transport.js";

/** A host waits about two seconds before it kills. */
const LONGEST_SHUTDOWN_MS = 1_400;
const LONGEST_FLUSH_MS = 100;

/** Serves one client on stdin and stdout until it is gone. Gives the exit code. */
export async function serveStdio(io: Io): Promise<number> {
  const { config, log } = startUp(io);
  if (io.stdin.isTTY) io.stderr.write(`Waiting for an MCP client on stdin. In a terminal: ${io.command} --help\n`);
  const line = new LineTransport(io.stdin, io.stdout, (reason) => log("debug", `Ignored on stdin: ${reason}`));
  let services: Services | undefined;
  connectLate(
    bothEras(line),
    async () => {
      const [{ createServer }, { createServices }] = await Promise.all([
        import("../protocol/server.js"),
        import("../services.js"),
      ]);
      services = createServices(config, log, io);
      const { maxWaitMs, clientTimeoutMs } = config;
      const maxRounds = Math.max(MAX_ROUNDS, config.maxRounds);
      const { jobs, offload } = services;
      const waits = { maxWaitMs, clientTimeoutMs };
      const roots = { folders: config.roots ?? [], ofClient: true };
      return createServer({ jobs: jobs.of(PERSON), log, waits, maxRounds, offload, roots, shown: config.tools });
    },
    config.tools,
  );
  const why = await new Promise<string>((resolve) => {
    const aborted = () => resolve(String(io.signal.reason));
    if (io.signal.aborted) aborted();
    io.signal.addEventListener("abort", aborted);
    for (const event of ["end", "close", "error"]) io.stdin.once(event, () => resolve(`stdin ${event}`));
    void line.start();
  });
  log("debug", `Ending: ${why}`);
  await within(LONGEST_SHUTDOWN_MS, services?.close());
  await services?.saved();
  await line.close();
  io.stdin.destroy();
  // Where pipes are written to behind the program's back, an answer may still be on its way.
  await within(LONGEST_FLUSH_MS, new Promise((resolve) => io.stdout.write("", resolve)));
  return 0;
}

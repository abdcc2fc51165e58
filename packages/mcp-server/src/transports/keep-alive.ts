import type { ServerResponse } from "node:http";

/** Clients and proxies give up on a connection that is silent for some minutes. */
const KEEP_ALIVE_MS = 15_000;

/**
 * Writes a comment into a stream of events now and then. Not while something waits to be read: whoever reads nothing is
 * told from others by the silence of the connection.
 */
export function keepAlive(response: ServerResponse): void {
  const timer = setInterval(() => {
    const isStream = response.headersSent && String(response.getHeader("content-type")).includes("event-stream");
    if (isStream && !response.writableEnded && response.writableLength === 0) response.write(":\n\n");
  }, KEEP_ALIVE_MS);
  response.once("close", () => clearInterval(timer));
}

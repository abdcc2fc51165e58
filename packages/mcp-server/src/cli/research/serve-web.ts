import { rm } from "node:fs/promises";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { openInBrowser } from "../../host/open-in-browser.js";
import { VERSION } from "../../host/version.js";
import { WebServer } from "../../web/web-server.js";
import { told } from "../terminal/told.js";
import { pageFileOf } from "./open-page.js";
import { openSession } from "./session.js";

export interface WebCommandOptions {
  port?: number;
  open: boolean;
}

/** Shows all researches as pages on this machine, until it is told to end. Gives the exit code. */
export async function serveWeb({ port, open }: WebCommandOptions, io: Io): Promise<number> {
  const session = openSession(io);
  const server = new WebServer({
    jobs: session.jobs,
    forget: (id) => rm(pageFileOf(session.config.configDir, id), { force: true }),
    generator: `@x/mcp-server ${VERSION}`,
    log: (_level, message) => session.warn(message),
    ...(port !== undefined && { port }),
  });
  try {
    const address = await server.listen().catch(({ message }: Error) => {
      io.stderr.write(told("✗", message, io.stderr, io.env));
    });
    if (address === undefined) return EXIT.failed;
    io.stdout.write(`${address}\n`);
    const isOpen = open && (await openInBrowser(address, io));
    const how = isOpen ? "Opened in the browser." : "Open this address in a browser; it opens once.";
    const end = "Ctrl-C ends the page, and interrupts what was started there.";
    io.stderr.write(told("", `${how} ${end}`, io.stderr, io.env));
    if (!io.signal.aborted) {
      await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
    }
    return EXIT.ok;
  } finally {
    await server.close();
    await session.close();
  }
}

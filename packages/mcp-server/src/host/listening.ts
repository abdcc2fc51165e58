import type { Server } from "node:http";
import type { Log } from "./log.js";

export interface ListeningOptions {
  host: string;
  port: number;
  /** What the person sets them with. */
  setBy: { host: string; port: string };
  /** Hears of what goes wrong later. */
  log: Log;
}

/** Resolves when the server listens. Rejects with a message that says what to do. */
export function listening(server: Server, options: ListeningOptions): Promise<void> {
  const { host, port, log } = options;
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(new Error(cannotListen(options, error), { cause: error }));
    server.once("error", onError);
    server.listen(port, host.replace(/^\[|\]$/g, ""), () => {
      server.off("error", onError);
      server.on("error", (error) => log("error", `HTTP: ${error.message}`));
      resolve();
    });
  });
}

function cannotListen({ host, port, setBy }: ListeningOptions, error: NodeJS.ErrnoException): string {
  const next: Record<string, string> = {
    EADDRINUSE: `another program listens there; choose another port (${setBy.port}), 0 for any that is free`,
    EACCES: `this user may not; choose another port (${setBy.port}), one above 1023`,
    EADDRNOTAVAIL: `this machine has no such address; choose one that it has (${setBy.host})`,
    EAI_AGAIN: `no name service answers; choose an address of this machine (${setBy.host})`,
    ENOTFOUND: `no such name; choose an address of this machine (${setBy.host})`,
  };
  return `Cannot listen on ${host}:${port}: ${next[error.code ?? ""] ?? error.message}`;
}

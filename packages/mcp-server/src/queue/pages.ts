import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Metrics } from "./metrics.js";
import type { Problem } from "./readiness.js";
import type { OwnerCount } from "./rows.js";

/** What whoever asks may see. */
export interface Viewer {
  /** All of the server. */
  all: boolean;
  /** Nobody has to say who they are: they see all, unless there is a token for that. Default: no. */
  isOpen?: boolean;
  /** What is theirs. `undefined`: nothing is. */
  owner?: string;
}

/** Answers requests for a path, whoever sends them. */
export type Page = (request: IncomingMessage, response: ServerResponse, viewer: Viewer) => Promise<void>;

export interface PagesOptions {
  metrics: Metrics;
  /** What keeps the server from working. */
  problems(): Promise<Problem[]>;
  /** Who waits and runs, or of one owner. `undefined`: that is not known here. */
  counts?(owner?: string): Promise<OwnerCount[]>;
  /** Whoever watches the server and has no token of it has this one. `undefined`: nobody has. */
  token: string | undefined;
}

/** `GET /ready` and `GET /metrics`. */
export function pagesOf({ metrics, problems, counts, token }: PagesOptions): Record<string, Page> {
  const seesAll = ({ headers }: IncomingMessage, { all, isOpen = false }: Viewer) => {
    if (all || token === undefined) return all || isOpen;
    return isSame(/^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "", token);
  };
  return {
    async "/ready"(request, response, viewer) {
      const found = await problems();
      if (found.length === 0) return send(response, 200, "application/json", '{"status":"ready"}');
      const isTold = seesAll(request, viewer);
      const told = found.map(({ short, text }) => (isTold ? text : short));
      send(response, 503, "application/json", JSON.stringify({ status: "not ready", problems: told }));
    },
    async "/metrics"(request, response, viewer) {
      const all = seesAll(request, viewer);
      if (!all && viewer.owner === undefined) {
        response.setHeader("www-authenticate", "Bearer");
        const message =
          "A bearer token is needed: MCP_SERVER_METRICS_TOKEN of the server, or one's own for one's own jobs";
        return send(response, 401, "application/json", JSON.stringify({ error: message }));
      }
      // While the store is away the process's own numbers are still worth having.
      const owners = await counts?.(all ? undefined : viewer.owner).catch(() => undefined);
      const text = metrics.text(owners, all ? undefined : viewer.owner);
      send(response, 200, "text/plain; version=0.0.4; charset=utf-8", text);
    },
  };
}

/** Digests are compared, so that neither content nor length shows in the time it takes. */
function isSame(given: string, token: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(token));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

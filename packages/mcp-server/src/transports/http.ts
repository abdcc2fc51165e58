import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Config } from "../host/config.js";
import type { Io } from "../host/io.js";
import { startUp } from "../host/start-up.js";
import { VERSION } from "../host/version.js";
import { within } from "../host/within.js";
import { createServer, type ServerParts } from "../protocol/server.js";
import { createServices } from "../services.js";
import { hostOf, inUrl, isAllowed, isLoopback } from "./allowed-hosts.js";
import { answerStateless, isStateless } from "./http-stateless.js";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_SESSIONS = 100;
const IDLE_SESSION_MS = 30 * 60_000;
const STALLED_MS = 60_000;
const LONGEST_SHUTDOWN_MS = 2_000;
/** MCP names no code for it; this is that of the Language Server Protocol, which is JSON-RPC too. */
const REQUEST_CANCELLED = -32_800;

/** Serves many clients over HTTP until it is told to end. Gives the exit code. */
export async function serveHttp(io: Io): Promise<number> {
  const { config, log } = startUp(io);
  const { host, token } = config.http;
  if (!isLoopback(host) && token === undefined) {
    log("error", `The host is ${host}: set MCP_SERVER_TOKEN, since everybody who reaches it could use your quota`);
    return 1;
  }
  const services = createServices(config, log, io);
  const server = createHttp({
    http: config.http,
    parts: { jobs: services.jobs, log, waits: { maxWaitMs: config.maxWaitMs } },
  });
  try {
    await server.listen();
  } catch (error) {
    log("error", cannotListen(config.http, error as NodeJS.ErrnoException));
    return 1;
  }
  log("info", `Listening on ${server.url()}/mcp`);
  if (!io.signal.aborted) {
    await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
  }
  log("info", `Ending: ${String(io.signal.reason)}`);
  await within(LONGEST_SHUTDOWN_MS, services.close().then(server.close));
  return 0;
}

function cannotListen({ host, port }: Config["http"], { code, message }: NodeJS.ErrnoException): string {
  const next: Record<string, string> = {
    EADDRINUSE:
      "another program listens there; choose another port (--port or MCP_SERVER_PORT), 0 for any that is free",
    EACCES: "this user may not; choose another port (--port or MCP_SERVER_PORT), one above 1023",
    EADDRNOTAVAIL: "this machine has no such address; choose one that it has (--host or MCP_SERVER_HOST)",
    EAI_AGAIN: "no name service answers; choose an address of this machine (--host or MCP_SERVER_HOST)",
    ENOTFOUND: "no such name; choose an address of this machine (--host or MCP_SERVER_HOST)",
  };
  return `Cannot listen on ${host}:${port}: ${next[code ?? ""] ?? message}`;
}

export interface HttpOptions {
  http: Config["http"];
  parts: ServerParts;
  /** Sessions at once, and requests without one. Default 100. */
  maxSessions?: number;
  /** A session without a request or an open stream ends after it. Default 30 min. */
  idleSessionMs?: number;
  /** A connection that takes nothing of the answer that waits for it is closed after it. Default 60 s. */
  stalledMs?: number;
}

interface Session {
  transport: StreamableHTTPServerTransport;
  /** Requests that are being answered, streams among them. */
  open: number;
  idle: NodeJS.Timeout | undefined;
}

/** MCP at `/mcp`, one server for each session or request without one; `GET /health` says that it lives. */
export function createHttp(options: HttpOptions) {
  const { http, parts, maxSessions = MAX_SESSIONS, idleSessionMs = IDLE_SESSION_MS, stalledMs = STALLED_MS } = options;
  const { log } = parts;
  /** Those that a client is about to initialize are among them. */
  const sessions = new Map<string, Session>();
  /** Requests without a session that are being answered. */
  let stateless = 0;
  const server = createHttpServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      log("error", `HTTP: ${error.message}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, "Internal error");
    });
  });
  // A call is answered when its research has ended.
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  server.timeout = stalledMs;

  return { listen, url, close };

  function listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(http.port, http.host.replace(/^\[|\]$/g, ""), () => resolve());
    });
  }

  function url(): string {
    const { address, port } = server.address() as AddressInfo;
    return `http://${inUrl(address)}:${port}`;
  }

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    server.closeAllConnections();
    await closed;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Behind another one on its connection it would not hear that this closes, and stay for good.
    if (response.socket === null) return refuse(response, 400, "Wait for the answer before you ask again");
    response.on("timeout", (connection: Socket) => {
      // One where nothing waits to be read is silent because nothing happens.
      if (connection.writableLength > 0) connection.destroy();
    });
    const problem = problemOf(request);
    if (problem !== undefined) return refuse(response, problem.status, problem.message);
    const pathname = request.url?.split("?")[0];
    if (pathname === "/health" && request.method === "GET") {
      return send(response, 200, { status: "ok", version: VERSION, sessions: sessions.size });
    }
    if (pathname !== "/mcp") return refuse(response, 404, "Not found: MCP is at /mcp");
    if (http.token !== undefined && !isToken(request.headers.authorization, http.token)) {
      response.setHeader("www-authenticate", "Bearer");
      return refuse(response, 401, "A bearer token is needed: MCP_SERVER_TOKEN of the server");
    }
    if (isStateless(request)) {
      if (stateless >= maxSessions) return refuseForNow(response, `Too many requests: at most ${maxSessions}`);
      stateless += 1;
      response.once("close", () => {
        stateless -= 1;
      });
      return answerStateless(request, response, { parts, maxBodyBytes: MAX_BODY_BYTES });
    }
    const id = request.headers["mcp-session-id"];
    if (id !== undefined) {
      const session = typeof id === "string" ? sessions.get(id) : undefined;
      if (session === undefined) return refuse(response, 404, "Session not found", -32_001);
      return serve(session, request, response);
    }
    if (request.method !== "POST") return refuse(response, 400, "Mcp-Session-Id header is required");
    if (sessions.size >= maxSessions) return refuseForNow(response, `Too many sessions: at most ${maxSessions}`);
    return serve(await newSession(), request, response);
  }

  /** A first request that does not initialize it is refused by the transport and ends it. */
  async function newSession(): Promise<Session> {
    const id = randomUUID();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    const session: Session = { transport, open: 0, idle: undefined };
    const mcp = createServer({ ...parts, cancelled: (id) => void endStream(transport, id) });
    mcp.onclose = () => {
      clearTimeout(session.idle);
      sessions.delete(id);
    };
    sessions.set(id, session);
    // Its accessors say `| undefined`, which the interface does not.
    await mcp.connect(transport as Transport);
    return session;
  }

  /**
   * Ends the stream of a cancelled request. The SDK's transport ends it with the response alone, and a cancelled request
   * gets none: it would stay open, with its connection, as long as the client does. So it gets an error, which a client is
   * to ignore. To close the stream without one would take the responses of other requests along that came in the same body.
   */
  async function endStream(transport: StreamableHTTPServerTransport, id: RequestId): Promise<void> {
    const error = { code: REQUEST_CANCELLED, message: "Request cancelled" };
    try {
      await transport.send({ jsonrpc: "2.0", id, error });
    } catch (problem) {
      // The client closed it already, or the session ends.
      log("debug", `HTTP: ${(problem as Error).message}`);
    }
  }

  async function serve(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
    clearTimeout(session.idle);
    session.open += 1;
    response.once("close", () => {
      session.open -= 1;
      const { sessionId } = session.transport;
      if (sessionId === undefined) void session.transport.close();
      else if (session.open === 0 && sessions.has(sessionId)) {
        session.idle = setTimeout(() => void session.transport.close(), idleSessionMs).unref();
      }
    });
    await session.transport.handleRequest(request, response);
  }

  /** Against pages in a browser that reach the server by a name of their own, or ask it from another site. */
  function problemOf({ headers }: IncomingMessage): { status: number; message: string } | undefined {
    const host = hostOf(`http://${headers.host ?? ""}`);
    if (host === undefined || !isAllowed(host, http.host))
      return { status: 403, message: `Host is not allowed: ${headers.host}` };
    if (headers.origin !== undefined && !isAllowed(hostOf(headers.origin) ?? "", http.host)) {
      return { status: 403, message: `Origin is not allowed: ${headers.origin}` };
    }
    if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) {
      return { status: 413, message: `The body is larger than ${MAX_BODY_BYTES} bytes` };
    }
    return undefined;
  }
}

/** Compares digests, so that neither content nor length shows in the time it takes. */
function isToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

function refuse(response: ServerResponse, status: number, message: string, code = -32_000): void {
  // What the client still sends is not read.
  if (status === 413) response.setHeader("connection", "close");
  send(response, status, { jsonrpc: "2.0", error: { code, message }, id: null });
}

function refuseForNow(response: ServerResponse, message: string): void {
  response.setHeader("retry-after", "60");
  refuse(response, 503, message);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

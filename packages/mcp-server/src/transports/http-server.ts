import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../host/config.js";
import type { Log } from "../host/log.js";
import { VERSION } from "../host/version.js";
import type { ServerParts } from "../protocol/server.js";
import { inUrl } from "./allowed-hosts.js";
import { originProblem, ownerOf } from "./http-access.js";
import { messagesIn, type Refusal } from "./http-body.js";
import { type Session, Sessions } from "./http-sessions.js";
import { answerStateless, isStateless } from "./http-stateless.js";
import { Places } from "./places.js";
import { SlowReaders } from "./slow-readers.js";

const MAX_SESSIONS = 100;
/** Answers of some megabytes that are on their way at once. */
const MAX_HEAVY = 8;
const MAX_REQUESTS = 512;
const IDLE_SESSION_MS = 30 * 60_000;
/** With the time between two looks they lose their place within a minute. */
const STALLED_MS = 50_000;
/** How often connections are looked at: those that are slow to send a request, and those that do not read. */
const LOOK_MS = 5_000;
const REFUSED = -32_000;
const SESSION_NOT_FOUND = -32_001;

export interface HttpOptions {
  http: Pick<Config["http"], "host" | "port" | "token">;
  /** What a server for one owner is made of; `session` tells its clients from each other. */
  partsFor(owner: string, session?: string): ServerParts;
  log: Log;
  /** Sessions at once, and requests without one. Default 100. */
  maxSessions?: number;
  /** A session without a request or an open stream ends after it. Default 30 min. */
  idleSessionMs?: number;
  /** A connection that takes nothing of the answer that waits for it is closed after it. Default 50 s. */
  stalledMs?: number;
}

/** MCP at `/mcp`, one server for each session or request without one; `GET /health` says that it lives. */
export class HttpServer {
  readonly #options: HttpOptions;
  readonly #max: number;
  readonly #server;
  readonly #sessions: Sessions;
  readonly #readers: SlowReaders;
  /** All requests, those without a session, those with a long answer. */
  readonly #places: Record<"all" | "stateless" | "heavy", Places>;

  constructor(options: HttpOptions) {
    const { maxSessions = MAX_SESSIONS, idleSessionMs = IDLE_SESSION_MS, stalledMs = STALLED_MS } = options;
    this.#options = options;
    this.#max = maxSessions;
    const lookMs = Math.min(LOOK_MS, stalledMs);
    this.#readers = new SlowReaders({ lookMs, stalledMs });
    const places = (max: number) => new Places(max, this.#readers);
    this.#places = { all: places(MAX_REQUESTS), stateless: places(maxSessions), heavy: places(MAX_HEAVY) };
    this.#sessions = new Sessions({ partsFor: options.partsFor, max: maxSessions, idleMs: idleSessionMs });
    this.#server = createServer({ connectionsCheckingInterval: LOOK_MS }, (request, response) => {
      this.#handle(request, response).catch((error: Error) => {
        options.log("error", `HTTP: ${error.message}`);
        if (response.headersSent) response.destroy();
        else refuse(response, { status: 500, code: REFUSED, message: "Internal error" });
      });
    });
    // For a request to come; a call is answered when its research has ended.
    this.#server.requestTimeout = 60_000;
    this.#server.headersTimeout = 20_000;
    this.#server.timeout = lookMs;
  }

  listen(): Promise<void> {
    const { host, port } = this.#options.http;
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host.replace(/^\[|\]$/g, ""), () => resolve());
    });
  }

  /** `http://127.0.0.1:3000` */
  url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${inUrl(address)}:${port}`;
  }

  /** Clients that are connected. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.#sessions.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { http } = this.#options;
    // Behind another one on its connection it would not hear that this closes, and stay for good.
    if (response.socket === null) return refuse(response, because(400, "Wait for the answer before you ask again"));
    this.#readers.watch(response);
    // The SDK's own headers would keep it open.
    if (/\bclose\b/i.test(request.headers.connection ?? "")) response.once("finish", () => request.socket.end());
    const problem = originProblem(request, http.host);
    if (problem !== undefined) return refuse(response, problem);
    const pathname = request.url?.split("?")[0];
    const owner = ownerOf(request, http.token);
    if (pathname === "/health" && request.method === "GET") return this.#health(response, owner);
    if (pathname !== "/mcp") return refuse(response, because(404, "Not found: MCP is at /mcp"));
    if (owner === undefined) {
      response.setHeader("www-authenticate", "Bearer");
      return refuse(response, because(401, "A bearer token is needed: MCP_SERVER_TOKEN of the server"));
    }
    if (!this.#places.all.take(response)) return busy(response, `at most ${MAX_REQUESTS} requests at once`);
    return isStateless(request)
      ? this.#serveStateless(owner, request, response)
      : this.#serveSession(owner, request, response);
  }

  /** Who has no token learns no more than that it lives. */
  #health(response: ServerResponse, owner: string | undefined): void {
    const isKnown = this.#options.http.token !== undefined && owner !== undefined;
    const more = isKnown ? { version: VERSION, sessions: this.sessionCount } : {};
    send(response, 200, { status: "ok", ...more });
  }

  async #serveStateless(owner: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#places.stateless.take(response)) return busy(response, `at most ${this.#max} requests at once`);
    const isHeavy = request.headers["mcp-method"] === "resources/read";
    if (isHeavy && !this.#places.heavy.take(response)) return busy(response, `${MAX_HEAVY} reports are read`);
    return answerStateless(request, response, this.#options.partsFor(owner));
  }

  async #serveSession(owner: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? this.#sessions.find(id, owner) : undefined;
    if (id !== undefined && session === undefined) {
      return refuse(response, { status: 404, code: SESSION_NOT_FOUND, message: "Session not found" });
    }
    if (request.method !== "POST") {
      return session === undefined
        ? refuse(response, because(400, "Mcp-Session-Id header is required"))
        : this.#sessions.serve(session, request, response);
    }
    const messages = await messagesIn(request, session?.protocolVersion);
    if (!Array.isArray(messages)) return refuse(response, messages);
    const methods = messages.map((message) => ("method" in message ? message.method : undefined));
    if (methods.includes("resources/read") && !this.#places.heavy.take(response)) {
      return busy(response, `${MAX_HEAVY} reports are read`);
    }
    let served: Session | undefined = session;
    if (served === undefined) {
      if (!methods.includes("initialize")) return refuse(response, because(400, "Mcp-Session-Id header is required"));
      served = await this.#sessions.open(owner);
      if (served === undefined) return busy(response, `at most ${this.#max} sessions`);
    }
    return this.#sessions.serve(served, request, response, messages);
  }
}

function because(status: number, message: string): Refusal {
  return { status, code: REFUSED, message };
}

function busy(response: ServerResponse, why: string): void {
  response.setHeader("retry-after", "60");
  refuse(response, because(503, `Busy: ${why}. Ask again in a minute.`));
}

function refuse(response: ServerResponse, { status, code, message, id = null }: Refusal): void {
  // What the client still sends is not read.
  if (status === 413 || status === 401) response.setHeader("connection", "close");
  send(response, status, { jsonrpc: "2.0", error: { code, message }, id });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

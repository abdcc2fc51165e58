import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Access } from "../access/access.js";
import type { Principal } from "../access/principal.js";
import type { Config } from "../host/config.js";
import { listening } from "../host/listening.js";
import type { Log } from "../host/log.js";
import { seldom } from "../host/seldom.js";
import { VERSION } from "../host/version.js";
import type { ServerParts } from "../protocol/server.js";
import type { Metrics } from "../queue/metrics.js";
import type { Page, Viewer } from "../queue/pages.js";
import { asksForResearch } from "../tools/index.js";
import { inUrl } from "./allowed-hosts.js";
import { challenge, originProblem, resourceMetadata } from "./http-access.js";
import { because, idOf, refuse, send } from "./http-answers.js";
import { BodyRoom, messagesIn, type Refusal } from "./http-body.js";
import { type Session, Sessions } from "./http-sessions.js";
import { answerStateless, headerText, isStateless } from "./http-stateless.js";
import { LoopTurns } from "./loop-turns.js";
import { INVALID_REQUEST, REFUSED } from "./message.js";
import { Places } from "./places.js";
import type { SessionMemory } from "./session-memory.js";
import { SlowReaders } from "./slow-readers.js";
import { Strangers } from "./strangers.js";
import { TenantRefusals } from "./tenant-refusals.js";

const MAX_SESSIONS = 100;
/** Of a front, which leaves the work to others. */
const MAX_SESSIONS_OF_FRONT = 500;
/** Answers of some megabytes that are on their way at once. */
const MAX_HEAVY = 4;
const MAX_REQUESTS = 512;
const IDLE_SESSION_MS = 30 * 60_000;
/** With the time between two looks they lose their place within a minute. */
const STALLED_MS = 50_000;
/** How often connections are looked at: those that are slow to send a request, and those that do not read. */
const LOOK_MS = 5_000;
/** Of one owner in a minute, for each session that the owner may have: other fronts keep what each said first for some time. */
const GREETINGS_A_SESSION = 2;
/** Of one tenant in a minute, for each request that may be answered at once: who waits 15 s for each never has as many. */
const REQUESTS_A_PLACE = 4;
/** The share of one tenant in places and sessions. */
const MOST_OF_ONE = 1 / 4;
const SESSION_NOT_FOUND = -32_001;
/** Each takes the place of a long answer. */
const ONE_REPORT: Refusal = {
  ...{ status: 400, code: INVALID_REQUEST },
  message: "Invalid request: several resources/read in a batch; send them one by one",
};

export interface HttpOptions {
  http: Pick<Config["http"], "host" | "port">;
  /** Who may come in. */
  access: Access;
  /** What a server for one principal is made of; `session` tells its clients from each other. */
  partsFor(principal: Principal, session?: string): ServerParts;
  log: Log;
  /** Pages beside `/mcp` and `/health`, by their paths: each looks by itself who may read it. Default: none. */
  pages?: Readonly<Record<string, Page>>;
  /** Where refusals are counted. Default: nowhere. */
  metrics?: Pick<Metrics, "refused">;
  /** Where other fronts find the sessions of this one. Default: they do not. */
  memory?: SessionMemory | undefined;
  /** Sessions at once, and requests without one. Default 100; where other fronts find them, 500. */
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
  readonly #refusals: TenantRefusals;
  readonly #strangers: Strangers;
  /** For what anybody can bring about. */
  readonly #seldom: Log;
  readonly #room = new BodyRoom();
  readonly #turns = new LoopTurns();
  /** All requests, those without a session, those with a long answer. */
  readonly #places: Record<"all" | "stateless" | "heavy", Places>;

  constructor(options: HttpOptions) {
    const mostSessions = options.memory === undefined ? MAX_SESSIONS : MAX_SESSIONS_OF_FRONT;
    const { maxSessions = mostSessions, idleSessionMs = IDLE_SESSION_MS, stalledMs = STALLED_MS } = options;
    this.#options = options;
    this.#max = maxSessions;
    this.#strangers = new Strangers(options.log);
    this.#seldom = seldom(options.log);
    const lookMs = Math.min(LOOK_MS, stalledMs);
    this.#readers = new SlowReaders({ lookMs, stalledMs });
    // Of many tenants none may take all there is.
    const share = options.access.hasTenants ? MOST_OF_ONE : 1;
    const mostOfOne = (max: number) => Math.ceil(max * share);
    const places = (max: number) => new Places(max, mostOfOne(max), this.#readers);
    this.#places = { all: places(MAX_REQUESTS), stateless: places(maxSessions), heavy: places(MAX_HEAVY) };
    const partsFor = (principal: Principal, session?: string) => this.#partsFor(principal, session);
    const sessions = { max: maxSessions, mostOfOne: mostOfOne(maxSessions), idleMs: idleSessionMs };
    const most = {
      greetings: GREETINGS_A_SESSION * mostOfOne(maxSessions),
      requests: options.access.hasTenants ? REQUESTS_A_PLACE * mostOfOne(MAX_REQUESTS) : undefined,
    };
    this.#refusals = new TenantRefusals(this.#seldom, most, options.metrics);
    this.#sessions = new Sessions({ partsFor, ...sessions, memory: options.memory });
    this.#server = createServer({ connectionsCheckingInterval: LOOK_MS }, (request, response) => {
      this.#handle(request, response).catch((error: Error) => {
        options.log("error", `HTTP: ${error.message}`);
        if (response.headersSent) response.destroy();
        else refuse(response, { status: 500, code: REFUSED, message: "Internal error" });
      });
    });
    // For a request to come, with the look behind it a minute; a call is answered when its research has ended.
    this.#server.requestTimeout = 60_000 - LOOK_MS;
    this.#server.headersTimeout = 20_000;
    this.#server.timeout = lookMs;
  }

  listen(): Promise<void> {
    const { host, port } = this.#options.http;
    const setBy = { host: "--host or MCP_SERVER_HOST", port: "--port or MCP_SERVER_PORT" };
    return listening(this.#server, { host, port, setBy, log: this.#options.log });
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

  /** Who is no tenant any more hears and gets nothing more, of what was begun neither. */
  drop(owner: string): void {
    this.#sessions.drop(owner);
    this.#places.all.drop(owner);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.#sessions.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { http, access } = this.#options;
    // Behind another one on its connection it would not hear that this closes, and stay for good.
    if (response.socket === null) return refuse(response, because(400, "Wait for the answer before you ask again"));
    this.#readers.watch(response);
    // The SDK's own headers would keep it open.
    if (/\bclose\b/i.test(request.headers.connection ?? "")) response.once("finish", () => request.socket.end());
    const problem = originProblem(request, http.host);
    if (problem !== undefined) {
      if (problem.status === 403) this.#strangers.tell(problem.message);
      return refuse(response, problem);
    }
    const pathname = request.url?.split("?")[0];
    if (pathname === "/health" && request.method === "GET") return this.#health(request, response);
    const metadata = request.method === "GET" ? resourceMetadata(request, access) : undefined;
    if (metadata !== undefined) return send(response, 200, metadata);
    const page = request.method === "GET" ? this.#options.pages?.[pathname ?? ""] : undefined;
    if (page !== undefined) return this.#servePage(page, request, response);
    if (pathname !== "/mcp") return refuse(response, because(404, "Not found: MCP is at /mcp"));
    const principal = await this.#principalOf(request);
    if (principal === "unknown") return refuse(response, because(503, "Who may come in cannot be found out now"));
    if (principal === undefined) {
      this.#seldom("debug", `HTTP: 401: ${request.headers.authorization ? "a token that is not taken" : "no token"}`);
      response.setHeader("www-authenticate", challenge(request, access));
      return refuse(response, because(401, "A bearer token is needed, one that this server takes"));
    }
    if (!(await this.#refusals.mayRequest(principal.owner, response))) return;
    const place = this.#places.all.take(response, principal.owner);
    if (place !== "taken")
      return this.#refusals.busy(principal, response, place, `at most ${MAX_REQUESTS} requests at once`);
    await this.#turns.next();
    return isStateless(request)
      ? this.#serveStateless(principal, request, response)
      : this.#serveSession(principal, request, response);
  }

  async #principalOf({ headers }: IncomingMessage): Promise<Principal | "unknown" | undefined> {
    try {
      return await this.#options.access.principalOf(headers.authorization);
    } catch (error) {
      this.#seldom("error", `HTTP: ${(error as Error).message}`);
      return "unknown";
    }
  }

  async #servePage(page: Page, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const viewer = await this.#viewerOf(request);
    if (viewer.owner !== undefined && !(await this.#refusals.mayRequest(viewer.owner, response))) return;
    return page(request, response, viewer);
  }

  /** Whoever has the one token there is sees all of the server, a tenant sees what is the tenant's. */
  async #viewerOf(request: IncomingMessage): Promise<Viewer> {
    const { isOpen, hasTenants } = this.#options.access;
    if (isOpen) return { all: false, isOpen };
    const principal = await this.#principalOf(request);
    if (typeof principal !== "object") return { all: false };
    return hasTenants ? { all: false, owner: principal.owner } : { all: true };
  }

  /** Who has no token learns no more than that it lives; nor does one tenant of others. */
  async #health(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { isOpen, hasTenants } = this.#options.access;
    const isKnown = !isOpen && !hasTenants && request.headers.authorization !== undefined;
    const principal = isKnown ? await this.#principalOf(request) : undefined;
    const more = typeof principal === "object" ? { version: VERSION, sessions: this.sessionCount } : {};
    send(response, 200, { status: "ok", ...more });
  }

  async #serveStateless(principal: Principal, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = this.#places.stateless.take(response, principal.owner);
    if (place !== "taken")
      return this.#refusals.busy(principal, response, place, `at most ${this.#max} requests at once`);
    const isCall = request.headers["mcp-method"] === "tools/call";
    if (
      isCall &&
      asksForResearch(headerText(request.headers["mcp-name"])) &&
      !this.#refusals.mayAsk(principal, response)
    )
      return;
    if (request.headers["mcp-method"] === "resources/read" && !this.#takeHeavy(principal, response)) return;
    return answerStateless(request, response, this.#partsFor(principal), this.#room);
  }

  #partsFor(principal: Principal, session?: string): ServerParts {
    return this.#refusals.heardIn(this.#options.partsFor(principal, session), principal);
  }

  /** A place for a long answer; `false`: the request is refused. */
  #takeHeavy(principal: Principal, response: ServerResponse): boolean {
    const place = this.#places.heavy.take(response, principal.owner);
    if (place !== "taken") this.#refusals.busy(principal, response, place, `${MAX_HEAVY} reports are read`);
    return place === "taken";
  }

  /** Here, or one that was opened at another front. */
  async #sessionOf(id: string, principal: Principal): ReturnType<Sessions["recall"]> {
    return this.#sessions.find(id, principal) ?? this.#sessions.recall(id, principal);
  }

  async #serveSession(principal: Principal, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? await this.#sessionOf(id, principal) : undefined;
    // Its client is to come again with it, not to begin anew.
    if (session === "unknown") return refuse(response, because(503, "Whose session it is cannot be found out now"));
    if (typeof session === "string")
      return this.#refusals.busy(principal, response, session, `at most ${this.#max} sessions`);
    if (id !== undefined && session === undefined) {
      return refuse(response, { status: 404, code: SESSION_NOT_FOUND, message: "Session not found" });
    }
    if (request.method !== "POST") {
      return session === undefined
        ? refuse(response, because(400, "Mcp-Session-Id header is required"))
        : this.#sessions.serve(session, request, response);
    }
    const messages = await messagesIn(request, this.#room, session?.protocolVersion);
    if (!Array.isArray(messages)) return refuse(response, messages);
    const others = messages.length - 1;
    if (!(await this.#refusals.mayRequest(principal.owner, response, { times: others }))) return;
    const methods = messages.map((message) => ("method" in message ? message.method : undefined));
    if (methods.filter((method) => method === "resources/read").length > 1) return refuse(response, ONE_REPORT);
    const call = messages.find(isCallForResearch);
    if (call !== undefined && !this.#refusals.mayAsk(principal, response, idOf(call))) return;
    if (methods.includes("resources/read") && !this.#takeHeavy(principal, response)) return;
    let served: Session | undefined = session;
    if (served === undefined) {
      const greeting = messages[methods.indexOf("initialize")];
      if (greeting === undefined) return refuse(response, because(400, "Mcp-Session-Id header is required"));
      // Where other fronts keep it.
      const isKept = this.#options.memory !== undefined;
      if (isKept && !(await this.#refusals.mayGreet(principal, response, idOf(greeting)))) return;
      const opened = await this.#sessions.open(principal);
      if (typeof opened === "string")
        return this.#refusals.busy(principal, response, opened, `at most ${this.#max} sessions`);
      served = opened;
    }
    return this.#sessions.serve(served, request, response, messages);
  }
}

function isCallForResearch(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "tools/call" && asksForResearch(message.params?.["name"]);
}

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { Principal, TenantLimits } from "../access/principal.js";
import { createServer, type ServerParts } from "../protocol/server.js";
import { keepAlive } from "./keep-alive.js";
import { greet, RENEW_MS, type SessionMemory } from "./session-memory.js";

/** MCP names no code for it; this is that of the Language Server Protocol, which is JSON-RPC too. */
const REQUEST_CANCELLED = -32_800;
/** A client that has only connected keeps its stream open for so long when others want to. */
const UNUSED_MS = 60_000;

export interface SessionsOptions {
  /** What a server for one principal is made of, whose limits may change; `session` tells its clients from each other. */
  partsFor(principal: Principal, session: string): ServerParts;
  max: number;
  /** Of one owner. */
  mostOfOne: number;
  /** A session without a request or an open stream ends after it. */
  idleMs: number;
  /** Where other fronts find the sessions of this one. Default: they do not. */
  memory?: SessionMemory | undefined;
}

export interface Session {
  readonly id: string;
  readonly owner: string;
  /** As they were with the last request: a client may keep its session for days. */
  readonly limits: TenantLimits;
  readonly transport: StreamableHTTPServerTransport;
  protocolVersion: string | undefined;
  /** What the client said first. */
  greeting: JSONRPCMessage | undefined;
  /** Requests that are being answered, streams among them. */
  open: number;
  /** Something was asked since it was opened. */
  isUsed: boolean;
  /** When the last request came, as `performance.now` gives it. */
  lastMs: number;
  /** When it was kept for other fronts. */
  keptMs: number;
  idle: NodeJS.Timeout | undefined;
}

/** Too many are in use: of all (`full`), or of one owner. */
type Crowd = "full" | "enough";
/** `unknown`: what other fronts have opened cannot be found out now. */
type Recalled = Session | Crowd | "unknown" | undefined;

/** The clients of the revisions with a handshake, a server for each. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #recalling = new Map<string, Promise<Recalled>>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** `undefined`: there is none for this owner; another's is as good as none. */
  find(id: string, { owner, limits }: Principal): Session | undefined {
    const session = this.#sessions.get(id);
    if (session?.owner !== owner) return undefined;
    become(session.limits, limits);
    return session;
  }

  /**
   * A session that was opened at another front, greeted here as it was there. `undefined`: there is none for this owner. There
   * may be no place for it now.
   */
  async recall(id: string, principal: Principal): Promise<Recalled> {
    // Of several requests of its owner at once the first brings it here.
    const key = JSON.stringify([principal.owner, id]);
    const recalling = this.#recalling.get(key) ?? this.#recall(id, principal);
    this.#recalling.set(key, recalling);
    return recalling.finally(() => this.#recalling.delete(key));
  }

  async #recall(id: string, principal: Principal): Promise<Recalled> {
    const greeting = await this.#options.memory?.greetingOf(id, principal.owner).catch(() => "unknown" as const);
    if (greeting === undefined || greeting === "unknown") return greeting;
    const opened = await this.open(principal, id);
    if (typeof opened === "string") return opened;
    take(opened, greeting);
    await greet(opened.transport, greeting);
    return opened;
  }

  /** Opens a session. If there are too many, one that nobody uses is ended for it. */
  async open(principal: Principal, id: string = randomUUID()): Promise<Session | Crowd> {
    const { owner } = principal;
    const limits = { ...principal.limits };
    const { max, mostOfOne } = this.#options;
    if (this.#of(owner) >= mostOfOne) await this.#leastUsed(owner)?.transport.close();
    if (this.#of(owner) >= mostOfOne) return mostOfOne < max ? "enough" : "full";
    if (this.size >= max) await this.#leastUsed()?.transport.close();
    if (this.size >= max) return "full";
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id, keepAliveMs: 0 });
    const lastMs = performance.now();
    const session: Session = {
      ...{ id, owner, limits, transport, protocolVersion: undefined, greeting: undefined },
      ...{ open: 0, isUsed: false, lastMs, keptMs: Number.NEGATIVE_INFINITY, idle: undefined },
    };
    const cancelled = (request: RequestId) => void endStream(transport, request);
    const server = createServer({ ...this.#options.partsFor({ owner, limits }, id), cancelled });
    server.onclose = () => {
      clearTimeout(session.idle);
      this.#sessions.delete(id);
    };
    this.#sessions.set(id, session);
    // Its accessors say `| undefined`, which the interface does not.
    await server.connect(transport as Transport);
    return session;
  }

  /** @param messages In the body of the request, already read. */
  async serve(
    session: Session,
    request: IncomingMessage,
    response: ServerResponse,
    messages?: readonly JSONRPCMessage[],
  ): Promise<void> {
    const { transport } = session;
    clearTimeout(session.idle);
    session.open += 1;
    session.lastMs = performance.now();
    // A stream may be open for days.
    const renewing = setInterval(() => session.isUsed && void this.#keep(session), RENEW_MS).unref();
    // Before the store is asked: a client may be gone by then.
    response.once("close", () => {
      clearInterval(renewing);
      session.open -= 1;
      if (transport.sessionId === undefined) void transport.close();
      else if (session.open === 0 && this.#sessions.has(session.id)) {
        session.idle = setTimeout(() => void transport.close(), this.#options.idleMs).unref();
      }
    });
    await this.#remember(session, messages ?? []);
    if (request.method === "DELETE") await this.#options.memory?.forget(session);
    keepAlive(response);
    await transport.handleRequest(request, response, messages?.length === 1 ? messages[0] : messages);
  }

  /** Who only greets is forgotten by other fronts soon, and who asks nothing any more later. */
  async #remember(session: Session, messages: readonly JSONRPCMessage[]): Promise<void> {
    const { greeting, isUsed } = session;
    for (const message of messages) take(session, message);
    const isNew = session.greeting !== greeting || session.isUsed !== isUsed;
    const isDue = session.isUsed && performance.now() - session.keptMs >= RENEW_MS;
    if (isNew || isDue) await this.#keep(session);
  }

  async #keep(session: Session): Promise<void> {
    session.keptMs = performance.now();
    await this.#options.memory?.keep(session);
  }

  /** Ends those of an owner. */
  drop(owner: string): void {
    for (const { owner: each, transport } of this.#sessions.values()) if (each === owner) void transport.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }

  #of(owner: string): number {
    return [...this.#sessions.values()].filter((session) => session.owner === owner).length;
  }

  /** @param owner Whose session may end. Default: anybody's. */
  #leastUsed(owner?: string): Session | undefined {
    const nowMs = performance.now();
    return [...this.#sessions.values()]
      .filter((session) => owner === undefined || session.owner === owner)
      .filter(({ open, isUsed, lastMs }) => open === 0 || (!isUsed && nowMs - lastMs > UNUSED_MS))
      .sort((a, b) => Number(a.isUsed) - Number(b.isUsed) || a.lastMs - b.lastMs)[0];
  }
}

/** Who was given the limits looks at them each time. */
function become(limits: TenantLimits, present: TenantLimits): void {
  for (const name of Object.keys(limits) as (keyof TenantLimits)[]) delete limits[name];
  Object.assign(limits, present);
}

function take(session: Session, message: JSONRPCMessage): void {
  if (!("method" in message)) return;
  const { method, params } = message;
  if (method === "initialize") {
    session.greeting = message;
    const { protocolVersion } = (params ?? {}) as { protocolVersion?: unknown };
    session.protocolVersion = typeof protocolVersion === "string" ? protocolVersion : undefined;
  } else if (method !== "notifications/initialized") session.isUsed = true;
}

/**
 * Ends the stream of a cancelled request. The SDK's transport ends it with the response alone, and a cancelled request
 * gets none: it would stay open, with its connection, as long as the client does. So it gets an error, which a client is
 * to ignore. To close the stream without one would take the responses of other requests along that came in the same body.
 */
async function endStream(transport: StreamableHTTPServerTransport, id: RequestId): Promise<void> {
  const error = { code: REQUEST_CANCELLED, message: "Request cancelled" };
  // The client closed it already, or the session ends.
  await transport.send({ jsonrpc: "2.0", id, error }).catch(() => {});
}

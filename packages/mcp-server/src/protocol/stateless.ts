import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { Client } from "../clients/client-limits.js";
import { CAPABILITIES, INSTRUCTIONS, SERVER_INFO } from "./server-info.js";

/** The revision without a handshake: every request says which version it speaks and who asks. */
const STATELESS_VERSION = "2026-07-28";

const META = "io.modelcontextprotocol/";
const UNSUPPORTED_VERSION = -32_022;
const RESOURCE_NOT_FOUND = -32_002;
const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;

/** Requests of the older revisions that this one has no more. */
const GONE = new Set(["initialize", "ping"]);

/** Results that must say how long they may be kept: not at all, a report may come at any time. */
const CACHEABLE = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** Who asks, as a stateless request says; `undefined`: it is of a revision with a handshake. */
export function clientIn(params: JSONRPCRequest["params"]): Client | undefined {
  const protocolVersion = versionIn(params);
  if (typeof protocolVersion !== "string") return undefined;
  const { name } = (params?._meta?.[`${META}clientInfo`] ?? {}) as { name?: unknown };
  return { protocolVersion, name: typeof name === "string" ? name : undefined };
}

/** The revision that a request says it speaks; `undefined`: one with a handshake. */
export function versionIn(params: JSONRPCRequest["params"]): unknown {
  return params?._meta?.[`${META}protocolVersion`];
}

export interface RequestError {
  code: number;
  message: string;
  data?: object;
}

/** What is wrong with a request of this revision, before anybody looks at what is asked. */
export function envelopeError({ method, params }: JSONRPCRequest): RequestError | undefined {
  const version = versionIn(params);
  const missing = [
    ...(typeof version === "string" ? [] : ["protocolVersion"]),
    ...(isObject(params?._meta?.[`${META}clientCapabilities`]) ? [] : ["clientCapabilities"]),
  ];
  if (missing.length > 0) {
    const names = missing.map((name) => META + name).join(" and ");
    return { code: INVALID_PARAMS, message: `Invalid params: _meta must hold ${names}` };
  }
  if (version !== STATELESS_VERSION) {
    const data = { supported: [STATELESS_VERSION], requested: version };
    const message = `Unsupported protocol version; supported is ${STATELESS_VERSION}`;
    return { code: UNSUPPORTED_VERSION, message, data };
  }
  return GONE.has(method) ? { code: METHOD_NOT_FOUND, message: "Method not found" } : undefined;
}

/**
 * Lets a server of the older revisions answer requests of the stateless one too: they are the same but for their
 * envelope. Nothing is kept but which requests are open.
 */
export function bothEras(client: Transport): Transport {
  const open = new Map<string | number, string>();
  const both: Transport = {
    start: () => client.start(),
    close: () => client.close(),
    send: (message) => client.send(answered(message)),
  };
  client.onclose = () => both.onclose?.();
  client.onmessage = (message) => {
    // A request that is cancelled gets no answer.
    if ("method" in message && message.method === "notifications/cancelled") {
      open.delete(message.params?.["requestId"] as string | number);
    }
    if (!isRequest(message) || versionIn(message.params) === undefined) return both.onmessage?.(message);
    const { id, method } = message;
    open.set(id, method);
    const error = envelopeError(message);
    if (error !== undefined) {
      void both.send({ jsonrpc: "2.0", id, error });
    } else if (method === "server/discover") {
      const result = { supportedVersions: [STATELESS_VERSION], capabilities: CAPABILITIES, instructions: INSTRUCTIONS };
      void both.send({ jsonrpc: "2.0", id, result });
    } else {
      both.onmessage?.(message);
    }
  };
  return both;

  function answered(message: JSONRPCMessage): JSONRPCMessage {
    const id = "method" in message ? undefined : message.id;
    const method = id === undefined ? undefined : open.get(id);
    if (id === undefined || method === undefined) return message;
    open.delete(id);
    if ("error" in message) {
      const code = message.error.code === RESOURCE_NOT_FOUND ? INVALID_PARAMS : message.error.code;
      return { ...message, error: { ...message.error, code } };
    }
    if (!("result" in message)) return message;
    const result = {
      ...message.result,
      resultType: "complete",
      _meta: { ...message.result._meta, [`${META}serverInfo`]: SERVER_INFO },
      ...(CACHEABLE.has(method) && { ttlMs: 0, cacheScope: "private" }),
    };
    return { ...message, result };
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

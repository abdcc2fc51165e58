import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** Codes of JSON-RPC. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
/** Of a server's own: a request that it does not take, or not now. */
export const REFUSED = -32_000;

/** Several messages in one: no revision since 2025-06-18 has them. */
const NO_BATCH = "a batch; send one message at a time";

const NO_MESSAGE = "not a JSON-RPC message";
const ASKING = ["jsonrpc", "id", "method", "params"];

export type ReadMessage =
  | { ok: true; message: JSONRPCMessage }
  /** `id`: of the request that waits for an answer, where there is one. */
  | { ok: false; problem: string; id: string | number | null };

/**
 * One message as the SDK takes it, which drops others without a word: what is wrong with it is said, and a key that
 * JSON-RPC does not know of such a message is left out.
 */
export function readMessage(value: unknown): ReadMessage {
  if (Array.isArray(value)) return { ok: false, problem: NO_BATCH, id: null };
  const problem = problemOfMessage(value);
  if (problem === undefined) {
    const keys = keysOf(value as Record<string, unknown>);
    const known = Object.entries(value as object).filter(([key]) => keys.includes(key));
    return { ok: true, message: Object.fromEntries(known) as unknown as JSONRPCMessage };
  }
  const isAsked = isObject(value) && "method" in value && isId(value["id"]);
  return { ok: false, problem, id: isAsked ? (value["id"] as string | number) : null };
}

/** Whether whoever sent it waits for an answer. Of a notification, and of an answer, nobody says what is wrong with it. */
export function isAnswered(value: unknown): boolean {
  if (!isObject(value)) return true;
  if ("method" in value) return "id" in value || typeof value["method"] !== "string";
  return !("result" in value || "error" in value);
}

/** What a message of this kind has. Some write both a result and an error, of which one is null. */
function keysOf(message: Record<string, unknown>): readonly string[] {
  if ("method" in message) return ASKING;
  return ["jsonrpc", "id", "result" in message && !isObject(message["error"]) ? "result" : "error"];
}

function problemOfMessage(message: unknown): string | undefined {
  if (!isObject(message)) return NO_MESSAGE;
  const { jsonrpc, id, method, params } = message;
  // Of a request that could not be read, the other side does not know the id.
  const isNameless = id === null && "error" in message;
  if (jsonrpc !== "2.0" || (id !== undefined && !isId(id) && !isNameless)) return NO_MESSAGE;
  if (method === undefined) return "result" in message || "error" in message ? undefined : NO_MESSAGE;
  return typeof method === "string" ? problemOfParams(params) : NO_MESSAGE;
}

/** What is wrong with the parameters of a request or a notification. */
function problemOfParams(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  if (!isObject(params)) return "params must be an object";
  const { _meta } = params;
  if (_meta === undefined) return undefined;
  if (!isObject(_meta)) return "params._meta must be an object";
  const { progressToken: token } = _meta;
  return token === undefined || isId(token) ? undefined : "params._meta.progressToken must be a text or a whole number";
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

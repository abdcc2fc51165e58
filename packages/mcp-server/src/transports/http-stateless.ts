import type { IncomingMessage, ServerResponse } from "node:http";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { PROTOCOL_VERSIONS } from "../protocol/handshake.js";
import { createServer, type ServerParts } from "../protocol/server.js";
import { bothEras, envelopeError, type RequestError, versionIn } from "../protocol/stateless.js";
import { type BodyRoom, messagesIn, type Refusal } from "./http-body.js";
import { keepAlive } from "./keep-alive.js";
import { INVALID_REQUEST } from "./message.js";

const METHOD_NOT_FOUND = -32_601;
const HEADER_MISMATCH = -32_020;

/** What a header must repeat of the parameters, for whoever routes requests without reading them. */
const NAMED_BY: Readonly<Record<string, "name" | "uri">> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Whether a request is of the revision without sessions, or of one that we do not know. */
export function isStateless({ headers }: IncomingMessage): boolean {
  const version = headers["mcp-protocol-version"];
  return version !== undefined && !(PROTOCOL_VERSIONS as readonly unknown[]).includes(version);
}

/**
 * Answers one request by a server of its own: a call of a tool by a stream of events, which tells what happens until
 * the answer is there, anything else by one JSON object. A client that closes the connection cancels its request.
 */
export async function answerStateless(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
  room: BodyRoom,
): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("allow", "POST");
    return refuse(response, invalid(405, "This revision knows POST alone"));
  }
  const messages = await messagesIn(request, room);
  if (!Array.isArray(messages)) {
    if (messages.unread) response.setHeader("connection", "close");
    if (messages.status === 503) response.setHeader("retry-after", "60");
    return refuse(response, messages);
  }
  const [message] = messages as [JSONRPCMessage];
  if (!isCall(message)) return refuse(response, invalid(400, "A client sends requests and notifications alone"));
  // Nothing is expected to be notified: a request is cancelled by closing its connection.
  if (!isRequest(message)) return void response.writeHead(202).end();
  const { id } = message;
  const wrong = versionMismatch(request, message) ?? envelopeError(message) ?? nameMismatch(request, message);
  if (wrong !== undefined) {
    const status = wrong.code === METHOD_NOT_FOUND ? 404 : 400;
    return answerJson(response, status, { jsonrpc: "2.0", id, error: wrong });
  }
  await serve(message, response, parts);
}

async function serve(asked: JSONRPCRequest, response: ServerResponse, parts: ServerParts): Promise<void> {
  const events = asked.method === "tools/call" ? eventsOn(response) : undefined;
  let answered = false;
  const wire: Transport = {
    async start() {},
    async close() {
      wire.onclose?.();
    },
    async send(out) {
      if ("method" in out) return events?.(out);
      answered = true;
      await events?.(out);
      if (events === undefined) answerJson(response, statusOf(out), out);
      else response.end();
    },
  };
  const server = createServer(parts);
  await server.connect(bothEras(wire));
  response.once("close", () => {
    const params = { requestId: asked.id };
    if (!answered) wire.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    void server.close();
  });
  wire.onmessage?.(asked);
}

function refuse(response: ServerResponse, { status, code, message, id }: Refusal): void {
  answerJson(response, status, { jsonrpc: "2.0", ...(id != null && { id }), error: { code, message } });
}

function answerJson(response: ServerResponse, status: number, answer: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

/** Starts a stream of events. Gives the way to send one, which resolves when the next may follow. */
function eventsOn(response: ServerResponse): (message: JSONRPCMessage) => Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  keepAlive(response);
  return (message) =>
    new Promise((resolve) => {
      response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`, () => resolve());
    });
}

/** A request whose headers say something else than its body could mislead whoever reads the headers alone. */
function versionMismatch({ headers }: IncomingMessage, { params }: JSONRPCRequest): RequestError | undefined {
  const version = versionIn(params);
  return typeof version !== "string" || version === headers["mcp-protocol-version"]
    ? undefined
    : mismatch("MCP-Protocol-Version", "protocol version");
}

function nameMismatch({ headers }: IncomingMessage, { method, params }: JSONRPCRequest): RequestError | undefined {
  if (headers["mcp-method"] !== method) return mismatch("Mcp-Method", "method");
  const field = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const name = field === undefined ? undefined : (params as Record<string, unknown> | undefined)?.[field];
  if (field === undefined || typeof name !== "string" || headerText(headers["mcp-name"]) === name) return undefined;
  return mismatch("Mcp-Name", field);
}

function mismatch(header: string, what: string): RequestError {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${header} is not the ${what} of the body` };
}

/** A value that a header cannot hold stands there in Base64. */
export function headerText(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join() : value;
  const encoded = /^=\?base64\?(.*)\?=$/.exec(text ?? "")?.[1];
  return encoded === undefined ? text : Buffer.from(encoded, "base64").toString("utf8");
}

function statusOf(message: JSONRPCMessage): number {
  return "error" in message && message.error.code === METHOD_NOT_FOUND ? 404 : 200;
}

function invalid(status: number, message: string): Refusal {
  return { status, code: INVALID_REQUEST, message };
}

function isCall(message: unknown): message is JSONRPCMessage & { method: string } {
  return "method" in (message as object);
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "id" in message;
}

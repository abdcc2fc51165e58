import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PageReader } from "./page-reader.js";

/** The name of the server and of its tool, as the runs are told. */
export const SERVER_NAME = "pages";
export const TOOL_NAME = "read_page";

const PATH = "/mcp";
const MAX_BODY = 65_536;

const TOOL = {
  name: TOOL_NAME,
  description:
    "Reads a web page, a PDF or a document of the person's own and gives its own text as Markdown: with `find` the passages around some words, with `offset` up to 15,000 characters from there on, else its beginning and its headings. Copy quotations from it word for word.",
  inputSchema: {
    type: "object",
    properties: {
      url: {
        type: "string",
        description:
          "Address of the page, with https:// or http://; of a document or a folder of documents, as you were given it.",
      },
      find: {
        type: "string",
        description:
          "Words to look for in the whole page: the passages around them are given. Use it unless you need the page from its beginning.",
      },
      offset: {
        type: "integer",
        minimum: 0,
        description: "First character to give, 0 for the beginning. An answer says where to go on.",
      },
    },
    required: ["url"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
} as const;

interface Call {
  id?: unknown;
  method?: unknown;
  params?: Record<string, unknown>;
}

/**
 * Offers the page tool on loopback, by the few messages of MCP that it needs. Each run has a token of its own;
 * whoever has none gets nothing.
 */
export class ToolServer {
  readonly #onCall: () => void;
  readonly #readers = new Map<string, PageReader>();
  #listening: Promise<{ server: Server; port: number }> | undefined;
  #holders = 0;

  /** `onCall`: hears of each message of a run. */
  constructor({ onCall }: { onCall: () => void }) {
    this.#onCall = onCall;
  }

  /** Its port, until `release()`: it listens while somebody holds it. Rejects when no port can be had. */
  async hold(): Promise<number> {
    this.#holders += 1;
    this.#listening ??= this.#listen();
    try {
      return (await this.#listening).port;
    } catch (error) {
      this.#listening = undefined;
      this.#holders -= 1;
      throw error;
    }
  }

  /** Once for each `hold()`. */
  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) void this.close();
  }

  /** Lets a run read, by the token that is given. */
  register(reader: PageReader): string {
    const token = randomBytes(32).toString("base64url");
    this.#readers.set(token, reader);
    return token;
  }

  revoke(token: string): void {
    this.#readers.delete(token);
  }

  async close(): Promise<void> {
    this.#readers.clear();
    const starting = this.#listening;
    // Who holds it from now on gets a new one.
    this.#listening = undefined;
    const listening = await starting?.catch(() => undefined);
    if (listening === undefined) return;
    listening.server.closeAllConnections();
    await new Promise((resolve) => listening.server.close(resolve));
  }

  async #listen(): Promise<{ server: Server; port: number }> {
    const server = createServer((request, response) => void this.#answer(request, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A program that has nothing else to do may end.
    server.unref();
    return { server, port: (server.address() as AddressInfo).port };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reader = this.#readers.get(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    const isHere = /^(?:127\.0\.0\.1|localhost):\d+$/.test(request.headers.host ?? "");
    if (reader === undefined || !isHere || request.url !== PATH) return end(response, reader === undefined ? 401 : 404);
    if (request.method !== "POST") return end(response, 405);
    try {
      this.#onCall();
      const call = JSON.parse(await bodyOf(request)) as Call;
      // What has no id wants no answer.
      if (call.id === undefined) return end(response, 202);
      const answer = await answerTo(call, reader);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id: call.id, ...answer }));
    } catch {
      end(response, 400);
    }
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new Error("The body is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function answerTo({ method, params = {} }: Call, reader: PageReader): Promise<object> {
  if (method === "initialize") {
    const { protocolVersion = "2025-06-18" } = params;
    return {
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: SERVER_NAME, version: "1" } },
    };
  }
  if (method === "ping") return { result: {} };
  if (method === "tools/list") return { result: { tools: [TOOL] } };
  if (method !== "tools/call")
    return { error: { code: -32601, message: `Unknown method: ${String(method).slice(0, 100)}` } };
  const { name, arguments: given } = params as { name?: unknown; arguments?: Record<string, unknown> };
  const { url, find, offset } = given ?? {};
  if (name !== TOOL_NAME || typeof url !== "string") {
    return { result: { content: [{ type: "text", text: `Expected ${TOOL_NAME} with a url.` }], isError: true } };
  }
  const { text, isError } = await reader.read({
    url,
    ...(typeof find === "string" && { find }),
    ...(offset !== null && Number.isFinite(Number(offset)) && { offset: Number(offset) }),
  });
  return { result: { content: [{ type: "text", text }], isError } };
}

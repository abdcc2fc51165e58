import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { readMessage } from "./message.js";

/** Where small texts are that all fronts share. */
export interface SharedTexts {
  remember(name: string, text: string, keepMs: number): Promise<void>;
  recall(name: string): Promise<string | undefined>;
}

/** A client may come back so long after it has greeted; one that is not known any more greets again. */
const KEEP_MS = 24 * 3_600_000;
const ID = /^[0-9a-f-]{36}$/;
/** A greeting is some hundred bytes long. */
const LONGEST = 16_384;
const ACCEPT = "application/json, text/event-stream";

/** How a client greeted, so that another front can serve it too. */
export class SessionMemory {
  readonly #texts: SharedTexts;

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  /** Keeps the greeting of a session. What cannot be kept is not found elsewhere, and its client greets again. */
  async keep(id: string, owner: string, initialize: JSONRPCMessage): Promise<void> {
    const text = JSON.stringify({ owner, initialize });
    if (text.length <= LONGEST) await this.#texts.remember(nameOf(id), text, KEEP_MS).catch(() => {});
  }

  async forget(id: string): Promise<void> {
    await this.#texts.remember(nameOf(id), "{}", 1).catch(() => {});
  }

  /** `undefined`: there is no such session of this owner. */
  async greetingOf(id: string, owner: string): Promise<JSONRPCMessage | undefined> {
    if (!ID.test(id)) return undefined;
    const kept = JSON.parse((await this.#texts.recall(nameOf(id)).catch(() => undefined)) ?? "{}");
    if (kept.owner !== owner) return undefined;
    const read = readMessage(kept.initialize);
    return read.ok ? read.message : undefined;
  }
}

const nameOf = (id: string) => `session:${id}`;

/** Greets a transport as the client did at another front; nobody reads its answer. */
export async function greet(transport: StreamableHTTPServerTransport, initialize: JSONRPCMessage): Promise<void> {
  const request = new IncomingMessage(new Socket());
  const headers = { host: "localhost", accept: ACCEPT, "content-type": "application/json" };
  const rawHeaders = Object.entries(headers).flat();
  Object.assign(request, { method: "POST", url: "/mcp", headers, rawHeaders });
  await transport.handleRequest(request, new ServerResponse(request), initialize);
}

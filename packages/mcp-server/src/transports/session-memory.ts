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

/** How often what is kept of a session that is used is kept anew. */
export const RENEW_MS = 10 * 60_000;
/** A client may come back half an hour after its session was used last; one that is not known any more greets again. */
const KEEP_MS = RENEW_MS + 30 * 60_000;
/** One that has only greeted asks something soon. Anybody may greet as often as they like. */
const KEEP_UNUSED_MS = 2 * 60_000;
const ID = /^[0-9a-f-]{36}$/;
/** Of one owner, by one front: more than may be open here. The one that was kept longest ago makes way. */
const MOST_OF_OWNER = 500;
/** A greeting is some hundred bytes long. */
const LONGEST = 4_096;
const ACCEPT = "application/json, text/event-stream";

/** A session as other fronts are to know it. */
export interface MemorableSession {
  readonly id: string;
  readonly owner: string;
  readonly greeting: JSONRPCMessage | undefined;
  /** Something was asked since it was opened. */
  readonly isUsed: boolean;
}

/** How a client greeted, so that another front can serve it too. */
export class SessionMemory {
  readonly #texts: SharedTexts;
  /** Of each owner those that this front keeps, by when they are forgotten, the one that was kept longest ago first. */
  readonly #kept = new Map<string, Map<string, number>>();

  constructor(texts: SharedTexts) {
    this.#texts = texts;
  }

  /** Keeps the greeting of a session. What cannot be kept is not found elsewhere, and its client greets again. */
  async keep({ id, owner, greeting, isUsed }: MemorableSession): Promise<void> {
    if (greeting === undefined) return;
    const text = JSON.stringify({ owner, initialize: greeting });
    const keepMs = isUsed ? KEEP_MS : KEEP_UNUSED_MS;
    if (text.length > LONGEST) return;
    const oldest = this.#toForget(owner, id, performance.now() + keepMs);
    if (oldest !== undefined) await this.forget({ id: oldest, owner });
    await this.#texts.remember(nameOf(id), text, keepMs).catch(() => {});
  }

  /** Counts one in. Gives the one that makes way for it. */
  #toForget(owner: string, id: string, untilMs: number): string | undefined {
    const kept = this.#kept.get(owner) ?? new Map<string, number>();
    // Owners stand in the order in which they kept something last.
    this.#kept.delete(owner);
    this.#kept.set(owner, kept);
    kept.delete(id);
    kept.set(id, untilMs);
    this.#forgetOld();
    return kept.size > MOST_OF_OWNER ? kept.keys().next().value : undefined;
  }

  /** What is forgotten everywhere by now. */
  #forgetOld(): void {
    const nowMs = performance.now();
    for (const [owner, kept] of this.#kept) {
      for (const [id, untilMs] of kept) if (untilMs <= nowMs) kept.delete(id);
      if (kept.size > 0) return;
      this.#kept.delete(owner);
    }
  }

  async forget({ id, owner }: Pick<MemorableSession, "id" | "owner">): Promise<void> {
    this.#kept.get(owner)?.delete(id);
    await this.#texts.remember(nameOf(id), "{}", 1).catch(() => {});
  }

  /** `undefined`: there is no such session of this owner. Rejects while that cannot be found out. */
  async greetingOf(id: string, owner: string): Promise<JSONRPCMessage | undefined> {
    if (!ID.test(id)) return undefined;
    const kept = JSON.parse((await this.#texts.recall(nameOf(id))) ?? "{}");
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

import { must } from "../fuzz/target.js";
import { type Message, messagesOf, type Reply, type Sent } from "./exchange.js";

/** What a tool answered, or why the call was refused. */
export interface Answer {
  reply: Reply;
  success: boolean;
  status?: string;
  jobId?: string;
  /** The report. */
  result: string;
  /** Of a failure; `-32602` and the like of a call that was refused. */
  code?: string;
  message: string;
  metadata: Record<string, unknown>;
}

export interface Who {
  /** Revision of the protocol. Default: 2025-06-18. */
  version?: string;
  /** Some clients get long answers in pages. */
  name?: string;
}

const PROTOCOL = "2025-06-18";
const LISTENED = { accept: "application/json, text/event-stream", "content-type": "application/json" };

/** A client with a session of its own that sends what it is told to, well-formed or not. */
export class Peer {
  readonly #exchange: (sent: Sent) => Promise<Reply>;
  readonly #token: string;
  #count = 0;
  #session: Record<string, string> = {};

  private constructor(exchange: (sent: Sent) => Promise<Reply>, token: string) {
    this.#exchange = exchange;
    this.#token = token;
  }

  static async open(
    exchange: (sent: Sent) => Promise<Reply>,
    token: string,
    { version = PROTOCOL, name = "siege" }: Who = {},
  ) {
    const peer = new Peer(exchange, token);
    const { reply } = await peer.request("initialize", {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name, version: "1" },
    });
    const id = reply.headers["mcp-session-id"];
    must(typeof id === "string", () => `no session: ${reply.status} ${reply.text.slice(0, 200)}`);
    peer.#session = { "mcp-session-id": String(id), "mcp-protocol-version": version };
    await peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return peer;
  }

  /** What belongs into the head of every request of this client. */
  get headers(): Record<string, string> {
    return { ...LISTENED, authorization: `Bearer ${this.#token}`, ...this.#session };
  }

  /** Sends this as it is. */
  send(message: unknown, more: Omit<Sent, "body"> = {}): Promise<Reply> {
    const body = typeof message === "string" ? message : JSON.stringify(message);
    return this.#exchange({ headers: this.headers, ...more, body });
  }

  /** `answer` is the message that has the request's id. */
  async request(
    method: string,
    params: unknown = {},
    more: Omit<Sent, "body"> & { id?: unknown; extra?: object } = {},
  ): Promise<{ reply: Reply; answer: Message | undefined }> {
    const { id = this.nextId(), extra = {}, ...sent } = more;
    const reply = await this.send({ jsonrpc: "2.0", id, method, params, ...extra }, sent);
    const answer = messagesOf(reply).find((message) => message["id"] === id);
    return { reply, answer };
  }

  async call(name: string, args: unknown, more: Omit<Sent, "body"> & { id?: unknown } = {}): Promise<Answer> {
    const params = { name, arguments: args, _meta: { progressToken: 1 } };
    const { reply, answer } = await this.request("tools/call", params, more);
    return read(reply, answer);
  }

  cancelled(requestId: unknown): Promise<Reply> {
    const params = { requestId, reason: "the person asked for it" };
    return this.send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }

  async close(): Promise<void> {
    await this.#exchange({ method: "DELETE", headers: this.headers, timeoutMs: 3_000 }).catch(() => {});
  }

  nextId(): number {
    this.#count += 1;
    return this.#count;
  }
}

interface ToolAnswer {
  success?: boolean;
  status?: string;
  job_id?: string;
  result?: string;
  report?: string;
  metadata?: Record<string, unknown>;
  error?: { code?: string; message?: string; details?: string };
}

/** What a tool answered with this message, or with the only one that came. */
export function read(reply: Reply, message: Message | undefined = messagesOf(reply).at(-1)): Answer {
  const refused = message?.["error"] as { code: number; message: string } | undefined;
  const nothing = { reply, success: false, result: "", metadata: {} };
  if (refused !== undefined) return { ...nothing, code: String(refused.code), message: refused.message };
  const result = message?.["result"] as
    | { isError?: boolean; content: { text: string }[]; structuredContent?: ToolAnswer }
    | undefined;
  if (result === undefined) {
    const message = reply.status === 200 ? "it ended without an answer" : reply.text.slice(0, 500);
    return { ...nothing, code: `HTTP ${reply.status}`, message };
  }
  const [content] = result.content;
  const answer = result.structuredContent ?? (JSON.parse(content?.text ?? "{}") as ToolAnswer);
  return {
    reply,
    success: answer.success === true && result.isError !== true,
    ...(answer.status !== undefined && { status: answer.status }),
    ...(answer.job_id !== undefined && { jobId: answer.job_id }),
    result: answer.result ?? answer.report ?? "",
    ...(answer.error?.code !== undefined && { code: answer.error.code }),
    message: [answer.error?.message, answer.error?.details].filter(Boolean).join("\n"),
    metadata: answer.metadata ?? {},
  };
}

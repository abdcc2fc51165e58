import { exchange, type Message, messagesOf, type Reply, type Sent } from "../siege/exchange.js";
import { type Answer, read } from "../siege/peer.js";

const VERSION = "2025-06-18";
const LISTENED = { accept: "application/json, text/event-stream", "content-type": "application/json" };
/** Longer than a call of an unknown client waits by itself. */
const ANSWER_LIMIT_MS = 75_000;
/** What one look at a job that goes on waits, in seconds. */
const LOOK_SECONDS = 20;

/** What came of a call that was followed to its end. */
export interface Outcome {
  answer: Answer;
  ms: number;
  /** Looks with `research_result` after the first answer. */
  looks: number;
}

/** A client of a tenant. It goes to another front with every request, as through a load balancer without memory. */
export class Caller {
  readonly #ports: () => readonly number[];
  readonly #token: string;
  #turn = Math.floor(Math.random() * 1_000);
  #count = 0;
  #session: Record<string, string> = {};

  private constructor(ports: () => readonly number[], token: string) {
    this.#ports = ports;
    this.#token = token;
  }

  static async open(ports: () => readonly number[], token: string): Promise<Caller> {
    const caller = new Caller(ports, token);
    const { reply, answer } = await caller.request("initialize", {
      protocolVersion: VERSION,
      capabilities: {},
      clientInfo: { name: "load", version: "1" },
    });
    if (answer?.["result"] === undefined) throw new Error(`no session: ${reply.status} ${reply.text.slice(0, 200)}`);
    const id = reply.headers["mcp-session-id"];
    caller.#session = { "mcp-protocol-version": VERSION, ...(typeof id === "string" && { "mcp-session-id": id }) };
    await caller.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return caller;
  }

  /** A client with another's session, which it has overheard. */
  withSessionOf(other: Caller | string): Caller {
    const caller = new Caller(this.#ports, this.#token);
    caller.#session =
      typeof other === "string" ? { "mcp-protocol-version": VERSION, "mcp-session-id": other } : { ...other.#session };
    return caller;
  }

  get session(): string | undefined {
    return this.#session["mcp-session-id"];
  }

  /** `front`: the index of the one that is asked. */
  async request(
    method: string,
    params: object = {},
    { front, id, ...more }: { front?: number; id?: unknown } & Omit<Sent, "body"> = {},
  ): Promise<{ reply: Reply; answer: Message | undefined }> {
    this.#count += 1;
    const used = id ?? this.#count;
    const reply = await this.#send({ jsonrpc: "2.0", id: used, method, params }, front, more);
    return { reply, answer: messagesOf(reply).find((message) => message["id"] === used) };
  }

  async call(
    name: string,
    args: object,
    more: { front?: number; id?: unknown } & Omit<Sent, "body"> = {},
  ): Promise<Answer> {
    const params = { name, arguments: args, _meta: { progressToken: 1 } };
    const { reply, answer } = await this.request("tools/call", params, more);
    return read(reply, answer);
  }

  /** Gives the status of the answer; there is nothing more to it. */
  async notify(method: string, params: object, front?: number): Promise<number> {
    return (await this.#send({ jsonrpc: "2.0", method, params }, front)).status;
  }

  /** Calls, and looks again while it goes on; so long at the most. */
  async finish(tool: string, args: object, limitMs: number): Promise<Outcome> {
    const from = performance.now();
    let answer = await this.call(tool, args);
    let looks = 0;
    while (answer.status === "running" && answer.jobId !== undefined && performance.now() - from < limitMs) {
      looks += 1;
      const { jobId } = answer;
      answer = await this.call("research_result", { job_id: jobId, wait_seconds: LOOK_SECONDS });
      answer = { jobId, ...answer };
    }
    return { answer, ms: performance.now() - from, looks };
  }

  #send(message: object, front = this.#next(), more: Omit<Sent, "body"> = {}): Promise<Reply> {
    const headers = { ...LISTENED, authorization: `Bearer ${this.#token}`, ...this.#session };
    const port = this.#ports()[front] ?? 0;
    return exchange(port, { headers, timeoutMs: ANSWER_LIMIT_MS, ...more, body: JSON.stringify(message) });
  }

  #next(): number {
    this.#turn += 1;
    return this.#turn % this.#ports().length;
  }
}

import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** Longer lines are dropped. The other side of a stdio connection has the same limit. */
const LONGEST_LINE = 10 * 1024 * 1024;

const INVALID_REQUEST = -32_600;

/**
 * JSON-RPC messages, one a line. Lines that are none are named to `onInvalid` and dropped: what a client writes cannot
 * end the server. A request that the SDK would drop without a word is refused, so that nobody waits for its answer.
 * Backpressure of a reader that is slow is waited for.
 */
export class LineTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #onInvalid: (reason: string) => void;
  #rest: Buffer[] = [];
  #restLength = 0;
  #dropping = false;

  constructor(input: Readable, output: Writable, onInvalid: (reason: string) => void) {
    this.#input = input;
    this.#output = output;
    this.#onInvalid = onInvalid;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#read);
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      // Also when it was lost: that the reader is gone is noticed elsewhere.
      this.#output.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  async close(): Promise<void> {
    this.#input.off("data", this.#read);
    this.#input.pause();
    this.onclose?.();
  }

  #read = (chunk: Buffer): void => {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, from);
      if (end < 0) break;
      this.#keep(chunk.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  };

  #keep(part: Buffer): void {
    if (part.length === 0 || this.#dropping) return;
    this.#rest.push(part);
    this.#restLength += part.length;
    if (this.#restLength <= LONGEST_LINE) return;
    this.#onInvalid(`a line of more than ${LONGEST_LINE} bytes`);
    this.#dropping = true;
    this.#rest = [];
    this.#restLength = 0;
  }

  #line(): void {
    const text = Buffer.concat(this.#rest).toString("utf8").trim();
    const dropped = this.#dropping;
    this.#dropping = false;
    this.#rest = [];
    this.#restLength = 0;
    if (dropped || text === "") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#onInvalid("a line that is not JSON");
      return;
    }
    const problem = problemOfMessage(message);
    if (problem === undefined) {
      this.onmessage?.(message as JSONRPCMessage);
      return;
    }
    this.#onInvalid(problem);
    // Who asks waits for an answer.
    if (isObject(message) && "method" in message && isId(message["id"])) {
      const error = { code: INVALID_REQUEST, message: `Invalid request: ${problem}` };
      void this.send({ jsonrpc: "2.0", id: message["id"], error });
    }
  }
}

const NO_MESSAGE = "not a JSON-RPC message";

/** What is wrong with a message: the SDK would drop it without a word. */
export function problemOfMessage(message: unknown): string | undefined {
  if (!isObject(message)) return NO_MESSAGE;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || (id !== undefined && !isId(id))) return NO_MESSAGE;
  if (method === undefined) return undefined;
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

import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

const INVALID_REQUEST = -32_600;

/** Longer lines are dropped. The other side of a stdio connection has the same limit. */
const LONGEST_LINE = 10 * 1024 * 1024;

/**
 * JSON-RPC messages, one a line. Lines that are none are named to `onInvalid` and dropped: what a client writes cannot
 * end the server. Backpressure of a reader that is slow is waited for.
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
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once("drain", resolve);
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
    if (isMessage(message)) {
      this.onmessage?.(message);
      return;
    }
    this.#onInvalid("a line that is not a JSON-RPC message");
    // Who asks waits for an answer.
    if (isObject(message) && "method" in message && isId(message["id"])) {
      const error = { code: INVALID_REQUEST, message: "Expected jsonrpc 2.0, a method, and an object for params" };
      void this.send({ jsonrpc: "2.0", id: message["id"], error });
    }
  }
}

/** The SDK leaves what does not fit unanswered. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = value;
  if (id !== undefined && !isId(id)) return false;
  if (method !== undefined && typeof method !== "string") return false;
  if (params === undefined) return true;
  if (!isObject(params)) return false;
  const { _meta: meta = {} } = params;
  return isObject(meta) && (meta["progressToken"] === undefined || isId(meta["progressToken"]));
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

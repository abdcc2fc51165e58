import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { jsonProblem } from "./json-wall.js";
import { INVALID_REQUEST, isAnswered, PARSE_ERROR, readMessage } from "./message.js";

/** Longer lines are refused. The other side of a stdio connection has the same limit. */
const LONGEST_LINE = 10 * 1024 * 1024;

/**
 * JSON-RPC messages, one a line. Lines that are none are named to `onInvalid`: what a client writes cannot end the
 * server. What may be a request is refused, as over HTTP, so that nobody waits for its answer.
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
    this.#refuse(`a line of more than ${LONGEST_LINE} bytes`);
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
    const wall = jsonProblem(text);
    if (wall !== undefined) {
      this.#refuse(wall);
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#refuse("a line that is not JSON", { code: PARSE_ERROR });
      return;
    }
    const read = readMessage(message);
    if (read.ok) {
      this.onmessage?.(read.message);
      return;
    }
    if (isAnswered(message)) this.#refuse(read.problem, { id: read.id });
    else this.#onInvalid(read.problem);
  }

  #refuse(
    problem: string,
    { id = null, code = INVALID_REQUEST }: { id?: string | number | null; code?: number } = {},
  ): void {
    this.#onInvalid(problem);
    const error = { code, message: `Invalid request: ${problem}` };
    void this.send({ jsonrpc: "2.0", id, error } as JSONRPCMessage);
  }
}

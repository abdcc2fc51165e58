import { toRecord, toText } from "../parse-record.js";

export interface JsonRpcOptions {
  write(line: string): void;
  onNotification(method: string, params: Record<string, unknown>): void;
  /** Answers a request of the other side. `undefined`: there is no such method. */
  onRequest(method: string): object | undefined;
}

/** The other side answered that a request failed. */
export class JsonRpcError extends Error {}

const METHOD_NOT_FOUND = -32601;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** One end of JSON-RPC 2.0, one message a line. */
export class JsonRpc {
  readonly #options: JsonRpcOptions;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #closed: Error | undefined;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
  }

  /** Resolves with the result. Rejects with {@link JsonRpcError}, or with what {@link close} was given. */
  request(method: string, params: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) return reject(this.#closed);
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject });
      this.#say({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    if (this.#closed === undefined) this.#say({ method, params });
  }

  #say(message: object): void {
    this.#options.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Takes a line of the other side. What is no message is passed over. */
  take(line: string): void {
    let message: Record<string, unknown>;
    try {
      message = toRecord(JSON.parse(line));
    } catch {
      return;
    }
    const { id, error } = message;
    const method = toText(message["method"]);
    if (method === undefined) this.#settle(id, message["result"], error);
    else if (id === undefined) this.#options.onNotification(method, toRecord(message["params"]));
    else this.#answer(id, method);
  }

  #settle(id: unknown, result: unknown, error: unknown): void {
    const pending = this.#pending.get(Number(id));
    this.#pending.delete(Number(id));
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new JsonRpcError(wordsOf(toRecord(error))));
  }

  #answer(id: unknown, method: string): void {
    const result = this.#options.onRequest(method);
    const error = { code: METHOD_NOT_FOUND, message: `There is no method ${method}` };
    this.#say({ id, ...(result === undefined ? { error } : { result }) });
  }

  /** Nothing comes any more: what is waited for fails. */
  close(error: Error): void {
    this.#closed ??= error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

function wordsOf({ message, data }: Record<string, unknown>): string {
  const details = toText(toRecord(data)["details"]);
  return [toText(message) ?? "It said nothing", ...(details === undefined ? [] : [details])].join(": ");
}

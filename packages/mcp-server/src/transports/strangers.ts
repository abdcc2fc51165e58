import type { Log } from "../host/log.js";

/** Whoever asks under ever new names does not fill the log. */
const MAX_TOLD = 20;

/** Tells the log of requests that are refused for the host or the origin that they name: each name once. */
export class Strangers {
  readonly #log: Log;
  readonly #told = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** @param refusal What the client is told. */
  tell(refusal: string): void {
    if (this.#told.has(refusal) || this.#told.size >= MAX_TOLD) return;
    this.#told.add(refusal);
    const last = this.#told.size === MAX_TOLD ? " Others are not told of any more." : "";
    this.#log("warn", `HTTP: refused a request. ${refusal}.${last}`);
  }
}

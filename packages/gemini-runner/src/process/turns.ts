import { setTimeout as delay } from "node:timers/promises";

/** Does one thing after another. What takes long holds up no other. */
export class Turns {
  readonly #mostMs: number;
  #before: Promise<unknown> = Promise.resolve();

  /** `mostMs`: how long one holds up the next, in milliseconds. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Rejects when the signal fires before its turn: then it holds up nobody. */
  async take<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#before;
    const done = new AbortController();
    const late = { ref: false, signal: done.signal };
    this.#before = before.then(() => delay(this.#mostMs, undefined, late)).catch(() => {});
    await before;
    try {
      signal?.throwIfAborted();
      return await act();
    } finally {
      done.abort();
    }
  }
}

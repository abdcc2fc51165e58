import { setTimeout as delay } from "node:timers/promises";

/** Does one thing after another. What takes long holds up no other. */
export class Turns {
  readonly #mostMs: number;
  #before: Promise<unknown> = Promise.resolve();

  /** `mostMs`: how long one holds up the next, in milliseconds. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  async take<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#before;
    const done = new AbortController();
    const { signal } = done;
    this.#before = before.then(() => delay(this.#mostMs, undefined, { ref: false, signal })).catch(() => {});
    await before;
    try {
      return await act();
    } finally {
      done.abort();
    }
  }
}

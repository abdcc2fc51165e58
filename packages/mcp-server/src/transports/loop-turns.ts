/**
 * Turns of the event loop, one for each who asks: what many requests want at once is begun one after another, and what
 * costs next to nothing comes between.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in a turn that nobody else has. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#begin());
    });
  }

  #begin(): void {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#begin());
  }
}

/** Lets so many pages of one host be read at a time; others wait for their turn. */
export class HostTurns {
  readonly #limit: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Does `work` when it has its turn. Rejects with the signal's reason when that is aborted before. */
  async take<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(host) ?? 0;
    if (running >= this.#limit) await this.#turn(host, signal);
    else this.#running.set(host, running + 1);
    try {
      return await work();
    } finally {
      this.#next(host);
    }
  }

  async #turn(host: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const queue = this.#waiting.get(host) ?? [];
    this.#waiting.set(host, queue);
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      queue.push(begin);
    });
  }

  /** The turn goes to the next who waits, or is given back. */
  #next(host: string): void {
    const queue = this.#waiting.get(host) ?? [];
    const begin = queue.shift();
    if (queue.length === 0) this.#waiting.delete(host);
    if (begin !== undefined) {
      begin();
      return;
    }
    const running = (this.#running.get(host) ?? 1) - 1;
    if (running === 0) this.#running.delete(host);
    else this.#running.set(host, running);
  }
}

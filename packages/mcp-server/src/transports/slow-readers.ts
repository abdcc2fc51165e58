import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface SlowReadersOptions {
  /** How often a connection is looked at: after so long without a sign of its client Node tells of it. */
  lookMs: number;
  /** A connection that takes nothing of what waits for it is closed after it. */
  stalledMs: number;
}

/** Clients that do not read their answers, which the server must keep meanwhile. */
export class SlowReaders {
  readonly #options: SlowReadersOptions;
  readonly #stalled = new WeakMap<Socket, { fromMs: number; lookedMs: number }>();

  constructor(options: SlowReadersOptions) {
    this.#options = options;
  }

  /** Closes the connection of an answer that is not read. */
  watch(response: ServerResponse): void {
    const { lookMs, stalledMs } = this.#options;
    response.on("timeout", (connection: Socket) => {
      // One where nothing waits to be read is silent because nothing happens.
      if (connection.writableLength === 0) return;
      const fromMs = this.#fromMs(connection);
      if (performance.now() - fromMs >= stalledMs) return void connection.destroy();
      this.#stalled.set(connection, { fromMs, lookedMs: performance.now() });
      connection.setTimeout(lookMs);
    });
  }

  /** For how long nothing of an answer has been read. */
  stalledMs({ socket }: ServerResponse): number {
    const stalled = socket === null ? undefined : this.#stalled.get(socket);
    return stalled !== undefined && this.#isSame(stalled) ? performance.now() - stalled.fromMs : 0;
  }

  #fromMs(connection: Socket): number {
    const before = this.#stalled.get(connection);
    return before !== undefined && this.#isSame(before) ? before.fromMs : performance.now() - this.#options.lookMs;
  }

  /** Where something was read, Node tells nothing for one time. */
  #isSame({ lookedMs }: { lookedMs: number }): boolean {
    return performance.now() - lookedMs < 1.8 * this.#options.lookMs;
  }
}

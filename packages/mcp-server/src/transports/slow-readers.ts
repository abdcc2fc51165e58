import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

export interface SlowReadersOptions {
  /** How often a connection is looked at: after so long without a sign of its client Node tells of it. */
  lookMs: number;
  /** A connection that takes nothing of what waits for it is closed after it. */
  stalledMs: number;
  /** Of all answers together that wait to be read, in bytes. Default: 32 MiB. */
  mostWaiting?: number;
}

const MOST_WAITING = 32 * 1024 * 1024;
/** Less time than it takes to make many long answers. */
const COUNT_MS = 500;

/** Clients that do not read their answers, which the server must keep meanwhile. */
export class SlowReaders {
  readonly #options: SlowReadersOptions;
  readonly #stalled = new WeakMap<Socket, { fromMs: number; lookedMs: number }>();
  readonly #open = new Set<ServerResponse>();
  #counting: NodeJS.Timeout | undefined;

  constructor(options: SlowReadersOptions) {
    this.#options = options;
  }

  /** Closes the connection of an answer that is not read: after its time, or when too much waits. */
  watch(response: ServerResponse): void {
    const { lookMs, stalledMs } = this.#options;
    this.#open.add(response);
    response.once("close", () => this.#left(response));
    this.#counting ??= setInterval(() => this.#count(), COUNT_MS).unref();
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

  #left(response: ServerResponse): void {
    this.#open.delete(response);
    if (this.#open.size > 0) return;
    clearInterval(this.#counting);
    this.#counting = undefined;
  }

  /** Of many answers that wait, whoever has read nothing for longest makes room, then whoever has most to read. */
  #count(): void {
    const waiting = [...this.#open].filter(({ writableLength }) => writableLength > 0);
    let bytes = waiting.reduce((sum, { writableLength }) => sum + writableLength, 0);
    const { mostWaiting = MOST_WAITING } = this.#options;
    if (bytes <= mostWaiting) return;
    waiting.sort((a, b) => this.stalledMs(b) - this.stalledMs(a) || b.writableLength - a.writableLength);
    // One alone is no crowd.
    for (const response of waiting.slice(0, -1)) {
      bytes -= response.writableLength;
      response.destroy();
      if (bytes <= mostWaiting) return;
    }
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

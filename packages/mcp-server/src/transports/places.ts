import type { ServerResponse } from "node:http";
import type { SlowReaders } from "./slow-readers.js";

/** Whoever reads nothing for so long yields to a newcomer. */
const YIELDS_MS = 5_000;

/** Requests of one kind that may be answered at once. */
export class Places {
  readonly #max: number;
  readonly #readers: SlowReaders;
  readonly #taken = new Set<ServerResponse>();

  constructor(max: number, readers: SlowReaders) {
    this.#max = max;
    this.#readers = readers;
  }

  /** A place until the connection is done with the answer; `false`: there is none. */
  take(response: ServerResponse): boolean {
    if (this.#taken.size >= this.#max) this.#makeRoom();
    if (this.#taken.size >= this.#max) return false;
    this.#taken.add(response);
    response.once("close", () => this.#taken.delete(response));
    return true;
  }

  #makeRoom(): void {
    for (const response of this.#taken) {
      if (this.#readers.stalledMs(response) < YIELDS_MS) continue;
      // It is told of its end later.
      this.#taken.delete(response);
      response.destroy();
      return;
    }
  }
}

import type { ServerResponse } from "node:http";
import type { SlowReaders } from "./slow-readers.js";

/** Whoever reads nothing for so long yields to a newcomer. */
const YIELDS_MS = 5_000;

/** Requests of one kind that may be answered at once. */
export class Places {
  readonly #max: number;
  readonly #mostOfOne: number;
  readonly #readers: SlowReaders;
  readonly #taken = new Map<ServerResponse, string>();

  /** @param mostOfOne Of one owner. */
  constructor(max: number, mostOfOne: number, readers: SlowReaders) {
    this.#max = max;
    this.#mostOfOne = mostOfOne;
    this.#readers = readers;
  }

  /** A place until the connection is done with the answer, or why there is none: too many of all, or of this owner. */
  take(response: ServerResponse, owner: string): "taken" | "full" | "enough" {
    if (this.#of(owner) >= this.#mostOfOne) this.#makeRoom(owner);
    if (this.#of(owner) >= this.#mostOfOne) return this.#mostOfOne < this.#max ? "enough" : "full";
    if (this.#taken.size >= this.#max) this.#makeRoom();
    if (this.#taken.size >= this.#max) return "full";
    this.#taken.set(response, owner);
    response.once("close", () => this.#taken.delete(response));
    return "taken";
  }

  /** Breaks off whatever an owner is being answered. */
  drop(owner: string): void {
    for (const [response, each] of this.#taken) if (each === owner) response.destroy();
  }

  #of(owner: string): number {
    let count = 0;
    for (const each of this.#taken.values()) if (each === owner) count += 1;
    return count;
  }

  /** @param owner Whose place is wanted. Default: anybody's. */
  #makeRoom(owner?: string): void {
    for (const [response, each] of this.#taken) {
      if (owner !== undefined && each !== owner) continue;
      if (this.#readers.stalledMs(response) < YIELDS_MS) continue;
      // It is told of its end later.
      this.#taken.delete(response);
      response.destroy();
      return;
    }
  }
}

import type { CallEnd } from "../jobs/wait.js";
import { below, type ClientLimits } from "./client-limits.js";

/**
 * What one connection has shown of its client's limit for a call, beyond what is known of such clients: the person may
 * have set another one.
 */
export class Patience {
  /** Longest time a call was open and its client still waited. */
  #heldMs = 0;
  /** Shortest time after which the client gave up. */
  #cutMs = Infinity;

  /** @param end How the call ended; `undefined`: it was answered. */
  learn(tookMs: number, end: CallEnd | undefined): void {
    if (end === "timed-out") this.#cutMs = Math.min(this.#cutMs, tookMs);
    else if (end === undefined) this.#heldMs = Math.max(this.#heldMs, tookMs);
  }

  limits(known: ClientLimits): ClientLimits {
    const { longestWaitMs } = known;
    const held =
      longestWaitMs === undefined ? known : { ...known, longestWaitMs: Math.max(longestWaitMs, this.#heldMs) };
    return this.#cutMs === Infinity ? held : { ...held, ...below(held, this.#cutMs) };
  }
}

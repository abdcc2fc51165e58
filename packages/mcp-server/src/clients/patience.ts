import type { CallEnd } from "../jobs/wait.js";
import { below, type ClientLimits } from "./client-limits.js";

/** The shortest time that a client gives a tool. */
const SHORTEST_LIMIT_MS = 4_000;
/** Calls that lasted equally long, give or take this, met the same limit of the client. */
const SAME_MS = 100;
const REMEMBERED = 20;

/**
 * What one connection has shown of its client's limit for a call, beyond what is known of such clients: the person may
 * have set another one.
 */
export class Patience {
  /** How long the calls were open that their client cancelled. */
  readonly #cancelledMs: number[] = [];
  /** Longest time a call was open and its client still waited. */
  #heldMs = 0;
  /** Shortest time after which the client gave up. */
  #cutMs = Infinity;

  /** @param end How the call ended; `undefined`: it was answered. */
  learn(tookMs: number, end: CallEnd | undefined): void {
    if (end === "timed-out") this.#cutMs = Math.min(this.#cutMs, tookMs);
    else if (end === undefined) this.#heldMs = Math.max(this.#heldMs, tookMs);
  }

  /**
   * How a call ended, when its client cancelled it. Some clients tell a time-out in the words of a person's cancel; but no
   * person cancels twice after the same time.
   */
  endOf(tookMs: number, end: CallEnd): CallEnd {
    if (end !== "cancelled" || tookMs < SHORTEST_LIMIT_MS) return end;
    if (this.#cancelledMs.some((otherMs) => Math.abs(otherMs - tookMs) <= SAME_MS)) return "timed-out";
    this.#cancelledMs.push(tookMs);
    if (this.#cancelledMs.length > REMEMBERED) this.#cancelledMs.shift();
    return end;
  }

  limits(known: ClientLimits): ClientLimits {
    const { longestWaitMs } = known;
    const held =
      longestWaitMs === undefined ? known : { ...known, longestWaitMs: Math.max(longestWaitMs, this.#heldMs) };
    return this.#cutMs === Infinity ? held : { ...held, ...below(held, this.#cutMs) };
  }
}

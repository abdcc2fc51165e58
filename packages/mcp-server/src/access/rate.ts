import { BusyError } from "../jobs/busy.js";

const MINUTE_MS = 60_000;

/** Calls of each tenant within the last minute. */
export class Rate {
  readonly #calls = new Map<string, number[]>();

  /** Counts a call. Throws a `BusyError` when there were `perMinute` within a minute. */
  take(owner: string, perMinute: number | undefined, nowMs = performance.now()): void {
    if (perMinute === undefined) return;
    const recent = (this.#calls.get(owner) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
    this.#calls.set(owner, recent);
    if (recent.length >= perMinute) {
      const retryAfterMs = MINUTE_MS - (nowMs - (recent.at(-perMinute) ?? nowMs));
      throw new BusyError(`${perMinute} calls a minute are allowed`, { scope: "tenant", retryAfterMs });
    }
    recent.push(nowMs);
  }
}

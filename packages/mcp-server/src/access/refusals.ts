import { BusyError } from "../jobs/busy.js";

/** Tenants who were told that they call too often. Until they may again, their calls are refused before anything is done for them. */
export class Refusals {
  readonly #untilMs = new Map<string, number>();

  /** Counts a call, and remembers when `count` refuses it as the limit of its tenant. Rejects as `count` does. */
  async counted(owner: string, count: () => Promise<void> | void): Promise<void> {
    try {
      await count();
    } catch (error) {
      if (error instanceof BusyError && error.scope === "tenant") {
        this.#untilMs.set(owner, performance.now() + error.retryAfterMs);
      }
      throw error;
    }
  }

  /** How long it is until the tenant may call again, in milliseconds; 0: at once. */
  leftMs(owner: string): number {
    const leftMs = (this.#untilMs.get(owner) ?? 0) - performance.now();
    if (leftMs <= 0) this.#untilMs.delete(owner);
    return Math.max(0, leftMs);
  }
}

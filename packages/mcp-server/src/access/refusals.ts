import { BusyError } from "../jobs/busy.js";

/** Tenants who were told that they call too often. Until they may again, their calls are refused before anything is done for them. */
export class Refusals {
  readonly #refusals = new Map<string, { untilMs: number; what: string }>();

  /** Counts a call, and remembers when `count` refuses it as the limit of its tenant. Rejects as `count` does. */
  async counted(owner: string, count: () => Promise<void> | void): Promise<void> {
    try {
      await count();
    } catch (error) {
      if (error instanceof BusyError && error.scope === "tenant" && error.retryAfterMs !== undefined) {
        this.#refusals.set(owner, { untilMs: performance.now() + error.retryAfterMs, what: error.what });
      }
      throw error;
    }
  }

  /** By which limit the tenant is refused, and for how many milliseconds still. `undefined`: the tenant may call. */
  of(owner: string): { what: string; leftMs: number } | undefined {
    const { what = "", untilMs = 0 } = this.#refusals.get(owner) ?? {};
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) return { what, leftMs };
    this.#refusals.delete(owner);
    return undefined;
  }
}

import { BusyError } from "../jobs/busy.js";

/** A limit by which a tenant is refused for some time. */
export interface Refusal {
  what: string;
  /** The names by which it is set. */
  limits: readonly string[];
  leftMs: number;
}

/** Tenants who were told that they ask too often. Until they may again, their calls are refused before anything is done for them. */
export class Refusals {
  readonly #refusals = new Map<string, Omit<Refusal, "leftMs"> & { untilMs: number; perMinute: number | undefined }>();

  /**
   * Counts a call, and remembers when `count` refuses it as the limit of its tenant. Rejects as `count` does.
   *
   * @param perMinute As the limit was then.
   */
  async counted(owner: string, perMinute: number | undefined, count: () => Promise<void> | void): Promise<void> {
    try {
      await count();
    } catch (error) {
      if (error instanceof BusyError && error.scope === "tenant" && error.retryAfterMs !== undefined) {
        const { what, limits, retryAfterMs } = error;
        this.#refusals.set(owner, { what, limits, perMinute, untilMs: performance.now() + retryAfterMs });
      }
      throw error;
    }
  }

  /** `undefined`: the tenant may call. A limit that has changed is looked at anew. */
  of(owner: string, perMinute: number | undefined): Refusal | undefined {
    const refusal = this.#refusals.get(owner);
    if (refusal === undefined) return undefined;
    const leftMs = refusal.untilMs - performance.now();
    if (leftMs > 0 && refusal.perMinute === perMinute) return { what: refusal.what, limits: refusal.limits, leftMs };
    this.#refusals.delete(owner);
    return undefined;
  }
}

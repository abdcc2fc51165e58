import { durationOf } from "../text/duration.js";

export interface BusyOptions {
  /** Whose limit it is: that of the one tenant who asks, or this server's. Default: this server's. */
  scope?: "tenant" | "server";
  /** When to ask again. Default: nobody knows. */
  retryAfterMs?: number;
  /** What has to happen before: a sentence. Default: the time. */
  next?: string;
}

/** There is too much to do already. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly code = "QUOTA_EXCEEDED";
  readonly scope: "tenant" | "server";
  readonly retryAfterMs: number | undefined;
  /** Of what there is too much, without a full stop. */
  readonly what: string;
  readonly details: string;

  constructor(what: string, { scope = "server", retryAfterMs, next }: BusyOptions = {}) {
    super(`Busy: ${what}.`);
    this.what = what;
    this.scope = scope;
    this.retryAfterMs = retryAfterMs && Math.ceil(retryAfterMs);
    const when = this.retryAfterMs === undefined ? "a moment" : durationOf(this.retryAfterMs);
    const again = next ?? `Ask again in ${when}.`;
    this.details = scope === "tenant" ? `The limit of this tenant: ${what}. ${again}` : again;
  }
}

import { durationOf } from "../text/duration.js";

export interface BusyOptions {
  /** It is the limit of the one tenant who asks. */
  scope?: "tenant";
  /** When to ask again. Default: in a minute. */
  retryAfterMs?: number;
  /** What has to happen before, where no time is known: a sentence. Default: the time. */
  next?: string;
}

/** There is too much to do already. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly code = "QUOTA_EXCEEDED";
  readonly scope: "tenant" | undefined;
  readonly retryAfterMs: number;
  /** Of what there is too much, without a full stop. */
  readonly what: string;
  readonly details: string;

  constructor(what: string, { scope, retryAfterMs = 60_000, next }: BusyOptions = {}) {
    super(`Busy: ${what}.`);
    this.what = what;
    this.scope = scope;
    this.retryAfterMs = Math.ceil(retryAfterMs);
    const again = next ?? `Ask again in ${durationOf(this.retryAfterMs)}.`;
    this.details = scope === "tenant" ? `The limit of this tenant: ${what}. ${again}` : again;
  }
}

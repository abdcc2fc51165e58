import { durationOf } from "../text/duration.js";

export interface BusyOptions {
  /** Whose limit it is: that of the one tenant who asks, or this server's. Default: this server's. */
  scope?: "tenant" | "server";
  /** When to ask again. Default: nobody knows. */
  retryAfterMs?: number;
  /** What has to happen before: a sentence. Default: the time. */
  next?: string;
  /** By which names whoever runs this server sets what there is too much of. Default: it is not set. */
  limits?: readonly string[];
}

/** There is too much to do already. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly code = "QUOTA_EXCEEDED";
  readonly scope: "tenant" | "server";
  readonly retryAfterMs: number | undefined;
  readonly limits: readonly string[];
  /** Of what there is too much, without a full stop. */
  readonly what: string;
  readonly details: string;

  constructor(what: string, { scope = "server", retryAfterMs, next, limits = [] }: BusyOptions = {}) {
    super(`Busy: ${what}.`);
    this.what = what;
    this.scope = scope;
    this.limits = limits;
    this.retryAfterMs = retryAfterMs && Math.ceil(retryAfterMs);
    const when = this.retryAfterMs === undefined ? "a moment" : durationOf(this.retryAfterMs);
    const again = next ?? `Ask again in ${when}.`;
    this.details = scope === "tenant" ? `${limitOfTenant(what, limits)} ${again}${whereSet(limits)}` : again;
  }
}

/** A sentence. */
export function limitOfTenant(what: string, limits: readonly string[]): string {
  const named = limits.length === 0 ? "" : ` ${limits.join(" and ")}`;
  return `The limit${limits.length > 1 ? "s" : ""}${named} of this tenant: ${what}.`;
}

/** A sentence after others; none for what nobody sets. */
export function whereSet(limits: readonly string[]): string {
  if (limits.length === 0) return "";
  return " Whoever runs this server sets that: MCP_SERVER_LIMITS, or for a tenant of the file of tokens `x-research token limits`.";
}

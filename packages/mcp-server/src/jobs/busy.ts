/** There is too much to do already. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly code = "QUOTA_EXCEEDED";
  /** When to ask again. */
  readonly retryAfterMs = 60_000;
  readonly details = "Ask again in a minute.";

  constructor(what: string) {
    super(`Busy: ${what}.`);
  }
}

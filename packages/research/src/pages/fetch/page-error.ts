/** Why a page was not read. */
export type PageErrorReason =
  | "address"
  | "robots"
  | "status"
  | "redirects"
  | "timeout"
  | "network"
  | "too-large"
  | "unreadable"
  | "cancelled";

/** A page was not read. The message is for the model and the person, and follows the address of the page. */
export class PageError extends Error {
  override readonly name = "PageError";
  /** Why, as a word that does not change. */
  readonly reason: PageErrorReason;
  /** With `status`: what the server answered. */
  readonly status?: number;

  constructor(reason: PageErrorReason, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    if (options.status !== undefined) this.status = options.status;
  }
}

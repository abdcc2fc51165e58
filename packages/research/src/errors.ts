export type ResearchErrorCode =
  | "CLI_NOT_FOUND"
  | "AUTH_REQUIRED"
  | "QUOTA_EXCEEDED"
  | "MODEL_NOT_FOUND"
  | "CANCELLED"
  | "INVALID_INPUT"
  | "RESEARCH_FAILED"
  | "EXECUTION_ERROR";

/** The one error that research throws. What the CLI's runner threw is its `cause`. */
export class ResearchError extends Error {
  override readonly name = "ResearchError";
  readonly code: ResearchErrorCode;
  /** More for the person: the last lines of stderr, the model's own report of failure. Never a stack. */
  readonly details?: string;

  constructor(code: ResearchErrorCode, message: string, options: { details?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.details !== undefined) this.details = options.details;
  }
}

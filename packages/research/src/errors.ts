/** What went wrong, as a word that does not change. */
export type ResearchErrorCode =
  | "CLI_NOT_FOUND"
  | "AUTH_REQUIRED"
  | "QUOTA_EXCEEDED"
  | "MODEL_NOT_FOUND"
  | "CANCELLED"
  | "INVALID_INPUT"
  | "RESEARCH_FAILED"
  | "EXECUTION_ERROR"
  | "UNEXPECTED_ERROR";

/** What else an error says; see the fields of {@link ResearchError}. */
export interface ResearchErrorOptions {
  /** Default: none. */
  reason?: "unreadable" | undefined;
  /** Default: none. */
  details?: string | undefined;
  /** Default: none. */
  scope?: "day" | "minute" | undefined;
  /** Milliseconds. Default: none. */
  retryAfterMs?: number | undefined;
  /** What the user can do about it. Default: none. */
  nextStep?: string | undefined;
  /** What was thrown before. Default: nothing. */
  cause?: unknown;
}

/** The one error that research throws. What the CLI's runner threw is its `cause`. */
export class ResearchError extends Error {
  /** `ResearchError`. */
  override readonly name = "ResearchError";
  /** What went wrong; compare this, not the class: a program may hold two copies of it. */
  readonly code: ResearchErrorCode;
  /** With `EXECUTION_ERROR`: `unreadable` when no attempt gave an answer of the asked form. */
  readonly reason?: "unreadable";
  /** More for the person: the last lines of stderr, the model's own report of failure. Never a stack. */
  readonly details?: string;
  /** With `QUOTA_EXCEEDED`: which limit. */
  readonly scope?: "day" | "minute";
  /** With `QUOTA_EXCEEDED`: how many milliseconds the API asks to wait. */
  readonly retryAfterMs?: number;
  /** What the user can do about it, where the runner knows: one or two sentences that may follow the message. */
  readonly nextStep?: string;

  constructor(code: ResearchErrorCode, message: string, options: ResearchErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.reason !== undefined) this.reason = options.reason;
    if (options.details !== undefined) this.details = options.details;
    if (options.scope !== undefined) this.scope = options.scope;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.nextStep !== undefined) this.nextStep = options.nextStep;
  }
}

const RUNNER_CODES = new Set([
  "CLI_NOT_FOUND",
  "AUTH_REQUIRED",
  "QUOTA_EXCEEDED",
  "MODEL_NOT_FOUND",
  "CANCELLED",
  "EXECUTION_ERROR",
]);

/** The fields of the runner's error that are read here. Its class is not compared: there may be two copies of it. */
export interface RunFailure {
  code: Exclude<ResearchErrorCode, "INVALID_INPUT" | "RESEARCH_FAILED" | "UNEXPECTED_ERROR">;
  message: string;
  reason?: string;
  scope?: "day" | "minute";
  retryAfterMs?: number;
  exitCode?: number;
  stderr?: string;
  text?: string;
  nextStep?: string;
}

/** The failure of a run as a process, or `undefined` for every other error. */
export function runFailure(error: unknown): RunFailure | undefined {
  if (!(error instanceof Error) || error instanceof ResearchError) return undefined;
  return RUNNER_CODES.has((error as { code?: unknown } & Error).code as string)
    ? (error as unknown as RunFailure)
    : undefined;
}

/** Whatever was thrown, as the error that research throws. */
export function toResearchError(error: unknown): ResearchError {
  if (error instanceof ResearchError) return error;
  const failure = runFailure(error);
  if (failure === undefined) {
    const message = error instanceof Error ? error.message : String(error);
    return new ResearchError("EXECUTION_ERROR", message, { cause: error });
  }
  const { code, message, stderr, scope, retryAfterMs, nextStep } = failure;
  return new ResearchError(code, message, {
    details: lastWords(stderr, message),
    scope,
    retryAfterMs,
    nextStep,
    cause: error,
  });
}

/** The end of what the CLI wrote to stderr, unless all of it stands in the message. */
function lastWords(stderr = "", message: string): string | undefined {
  const words = stderr.trim();
  if (message.includes(words.replace(/\s+/g, " "))) return undefined;
  return words.split("\n").slice(-20).join("\n").slice(-2_000);
}

/** The model said `success: false`; what it reports is for the person. */
export function modelFailed(what: "search" | "research", report: string): ResearchError {
  const details = report.trim() || "It gave no reason.";
  return new ResearchError("EXECUTION_ERROR", `The model reported that the ${what} failed.`, { details });
}

/** Whether no further run can help: the CLI is missing, nobody is signed in, the day's quota is used up. */
export function endsResearch(error: unknown): boolean {
  const { code, scope } = error as { code?: unknown; scope?: unknown };
  return code === "CLI_NOT_FOUND" || code === "AUTH_REQUIRED" || (code === "QUOTA_EXCEEDED" && scope === "day");
}

/** A kept research cannot be read; `where` names its record for the person. */
export function damagedRecord(where: string, more: { details?: string; cause?: unknown }): ResearchError {
  return new ResearchError(
    "EXECUTION_ERROR",
    `The saved research is damaged: ${where}. Delete it and start the research again.`,
    more,
  );
}

export type RunnerErrorCode =
  | "CLI_NOT_FOUND"
  | "AUTH_REQUIRED"
  | "QUOTA_EXCEEDED"
  | "MODEL_NOT_FOUND"
  | "CANCELLED"
  | "EXECUTION_ERROR";

/** Why a run with `EXECUTION_ERROR` failed. */
export type ExecutionReason =
  | "timeout"
  | "idle"
  | "tool-timeout"
  | "crash"
  | "network"
  | "server"
  | "empty"
  | "blocked"
  | "thinking-only"
  | "loop"
  | "too-long"
  | "truncated"
  | "untrusted"
  | "settings"
  | "input"
  | "turns"
  | "unsupported-version"
  | "spawn"
  | "workspace"
  | "closed";

export interface RunnerErrorOptions {
  reason?: ExecutionReason;
  scope?: "day" | "minute";
  retryAfterMs?: number;
  retryable?: boolean;
  exitCode?: number;
  stderr?: string;
  text?: string;
  nextStep?: string;
  cause?: unknown;
}

/** The one error that a run throws. Its message says what happened. */
export class RunnerError extends Error {
  override readonly name = "RunnerError";
  readonly code: RunnerErrorCode;
  /** With `EXECUTION_ERROR`: what went wrong. */
  readonly reason?: ExecutionReason;
  /** With `QUOTA_EXCEEDED`: which limit. A day's quota does not come back within a run. */
  readonly scope?: "day" | "minute";
  /** With `QUOTA_EXCEEDED`: how long the API asks to wait. */
  readonly retryAfterMs?: number;
  /** Whether the same run may succeed when it is tried again. */
  readonly retryable: boolean;
  readonly exitCode?: number;
  /** The last lines the CLI wrote to stderr that say more than the message, without its stacks and its notes about starting up. */
  readonly stderr?: string;
  /** What the model had said before a run ended as `truncated`. */
  readonly text?: string;
  /** What the user can do about it, where it is known: one or two sentences that may follow the message. */
  readonly nextStep?: string;

  constructor(code: RunnerErrorCode, message: string, options: RunnerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
    if (options.reason !== undefined) this.reason = options.reason;
    if (options.scope !== undefined) this.scope = options.scope;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.exitCode !== undefined) this.exitCode = options.exitCode;
    if (options.stderr !== undefined) this.stderr = options.stderr;
    if (options.text !== undefined) this.text = options.text;
    if (options.nextStep !== undefined) this.nextStep = options.nextStep;
  }
}

/** The error for input that cannot be used: `EXECUTION_ERROR` (`input`). */
export function invalidInput(message: string, nextStep?: string): RunnerError {
  return new RunnerError("EXECUTION_ERROR", message, {
    reason: "input",
    ...(nextStep === undefined ? {} : { nextStep }),
  });
}

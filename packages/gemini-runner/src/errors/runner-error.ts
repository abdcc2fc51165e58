import { nextStepOf } from "./next-steps.js";

/** What a run failed of, as far as the person has to do something about it. */
export type RunnerErrorCode =
  /** There is no Gemini CLI. */
  | "CLI_NOT_FOUND"
  /** The user is not signed in, or may not use the model. */
  | "AUTH_REQUIRED"
  /** A limit of the API is reached: see `scope`. */
  | "QUOTA_EXCEEDED"
  /** There is no such model. */
  | "MODEL_NOT_FOUND"
  /** The run's signal fired. */
  | "CANCELLED"
  /** Everything else: see `reason`. */
  | "EXECUTION_ERROR";

/** Why a run failed, where the code alone does not say it: always with `EXECUTION_ERROR`. */
export type ExecutionReason =
  /** With `AUTH_REQUIRED`: the API refused the key. */
  | "key-refused"
  /** With `AUTH_REQUIRED`: Vertex AI is chosen, and there are no Google credentials. */
  | "no-credentials"
  /** The run took longer than `timeoutMs`. */
  | "timeout"
  /** The run said nothing for `idleTimeoutMs`. */
  | "idle"
  /** A call of a tool took longer than `toolTimeoutMs`. */
  | "tool-timeout"
  /** The program ended without a reason that is known. */
  | "crash"
  /** The API could not be reached. */
  | "network"
  /** The API failed. */
  | "server"
  /** The model said nothing. */
  | "empty"
  /** The API kept the answer back. */
  | "blocked"
  /** The model thought and said nothing. */
  | "thinking-only"
  /** The CLI stopped the model because it repeated itself. */
  | "loop"
  /** The prompt is too long. */
  | "too-long"
  /** The answer was cut off at the model's limit; `text` has what there is. */
  | "truncated"
  /** The CLI does not trust its working directory. */
  | "untrusted"
  /** The CLI cannot read a settings file. */
  | "settings"
  /** The request or an option cannot be used. */
  | "input"
  /** The model was asked more often than `maxTurns`, or than the CLI allows; `text` has what it had said. */
  | "turns"
  /** The model made more calls of tools than `maxToolCalls`; `text` has what it had said. */
  | "tool-calls"
  /** The CLI is too old. */
  | "unsupported-version"
  /** The program cannot be started. */
  | "spawn"
  /** The folder of the runs cannot be written, or is not safe. */
  | "workspace"
  /** The program wrote more than `maxOutputBytes`. */
  | "output-limit"
  /** The runner was closed. */
  | "closed";

/** What a {@link RunnerError} holds beside its code and its message: the fields of the same names. */
export interface RunnerErrorOptions
  extends Partial<
    Pick<
      RunnerError,
      | "reason"
      | "scope"
      | "retryAfterMs"
      | "model"
      | "newerCli"
      | "keyVariable"
      | "keyFile"
      | "retryable"
      | "repeated"
      | "unbegun"
      | "exitCode"
      | "stderr"
      | "text"
      | "nextStep"
    >
  > {
  /** What it was caused by. */
  cause?: unknown;
}

/** The one error that a run throws. Its message says what happened. */
export class RunnerError extends Error {
  /** `"RunnerError"`. */
  override readonly name = "RunnerError";
  /** What to tell errors apart by, also across packages. */
  readonly code: RunnerErrorCode;
  /** What went wrong, where the code alone does not say it. */
  declare readonly reason?: ExecutionReason;
  /** With `QUOTA_EXCEEDED`: which limit. A day's quota does not come back within a run. */
  declare readonly scope?: "day" | "minute";
  /** With `QUOTA_EXCEEDED`: how long the API asks to wait, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** With `QUOTA_EXCEEDED` and `MODEL_NOT_FOUND`: the model that was asked, where it is known. */
  declare readonly model?: string;
  /** With `unsupported-version`: a CLI on PATH that is new enough. An absolute path. */
  declare readonly newerCli?: string;
  /** With `key-refused`: the variable that held the key, `GEMINI_API_KEY` or `GOOGLE_API_KEY`. `undefined`: the CLI keeps it itself. */
  declare readonly keyVariable?: string;
  /** With `keyVariable`: the file whose line set it, as `~/.gemini/.env`. `undefined`: the environment. */
  declare readonly keyFile?: string;
  /** Whether the same run may succeed when it is tried again a little later. */
  readonly retryable: boolean;
  /** The CLI itself has tried again in vain: to run all again would be a third time. */
  readonly repeated: boolean;
  /** The program ended before it did anything with its prompt: nothing was spent. */
  readonly unbegun: boolean;
  /** The program's exit code, when it ended by itself. */
  declare readonly exitCode?: number;
  /** The last lines of stderr that say more than the message, without stacks and notes about starting up. */
  declare readonly stderr?: string;
  /** With `truncated`, `turns` and `tool-calls`: what the model had said before it was cut off. */
  declare readonly text?: string;
  /** What the user can do about it, where it is known: one or two sentences that may follow the message. */
  declare readonly nextStep?: string;

  constructor(code: RunnerErrorCode, message: string, options: RunnerErrorOptions = {}) {
    const { cause, retryable = false, repeated = false, unbegun = false, stderr, text, ...rest } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
    this.repeated = repeated;
    this.unbegun = unbegun;
    const nextStep = rest.nextStep ?? nextStepOf(code, rest.reason);
    // A field that is not known is not there.
    Object.assign(this, rest, nextStep === undefined ? {} : { nextStep });
    // What is long is no part of what a console shows.
    for (const [name, value] of Object.entries({ stderr, text })) {
      if (value !== undefined) Object.defineProperty(this, name, { value });
    }
  }
}

/** The error for input that cannot be used: `EXECUTION_ERROR` (`input`). */
export function invalidInput(message: string, nextStep?: string): RunnerError {
  return new RunnerError("EXECUTION_ERROR", message, {
    reason: "input",
    ...(nextStep === undefined ? {} : { nextStep }),
  });
}

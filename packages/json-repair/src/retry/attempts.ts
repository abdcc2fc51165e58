import { type Attempt, JsonExtractError, named } from "../errors.js";
import { extractJson } from "../extract.js";
import { checkOptions, type ExtractOptions, type ExtractSuccess } from "../result.js";
import type { StandardSchemaV1 } from "../schema/standard-schema.js";

/** What `generate` and `correct` give: a text, or a run that tells its events and returns the text. */
export type Generation<E> = Promise<string> | AsyncGenerator<E, string, void>;

/** The platform's `AbortSignal`; a program that has no type for it, neither Node's nor the DOM's, needs none. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : object;

/** How a text is asked for, read, corrected and asked for again. */
export interface AttemptOptions<T, E = never> {
  /** The shape that is asked for. Default: any object or list. */
  schema?: StandardSchemaV1<unknown, T>;
  /** How the text is read. The schema is given as `schema`, not here. */
  extract?: Omit<ExtractOptions<T>, "schema">;
  /** Asks the model. What it throws is thrown on at once, unless `shouldRetry` says otherwise. */
  generate(context: { attempt: number; signal: Signal | undefined }): Generation<E>;
  /**
   * Asks for a better form of a text that could not be read. What it throws counts as a failed correction, and the
   * next attempt follows. If the error concerns `generate` too, it comes up there.
   */
  correct?(context: {
    attempt: number;
    text: string;
    error: JsonExtractError;
    signal: Signal | undefined;
  }): Generation<E>;
  /** Default 3. */
  attempts?: number;
  /** Waits between the attempts, in order; the last one repeats. Default 1 s, 2 s, 5 s. */
  delaysMs?: readonly number[];
  /** Whether another attempt may help. Default: for an answer that could not be read, and nothing else. */
  shouldRetry?(error: unknown): boolean;
  /**
   * Whether to stop before the last attempt when two corrections in a row ended in the same text, or both gave back
   * what they were given: asking again would cost a run and change nothing. Default true.
   */
  stopOnRepeat?: boolean;
  /** Ends it between and during runs. Default: none. */
  signal?: Signal;
  /** Milliseconds for all attempts and waits together. Default: no limit. */
  deadlineMs?: number;
  /** Is called with the answer that was taken, before it is returned. */
  onAccepted?(answer: AcceptedAnswer<T>): void;
  /** Waits; for tests. Default: a timer. */
  sleep?(ms: number, signal?: Signal): Promise<void>;
  /** Gives milliseconds; for tests. Default: `Date.now`. */
  now?(): number;
}

/** The answer that was taken: how it was read, and from which text. */
export interface AcceptedAnswer<T> extends ExtractSuccess<T> {
  /** From 1. */
  attempt: number;
  /** Whether the text came from `correct`. */
  corrected: boolean;
  /** The text it was read from. */
  text: string;
}

/** What happens, in order. */
export type AttemptEvent =
  /** `generate` is called; `of` is the number of attempts at most. */
  | { type: "attempt-start"; attempt: number; of: number }
  /** `generate` threw, or its text cannot be read. */
  | { type: "attempt-failed"; attempt: number; of: number; error: unknown }
  /** `correct` is called with the text and this error. */
  | { type: "correction-start"; attempt: number; error: JsonExtractError }
  /** `correct` threw, or its text cannot be read either; `reason` is the message of `error`. */
  | { type: "correction-failed"; attempt: number; reason: string; error: unknown }
  /** `attempt` is the one that follows the wait. */
  | { type: "wait"; ms: number; attempt: number };

/**
 * Generate, extract, correct, wait, again: yields what happens, the events of `generate` and `correct` among it, and
 * returns the first value that fits.
 *
 * Throws a `JsonExtractError`: `exhausted` after the last attempt, with every attempt in `attempts`; `aborted` when
 * the signal or the deadline ended it between runs; `invalid-options` before the first call. What `generate` throws
 * goes up as it is.
 */
export async function* jsonAttempts<T, E = never>(
  options: AttemptOptions<T, E>,
): AsyncGenerator<E | AttemptEvent, T, void> {
  const { correct, attempts: of = 3, delaysMs = [1_000, 2_000, 5_000], stopOnRepeat = true } = options;
  const { signal: outer, deadlineMs, shouldRetry = isUnreadable, sleep = wait, now = Date.now } = options;
  const extract = checked(options, of);
  const failed: Attempt[] = [];
  const started = now();
  const limit = deadlineMs === undefined ? undefined : timeLimit(deadlineMs);
  const signal = outer && limit ? AbortSignal.any([outer, limit.signal]) : (outer ?? limit?.signal);
  const check = () => {
    if (signal?.aborted || now() - started >= (deadlineMs ?? Infinity))
      throw aborted(failed, outer?.aborted ? undefined : deadlineMs, signal?.reason);
  };

  try {
    for (let attempt = 1; ; attempt++) {
      check();
      yield { type: "attempt-start", attempt, of };
      const since = now();
      const first = yield* outcomeOf("generate", () => options.generate({ attempt, signal }), extract);
      if ("value" in first) return accepted({ ...first, attempt, corrected: false }, options);
      const { text, error } = first;
      const isFinal = !shouldRetry(error);
      if (text === undefined && (signal?.aborted || isFinal)) throw error;
      yield { type: "attempt-failed", attempt, of, error };
      const record: Attempt = { attempt, ...first, durationMs: now() - since };
      failed.push(record);
      if (isFinal) throw error;

      if (correct && text !== undefined && error instanceof JsonExtractError) {
        check();
        yield { type: "correction-start", attempt, error };
        const ask = () => correct.call(options, { attempt, text, error, signal });
        const second = yield* outcomeOf("correct", ask, extract);
        if ("value" in second) return accepted({ ...second, attempt, corrected: true }, options);
        if (second.text === undefined && signal?.aborted) throw second.error;
        record.correction = second;
        record.durationMs = now() - since;
        yield { type: "correction-failed", attempt, reason: messageOf(second.error), error: second.error };
      }

      const repeats = stopOnRepeat && isRepeat(failed);
      if (attempt >= of || repeats) throw exhausted(failed, repeats && attempt < of);
      check();
      const ms = delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
      if (ms <= 0) continue;
      yield { type: "wait", ms, attempt: attempt + 1 };
      await sleep(ms, signal).catch((thrown: unknown) => {
        check();
        throw thrown;
      });
    }
  } finally {
    limit?.end();
  }
}

function accepted<T>(answer: AcceptedAnswer<T>, options: AttemptOptions<T, unknown>): T {
  options.onAccepted?.(answer);
  return answer.value;
}

/** How the text is read; throws for an option that is wrong. */
function checked<T, E>(
  { schema, generate, correct, deadlineMs = 0, ...options }: AttemptOptions<T, E>,
  of: number,
): ExtractOptions<T> {
  if (!(Number.isInteger(of) && of >= 1)) throw new RangeError(`attempts must be a whole number from 1, not ${of}`);
  if (!(deadlineMs >= 0)) throw new RangeError(`deadlineMs must be a number from 0, not ${deadlineMs}`);
  const extract = { ...options.extract, ...(schema !== undefined && { schema }) };
  checkOptions({ ...extract, generate: generate ?? null, correct });
  return extract;
}

/** {@link jsonAttempts} without its events. */
export async function generateJson<T>(options: AttemptOptions<T, unknown>): Promise<T> {
  const attempts = jsonAttempts(options);
  let step = await attempts.next();
  while (!step.done) step = await attempts.next();
  return step.value;
}

/** What a run gave: an answer, or what is wrong with its text, or with the run. */
async function* outcomeOf<T, E>(
  name: string,
  start: () => Generation<E>,
  extract: ExtractOptions<T>,
): AsyncGenerator<E, (ExtractSuccess<T> & { text: string }) | { text?: string; error: unknown }, void> {
  try {
    const run = start();
    const streams = typeof run === "object" && run !== null && Symbol.asyncIterator in run;
    const text: unknown = streams ? yield* run : await run;
    if (typeof text !== "string")
      throw new JsonExtractError("not-found", `${name} must give a text as a string, got ${named(text)}`);
    const result = extractJson(text, extract);
    return result.ok ? { ...result, text } : { text, error: result.error };
  } catch (error) {
    return { error };
  }
}

/** Whether another text may help: not where it is the fault of the program. */
function isUnreadable(error: unknown): boolean {
  return error instanceof JsonExtractError && error.code !== "async-schema" && error.code !== "invalid-options";
}

function isRepeat(failed: readonly Attempt[]): boolean {
  const [before, last] = failed.slice(-2);
  const [first, second] = [before?.correction?.text, last?.correction?.text];
  if (first === undefined || second === undefined) return false;
  return first === second || (first === before?.text && second === last?.text);
}

/** Ended by the signal, or by the deadline. */
function aborted(attempts: readonly Attempt[], deadlineMs: number | undefined, cause: unknown): JsonExtractError {
  const stopped = deadlineMs === undefined ? "cancelled" : `stopped by the deadline of ${deadlineMs} ms`;
  const message = `${stopped} after ${count(attempts, "failed attempt")}`;
  return new JsonExtractError("aborted", message, { attempts, text: attempts.at(-1)?.text ?? "", cause });
}

function exhausted(attempts: readonly Attempt[], repeats: boolean): JsonExtractError {
  const last = attempts.at(-1);
  const cause = last?.correction && !(last.error instanceof JsonExtractError) ? last.correction.error : last?.error;
  const corrections = attempts.filter((attempt) => attempt.correction);
  const tried = `${count(attempts, "attempt")}${corrections.length > 0 ? ` and ${count(corrections, "correction")}` : ""}`;
  const why = repeats ? "; stopped early because the corrections repeat themselves" : "";
  const message = `no fitting JSON after ${tried}${why}: ${messageOf(cause)}`;
  const { at, issues = [], closest } = cause instanceof JsonExtractError ? cause : ({} as Partial<JsonExtractError>);
  return new JsonExtractError("exhausted", message, { text: last?.text ?? "", at, issues, closest, attempts, cause });
}

function count({ length }: readonly unknown[], what: string): string {
  return `${length} ${what}${length === 1 ? "" : "s"}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Until the time has passed, or the signal is aborted. */
function wait(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener("abort", done);
  });
}

/** The longest time that a timer takes; of a longer one it makes 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A signal that aborts as that of `AbortSignal.timeout` does, and whose timer can be ended before. */
function timeLimit(ms: number) {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  const timer = setTimeout(late, Math.min(ms, LONGEST_TIMER_MS));
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

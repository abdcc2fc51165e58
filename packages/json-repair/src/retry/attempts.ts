import { type Attempt, JsonExtractError, type JsonExtractErrorCode } from "../errors.js";
import { extractJson } from "../extract.js";
import { checkFunction, checkOptions, named } from "../options.js";
import type { ExtractOptions, ExtractResult, ExtractSuccess } from "../result.js";
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
  const { schema, attempts: of = 3, delaysMs = [1_000, 2_000, 5_000], stopOnRepeat = true } = options;
  const { shouldRetry = isUnreadable, sleep = wait, now = Date.now } = options;
  const extract: ExtractOptions<T> = { ...options.extract, ...(schema !== undefined && { schema }) };
  checkAttempts(options, of, extract);
  const read = (text: string) => extractJson<T>(text, extract);
  const accept = (answer: ExtractSuccess<T>, attempt: number, corrected: boolean, text: string): T => {
    options.onAccepted?.({ ...answer, attempt, corrected, text });
    return answer.value;
  };
  const failed: Attempt[] = [];
  const { signal, check, clear } = endOf(options, failed);

  try {
    for (let attempt = 1; ; attempt++) {
      check();
      yield { type: "attempt-start", attempt, of };
      const since = now();
      const isFinal = (thrown: unknown) => Boolean(signal?.aborted) || !shouldRetry(thrown);
      const first = yield* outcomeOf("generate", () => options.generate({ attempt, signal }), read, isFinal);
      if (first.answer) return accept(first.answer, attempt, false, first.text);
      const { text, error } = first;
      yield { type: "attempt-failed", attempt, of, error };
      const record: Attempt = { attempt, ...failureOf(first), durationMs: now() - since };
      failed.push(record);
      if (text !== undefined && !shouldRetry(error)) throw error;

      const { correct } = options;
      if (correct && text !== undefined && error instanceof JsonExtractError) {
        check();
        yield { type: "correction-start", attempt, error };
        const ask = () => correct.call(options, { attempt, text, error, signal });
        const second = yield* outcomeOf("correct", ask, read, () => Boolean(signal?.aborted));
        if (second.answer) return accept(second.answer, attempt, true, second.text);
        record.correction = failureOf(second);
        record.durationMs = now() - since;
        const { error: reason } = second;
        yield { type: "correction-failed", attempt, reason: messageOf(reason), error: reason };
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
    clear();
  }
}

function checkAttempts<T, E>(options: AttemptOptions<T, E>, of: number, extract: ExtractOptions<T>): void {
  if (!(Number.isInteger(of) && of >= 1)) throw new RangeError(`attempts must be a whole number from 1, not ${of}`);
  checkFunction("generate", options.generate);
  if (options.correct !== undefined) checkFunction("correct", options.correct);
  checkOptions(extract);
}

/** {@link jsonAttempts} without its events. */
export async function generateJson<T>(options: AttemptOptions<T, unknown>): Promise<T> {
  const attempts = jsonAttempts(options);
  for (;;) {
    const step = await attempts.next();
    if (step.done) return step.value;
  }
}

/** When the loop ends: by the signal, or by the deadline, which counts from now; `check` throws then. */
function endOf<T, E>({ signal: outer, deadlineMs, now = Date.now }: AttemptOptions<T, E>, failed: readonly Attempt[]) {
  const started = now();
  const deadline = deadlineMs === undefined ? undefined : deadlineSignal(outer, deadlineMs);
  const signal = deadline?.signal ?? outer;
  const check = () => {
    const late = deadlineMs !== undefined && now() - started >= deadlineMs;
    if (signal?.aborted || late) throw aborted(failed, outer?.aborted ? undefined : deadlineMs, signal?.reason);
  };
  return { signal, check, clear: () => deadline?.clear() };
}

/** Ended by the signal, or by the deadline. */
function aborted(failed: readonly Attempt[], deadlineMs: number | undefined, cause: unknown): JsonExtractError {
  const stopped = deadlineMs === undefined ? "cancelled" : `stopped by the deadline of ${deadlineMs} ms`;
  const text = failed.at(-1)?.text ?? "";
  const message = `${stopped} after ${count(failed.length, "failed attempt")}`;
  return new JsonExtractError("aborted", message, { attempts: failed, text, cause });
}

/** What a run gave: an answer, or what is wrong with its text, or with the run. */
type Outcome<T> =
  | { answer: ExtractSuccess<T>; text: string }
  | { answer?: undefined; text?: string | undefined; error: unknown };

/** What is wrong, with the text if there was one. */
function failureOf({ text, error }: { text?: string | undefined; error: unknown }): { text?: string; error: unknown } {
  return { ...(text !== undefined && { text }), error };
}

/** Throws what the run threw if that is final. */
async function* outcomeOf<T, E>(
  name: string,
  start: () => Generation<E>,
  read: (text: string) => ExtractResult<T>,
  isFinal: (thrown: unknown) => boolean,
): AsyncGenerator<E, Outcome<T>, void> {
  let text: string;
  try {
    text = yield* textOf(name, start());
  } catch (thrown) {
    if (isFinal(thrown)) throw thrown;
    return { error: thrown };
  }
  const answer = read(text);
  return answer.ok ? { answer, text } : { text, error: answer.error };
}

async function* textOf<E>(name: string, generation: Generation<E>): AsyncGenerator<E, string, void> {
  const streams = typeof generation === "object" && generation !== null && Symbol.asyncIterator in generation;
  const text: unknown = streams ? yield* generation : await generation;
  if (typeof text === "string") return text;
  throw new JsonExtractError("not-found", `${name} must give a text as a string, got ${named(text)}`);
}

/** The fault of the program, whatever the text is. */
const NOT_THE_TEXT: ReadonlySet<JsonExtractErrorCode> = new Set(["async-schema", "invalid-options"]);

function isUnreadable(error: unknown): boolean {
  return error instanceof JsonExtractError && !NOT_THE_TEXT.has(error.code);
}

function isRepeat(failed: readonly Attempt[]): boolean {
  const [before, last] = failed.slice(-2);
  const [first, second] = [before?.correction?.text, last?.correction?.text];
  if (first === undefined || second === undefined) return false;
  return first === second || (first === before?.text && second === last?.text);
}

function exhausted(failed: readonly Attempt[], repeats: boolean): JsonExtractError {
  const last = failed.at(-1);
  const cause = last?.correction && !(last.error instanceof JsonExtractError) ? last.correction.error : last?.error;
  const corrections = failed.filter((attempt) => attempt.correction).length;
  const tried = `${count(failed.length, "attempt")}${corrections ? ` and ${count(corrections, "correction")}` : ""}`;
  const why = repeats ? "; stopped early because the corrections repeat themselves" : "";
  const unreadable = cause instanceof JsonExtractError ? cause : undefined;
  return new JsonExtractError("exhausted", `no fitting JSON after ${tried}${why}: ${messageOf(cause)}`, {
    text: last?.text ?? "",
    at: unreadable?.at,
    issues: unreadable?.issues ?? [],
    closest: unreadable?.closest,
    attempts: failed,
    cause,
  });
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function deadlineSignal(outer: Signal | undefined, ms: number): { signal: Signal; clear(): void } {
  const controller = new AbortController();
  const pass = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException(`${ms} ms passed`, "TimeoutError")), ms);
  if (outer?.aborted) pass();
  else outer?.addEventListener("abort", pass, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", pass);
    },
  };
}

function wait(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

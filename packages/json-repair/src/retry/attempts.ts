import { extractJson } from "../extract.js";
import type { Attempt, ExtractOptions, ExtractSuccess } from "../result.js";
import { checkOptions, JsonExtractError, named } from "../result.js";
import type { StandardSchemaV1 } from "../schema/fit.js";

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
  generate(context: { attempt: number; signal: Signal }): Generation<E>;
  /** Asks for a better form of a text that could not be read. What it throws counts as a failed correction. */
  correct?(context: { attempt: number; text: string; error: JsonExtractError; signal: Signal }): Generation<E>;
  /** Default 3. */
  attempts?: number;
  /** Waits between the attempts, in order; the last one repeats. Default 1 s, 2 s, 5 s. */
  delaysMs?: readonly number[];
  /** Whether another attempt may help. Default: for an answer that could not be read, and nothing else. */
  shouldRetry?(error: unknown): boolean;
  /** Whether to stop early when two corrections in a row gave the same text, or what they were given. Default true. */
  stopOnRepeat?: boolean;
  /** Ends it between runs; runs are given it, and must end by it. Default: none. */
  signal?: Signal;
  /** Milliseconds for all attempts and waits together, behind which the signal of the runs is aborted. Default: no limit. */
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

/** Of a longer time a timer makes 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

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
 * Generate, extract, correct, wait, again: yields what happens, returns the first value that fits. Throws what `generate` throws,
 * or a `JsonExtractError`: `exhausted` after the last attempt, `aborted` between runs, `invalid-options` before the first one.
 */
export async function* jsonAttempts<T, E = never>(
  options: AttemptOptions<T, E>,
): AsyncGenerator<E | AttemptEvent, T, void> {
  const extract = checked(options);
  const { correct, attempts: of = 3, delaysMs = [1_000, 2_000, 5_000], stopOnRepeat = true } = options;
  const { signal: outer, deadlineMs = Infinity, shouldRetry = isUnreadable, sleep = wait, now = Date.now } = options;
  const failed: Attempt[] = [];
  const started = now();
  const limit = new AbortController();
  const late = () => limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  const timer = deadlineMs > LONGEST_MS ? undefined : setTimeout(late, deadlineMs);
  const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal;
  const check = () => {
    if (!signal.aborted && now() - started < deadlineMs) return;
    const why = outer?.aborted ? "cancelled" : `stopped by the deadline of ${deadlineMs} ms`;
    throw givenUp("aborted", why, failed, signal.reason);
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
      if (text === undefined && (signal.aborted || isFinal)) throw error;
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
        if (second.text === undefined && signal.aborted) throw second.error;
        Object.assign(record, { correction: second, durationMs: now() - since });
        yield { type: "correction-failed", attempt, reason: messageOf(second.error), error: second.error };
      }

      if (attempt >= of) throw givenUp("exhausted", "no fitting JSON", failed, error);
      if (stopOnRepeat && isRepeat(failed.slice(-2)))
        throw givenUp("exhausted", "corrections that repeat", failed, error);
      check();
      const ms = delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
      if (ms <= 0) continue;
      yield { type: "wait", ms, attempt: attempt + 1 };
      await sleep(ms, signal).finally(check);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** {@link jsonAttempts} without its events. */
export async function generateJson<T>(options: AttemptOptions<T, unknown>): Promise<T> {
  const attempts = jsonAttempts(options);
  let step = await attempts.next();
  while (!step.done) step = await attempts.next();
  return step.value;
}

/** How the text is read; throws for an option that is wrong. */
function checked<T, E>(options: AttemptOptions<T, E>): ExtractOptions<T> {
  checkOptions(options, "retry");
  const { schema, generate = null } = options;
  checkOptions({ generate }, "retry");
  const extract = { ...options.extract, ...(schema !== undefined && { schema }) };
  checkOptions(extract, "extract");
  return extract;
}

/** What a run gave: an answer, or what is wrong with its text, or with the run. */
async function* outcomeOf<T, E>(name: string, start: () => Generation<E>, extract: ExtractOptions<T>) {
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

function accepted<T>(answer: AcceptedAnswer<T>, options: AttemptOptions<T, unknown>): T {
  options.onAccepted?.(answer);
  return answer.value;
}

/** Whether another text may help: not where it is the fault of the program. */
const isUnreadable = (error: unknown) =>
  error instanceof JsonExtractError && error.code !== "async-schema" && error.code !== "invalid-options";

function isRepeat([before, last]: readonly Attempt[]): boolean {
  const [first, second] = [before?.correction?.text, last?.correction?.text];
  if (first === undefined || second === undefined) return false;
  return first === second || (first === before?.text && second === last?.text);
}

function givenUp(code: "aborted" | "exhausted", why: string, attempts: readonly Attempt[], cause: unknown) {
  const count = (what: string, { length }: readonly unknown[]) => `${length} ${what}${length === 1 ? "" : "s"}`;
  const corrections = attempts.filter(({ correction }) => correction);
  const tried = `${count("attempt", attempts)} and ${count("correction", corrections)}`;
  const { at, issues = [], closest }: Partial<JsonExtractError> = cause instanceof JsonExtractError ? cause : {};
  const known = { text: attempts.at(-1)?.text ?? "", at, issues, closest, attempts, cause };
  return new JsonExtractError(code, `${why} after ${tried}${cause ? `: ${messageOf(cause)}` : ""}`, known);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Until the time has passed, or the signal is aborted. */
function wait(ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, signal?.aborted ? 0 : Math.min(ms, LONGEST_MS));
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}

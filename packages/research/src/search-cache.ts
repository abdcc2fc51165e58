import { ResearchError } from "./errors.js";
import type { ResearchEvent } from "./events.js";

/** A research that gives a report. */
type Run<R> = AsyncGenerator<ResearchEvent, R, void>;

/** What every report has. */
interface Report {
  /** `cached` is set in it when the report is given again. */
  metadata: object;
}

/** Lets identical researches share one run. */
export interface SearchCache {
  /**
   * Gives the run under this key: a kept answer, the run in flight, or the one that `start` gives. `start` gets a signal
   * that is aborted when nobody waits for the run any more.
   */
  share<R extends Report>(key: string, start: (signal: AbortSignal) => Run<R>, signal?: AbortSignal): Run<R>;
}

/** How long and how much a cache keeps. */
export interface SearchCacheOptions {
  /** Milliseconds for which a finished answer is given again. Default 0: only what is in flight is shared. */
  ttlMs?: number;
  /** Answers that are kept at most. Default 100. */
  maxEntries?: number;
  /** Gives milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
}

/** Makes a cache: identical searches in flight share one run; what `ttlMs` allows is answered without any. */
export function createSearchCache({
  ttlMs = 0,
  maxEntries = 100,
  now = Date.now,
}: SearchCacheOptions = {}): SearchCache {
  const flights = new Map<string, Flight<Report>>();
  const kept = new Map<string, { report: Report; endedMs: number }>();

  function keep(key: string, report: Report): void {
    if (ttlMs <= 0) return;
    kept.delete(key);
    kept.set(key, { report, endedMs: now() });
    const oldest = kept.size > maxEntries ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  }

  return {
    async *share<R extends Report>(key: string, start: (signal: AbortSignal) => Run<R>, signal?: AbortSignal): Run<R> {
      const answer = kept.get(key);
      if (answer !== undefined && now() - answer.endedMs < ttlMs) {
        const message = `Answered from the cache, ${Math.round((now() - answer.endedMs) / 1_000)} s old`;
        yield { type: "log", level: "info", message };
        return { ...(answer.report as R), metadata: { ...answer.report.metadata, cached: true } };
      }
      let flight = flights.get(key) as Flight<R> | undefined;
      if (flight === undefined) {
        const own = new Flight(start);
        const forget = () => void (flights.get(key) === own && flights.delete(key));
        own.stop.signal.addEventListener("abort", forget, { once: true });
        void own.over.then((report) => report !== undefined && keep(key, report)).finally(forget);
        flights.set(key, own);
        flight = own;
      }
      return yield* flight.read(signal);
    },
  };
}

/** One run with any number of readers. Each reader gets every event from the first on. */
class Flight<R> {
  /** Aborted when nobody reads any more. */
  readonly stop = new AbortController();
  /** The report; `undefined` when the run failed. */
  readonly over: Promise<R | undefined>;
  readonly #events: ResearchEvent[] = [];
  readonly #sleeping = new Set<() => void>();
  #outcome: { report: R } | { error: unknown } | undefined;
  #readers = 0;

  constructor(start: (signal: AbortSignal) => Run<R>) {
    this.over = this.#fly(start);
  }

  async #fly(start: (signal: AbortSignal) => Run<R>): Promise<R | undefined> {
    try {
      const run = start(this.stop.signal);
      for (;;) {
        const step = await run.next();
        if (step.done) {
          this.#outcome = { report: step.value };
          return step.value;
        }
        this.#events.push(step.value);
        this.#wake();
      }
    } catch (error) {
      this.#outcome = { error };
      return undefined;
    } finally {
      this.#wake();
    }
  }

  #wake = (): void => {
    for (const wake of this.#sleeping) wake();
    this.#sleeping.clear();
  };

  async *read(signal?: AbortSignal): Run<R> {
    signal?.addEventListener("abort", this.#wake, { once: true });
    this.#readers++;
    try {
      for (let next = 0; ; ) {
        if (signal?.aborted)
          throw new ResearchError("CANCELLED", "The research was cancelled.", { cause: signal.reason });
        const event = this.#events[next];
        if (event !== undefined) {
          next++;
          yield event;
        } else if (this.#outcome === undefined) {
          await new Promise<void>((resolve) => this.#sleeping.add(resolve));
        } else {
          if ("error" in this.#outcome) throw this.#outcome.error;
          return this.#outcome.report;
        }
      }
    } finally {
      signal?.removeEventListener("abort", this.#wake);
      this.#readers--;
      if (this.#readers === 0 && this.#outcome === undefined) {
        this.stop.abort();
        await this.over;
      }
    }
  }
}

import type { ResearchEvent } from "./events.js";

type Run<R> = AsyncGenerator<ResearchEvent, R, void>;

/** Lets identical researches share one run. */
export interface SearchCache {
  /**
   * The run under this key: a kept one, the one in flight, or the one that `start` gives. `start` gets a signal that
   * is aborted when nobody waits for the run any more.
   */
  share<R>(key: string, start: (signal: AbortSignal) => Run<R>, signal?: AbortSignal): Run<R>;
}

export interface SearchCacheOptions {
  /** How long a finished answer is given again. Default 0: only what is in flight is shared. */
  ttlMs?: number;
  /** Default 100. */
  maxEntries?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: unknown };

interface Flight {
  events: ResearchEvent[];
  outcome?: Outcome;
  endedMs: number;
  stop: AbortController;
  readers: number;
  wake: Set<() => void>;
}

export function createSearchCache({
  ttlMs = 0,
  maxEntries = 100,
  now = Date.now,
}: SearchCacheOptions = {}): SearchCache {
  const flights = new Map<string, Flight>();

  const isFresh = (flight: Flight) => flight.outcome === undefined || now() - flight.endedMs < ttlMs;

  function launch<R>(key: string, start: (signal: AbortSignal) => Run<R>): Flight {
    const flight: Flight = { events: [], endedMs: 0, stop: new AbortController(), readers: 0, wake: new Set() };
    flights.set(key, flight);
    const forget = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const news = () => {
      for (const wake of [...flight.wake]) wake();
    };
    flight.stop.signal.addEventListener("abort", forget, { once: true });
    void (async () => {
      const run = start(flight.stop.signal);
      try {
        for (;;) {
          const step = await run.next();
          if (step.done) {
            flight.outcome = { ok: true, value: step.value };
            break;
          }
          flight.events.push(step.value);
          news();
        }
      } catch (error) {
        flight.outcome = { ok: false, error };
      }
      flight.endedMs = now();
      if (!flight.outcome?.ok || ttlMs <= 0) forget();
      for (const [other, { outcome }] of flights) {
        if (flights.size <= maxEntries) break;
        if (outcome !== undefined) flights.delete(other);
      }
      news();
    })();
    return flight;
  }

  return {
    async *share<R>(key: string, start: (signal: AbortSignal) => Run<R>, signal?: AbortSignal): Run<R> {
      const known = flights.get(key);
      const flight = known !== undefined && isFresh(known) ? known : launch(key, start);
      const cancelled = () => {
        for (const wake of [...flight.wake]) wake();
      };
      signal?.addEventListener("abort", cancelled, { once: true });
      flight.readers++;
      try {
        for (let next = 0; ; ) {
          // A cancelled reader leaves; it hears the end of the run itself when it was the last one.
          if (signal?.aborted && flight.outcome === undefined && flight.readers > 1) throw signal.reason;
          if (signal?.aborted) flight.stop.abort(signal.reason);
          const event = flight.events[next];
          if (event !== undefined) {
            next++;
            yield event;
          } else if (flight.outcome !== undefined) {
            if (!flight.outcome.ok) throw flight.outcome.error;
            return flight.outcome.value as R;
          } else {
            await new Promise<void>((resolve) => {
              const wake = () => {
                flight.wake.delete(wake);
                resolve();
              };
              flight.wake.add(wake);
            });
          }
        }
      } finally {
        signal?.removeEventListener("abort", cancelled);
        flight.readers--;
        if (flight.readers === 0 && flight.outcome === undefined) flight.stop.abort();
      }
    },
  };
}

import type { ResearchDeps } from "../deps.js";
import type { PrewarmRequest, RunEvent } from "../runner.js";

/** A runner ends a process that waits unused; after this time another one is started. */
const GONE_MS = 60_000;

/** Starts the CLI of the next round before this round ends: the CLI takes a second to start. */
export class Prewarm {
  readonly #runner: ResearchDeps["runner"];
  readonly #now: () => number;
  readonly #unused = new AbortController();
  #sinceMs = 0;

  constructor(runner: ResearchDeps["runner"], now: () => number) {
    this.#runner = runner;
    this.#now = now;
  }

  /**
   * Called with each step of a round that another may follow. The process is started with the round, since a model may
   * give its whole answer in one piece; in a round that outlasts it, again when the answer begins.
   */
  keep(step: RunEvent, request: PrewarmRequest): void {
    const begins = step.type === "text-delta" && this.#now() - this.#sinceMs >= GONE_MS;
    if (step.type !== "run-start" && !begins) return;
    this.#sinceMs = this.#now();
    this.#runner.prewarm?.({ ...request, signal: this.#unused.signal });
  }

  /** Ends the process that waits: no round follows. */
  end(): void {
    this.#unused.abort();
  }
}

export interface AwakeTimerOptions {
  /** Is called when the time is over. Without it the timer keeps no process alive. */
  passed?: () => void;
  /** A clock, in milliseconds. Default: `performance.now`. */
  now?: () => number;
  /** Default: 1000. */
  stepMs?: number | undefined;
}

/**
 * Counts down time in steps. Of a time in which this process is suspended, mostly with all others of its machine, no more
 * than the step counts that it was suspended in.
 */
export class AwakeTimer {
  readonly #passed: (() => void) | undefined;
  readonly #now: () => number;
  readonly #longestStepMs: number;
  /** When the step began. */
  #leftMs: number;
  #stepMs = 0;
  #stepBeganAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms `Infinity`: it never passes. */
  constructor(ms: number, { passed, now = () => performance.now(), stepMs = 1_000 }: AwakeTimerOptions = {}) {
    this.#passed = passed;
    this.#now = now;
    this.#longestStepMs = stepMs;
    this.#leftMs = ms;
    if (ms !== Number.POSITIVE_INFINITY) this.#step();
  }

  leftMs(): number {
    return this.#leftMs - Math.min(this.#now() - this.#stepBeganAt, this.#stepMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #step(): void {
    this.#stepMs = Math.min(this.#leftMs, this.#longestStepMs);
    this.#stepBeganAt = this.#now();
    this.#timer = setTimeout(() => {
      this.#leftMs -= this.#stepMs;
      this.#stepMs = 0;
      if (this.#leftMs > 0) this.#step();
      else this.#passed?.();
    }, this.#stepMs);
    if (this.#passed === undefined) this.#timer.unref();
  }
}

export interface AwakeTimerOptions {
  /** Called when the time is over. Default: nobody is, and the timer keeps no process alive. */
  passed?: () => void;
  /** A clock that only goes forward, in milliseconds. Default: `performance.now`. */
  now?: () => number;
  /** The longest step, in milliseconds. Default: 1000. */
  stepMs?: number | undefined;
}

/**
 * A countdown that a suspend does not use up. It runs in steps, and while this process stands still, as when its machine
 * sleeps, at most the rest of one step counts.
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

  /** @param ms How long it runs, in milliseconds. `Infinity`: it never passes. */
  constructor(ms: number, { passed, now = () => performance.now(), stepMs = 1_000 }: AwakeTimerOptions = {}) {
    this.#passed = passed;
    this.#now = now;
    this.#longestStepMs = stepMs;
    this.#leftMs = ms;
    if (ms !== Number.POSITIVE_INFINITY) this.#step();
  }

  /** Milliseconds that are left; 0 when they have passed. */
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

export interface HeartbeatOptions {
  /** How long the other side may not answer, in milliseconds. */
  hangMs: number;
  ask(): void;
  /** It did not answer. */
  onHang(): void;
}

/** How often it is asked, and how often at least before it is taken for dead. */
const ASK_MS = 2_000;
const LEAST_QUESTIONS = 4;

/**
 * Asks now and then whether something still works. How often it did not answer counts, not the clock: who was held up himself, as
 * by a machine that slept, finds no answer at first.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #askMs: number;
  #timer: NodeJS.Timeout | undefined;
  #unanswered = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#askMs = Math.min(ASK_MS, options.hangMs / LEAST_QUESTIONS);
  }

  start(): void {
    this.#unanswered = 0;
    this.#ask();
  }

  answered(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #ask(): void {
    if (this.#unanswered * this.#askMs >= this.#options.hangMs) {
      this.#options.onHang();
      return;
    }
    this.#unanswered++;
    this.#options.ask();
    this.#timer = setTimeout(() => this.#ask(), this.#askMs);
  }
}

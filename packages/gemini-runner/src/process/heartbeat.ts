export interface HeartbeatOptions {
  /** How long the other side may not answer, in milliseconds. */
  hangMs: number;
  ask(): void;
  /**
   * How long something else has kept the other side from answering, since its start, in milliseconds. What of it comes after a
   * question does not count. `undefined`: nobody knows, and it has four times as long.
   */
  heldUpMs(): number | undefined;
  /** It did not answer. */
  onHang(): void;
}

/** How often it is asked, and how often at least before it is taken for dead. */
const ASK_MS = 2_000;
const LEAST_QUESTIONS = 4;
/** So many times as long has one of which nobody knows whether it was held up. */
const IN_DOUBT = 4;

/**
 * Asks now and then whether something still works. How often it did not answer counts, not the clock: who was held up himself, as
 * by a machine that slept, finds no answer at first.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #askMs: number;
  #timer: NodeJS.Timeout | undefined;
  #unanswered = 0;
  /** What it had been held up before the first question that it did not answer. */
  #heldUpBeforeMs = 0;

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
    if (this.#unanswered * this.#askMs >= this.#patienceMs()) {
      this.#options.onHang();
      return;
    }
    this.#unanswered++;
    this.#options.ask();
    this.#timer = setTimeout(() => this.#ask(), this.#askMs);
  }

  /** How long it may leave questions unanswered, as far as is known now. */
  #patienceMs(): number {
    const { hangMs } = this.#options;
    const heldUpMs = this.#options.heldUpMs();
    if (this.#unanswered === 0) this.#heldUpBeforeMs = heldUpMs ?? 0;
    return heldUpMs === undefined ? IN_DOUBT * hangMs : hangMs + heldUpMs - this.#heldUpBeforeMs;
  }
}

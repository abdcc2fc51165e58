import { begin, type KeyRate, lower, newRate, type Refused } from "./key-rate.js";
import type { Rows } from "./rows.js";

/** Longer than any key rests, and than its rate takes to grow back. */
const KEEP_MS = 2 * 3_600_000;
/** Of two that change it at once, one reads again. */
const TRIES = 50;

export interface KeyLimitOptions {
  rows: Pick<Rows, "recall" | "swap" | "now">;
  /** The name of the key with which this process asks the API. */
  key: () => Promise<string>;
  /** Researches that may begin in a minute. `undefined`: no limit but the API's. */
  perMinute: number | undefined;
}

/** How fast researches are begun with a key of the API: in the store, so that it holds for all workers that have it. */
export class KeyLimit {
  readonly #options: KeyLimitOptions;

  constructor(options: KeyLimitOptions) {
    this.#options = options;
  }

  /** Counts a research that is to begin. More than 0: it may not, and for how many milliseconds nothing may. */
  begin(): Promise<number> {
    return this.#change((rate, now) => {
      const begun = begin(rate, now, this.#options.perMinute);
      return "rate" in begun ? { rate: begun.rate, gives: 0 } : { gives: begun.waitMs };
    });
  }

  /** The API refuses more: the rate is halved and grows again slowly, and nothing is begun for as long as it wants. */
  async lower(refused: Refused): Promise<void> {
    await this.#change((rate, now) => ({ rate: lower(rate, now, refused), gives: undefined }));
  }

  async #change<T>(change: (rate: KeyRate, now: number) => { rate?: KeyRate; gives: T }): Promise<T> {
    const { rows, key } = this.#options;
    const name = `key:${await key()}`;
    for (let tries = 0; tries < TRIES; tries++) {
      const [known, now] = await Promise.all([rows.recall(name), rows.now()]);
      const { rate, gives } = change(known === undefined ? newRate(now) : JSON.parse(known), now);
      if (rate === undefined || (await rows.swap(name, known, JSON.stringify(rate), KEEP_MS))) return gives;
    }
    throw new Error("the rate of a key is changed again and again");
  }
}

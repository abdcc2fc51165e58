import { begin, type KeyRate, lower, NEW_RATE, type Refused } from "./key-rate.js";
import { changeRate, type Rates } from "./rates.js";

/** Longer than any key rests, and than its rate takes to grow back. */
const KEEP_MS = 2 * 3_600_000;

export interface KeyLimitOptions {
  rates: Rates;
  /** The name of the key with which this process asks the API. */
  key: () => Promise<string>;
  /** Researches that may begin in a minute. `undefined`: no limit but the API's. */
  perMinute: number | undefined;
}

/** How fast researches are begun with a key of the API: for all who keep its rate in one place. */
export class KeyLimit {
  readonly #options: KeyLimitOptions;

  constructor(options: KeyLimitOptions) {
    this.#options = options;
  }

  /** More than 0: nothing may be begun for so many milliseconds. Counts nothing. */
  restsMs(): Promise<number> {
    return this.#change((rate, now) => {
      const begun = begin(rate, now, this.#options.perMinute);
      return { gives: "rate" in begun ? 0 : begun.waitMs };
    });
  }

  /** Counts a research that is to begin. More than 0: it may not, and for how many milliseconds nothing may. */
  begin(): Promise<number> {
    return this.#change((rate, now) => {
      const begun = begin(rate, now, this.#options.perMinute);
      return "rate" in begun ? { after: begun.rate, gives: 0 } : { gives: begun.waitMs };
    });
  }

  /** The API refuses more: the rate is halved and grows again slowly, and nothing is begun for as long as it wants. */
  async lower(refused: Refused): Promise<void> {
    await this.#change((rate, now) => ({ after: lower(rate, now, refused), gives: undefined }));
  }

  async #change<T>(change: (rate: KeyRate, now: number) => { after?: KeyRate; gives: T }): Promise<T> {
    const { rates, key } = this.#options;
    // Older servers keep a rate of another form under `key:`.
    const kept = { name: `rate:${await key()}`, keepMs: KEEP_MS };
    return changeRate<KeyRate, T>(rates, kept, (known = NEW_RATE, now) => change(known, now));
  }
}

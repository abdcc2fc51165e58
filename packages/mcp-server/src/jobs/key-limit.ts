import { begin, type KeyRate, lower, newRate, type Refused } from "./key-rate.js";

/** Longer than any key rests, and than its rate takes to grow back. */
const KEEP_MS = 2 * 3_600_000;
/** Of two that change it at once, one reads again. */
const TRIES = 50;

/** Where the rates of keys are kept, for all who share it. */
export interface Rates {
  recall(name: string): Promise<string | undefined>;
  /** Replaces a text if it is still `before`; `undefined`: if there is none. */
  swap(name: string, before: string | undefined, after: string, keepMs: number): Promise<boolean>;
  /** Milliseconds since 1970. */
  now(): Promise<number>;
}

/** The rates of this process alone. */
export function createMemoryRates(now: () => number): Rates {
  const texts = new Map<string, string>();
  return {
    recall: async (name) => texts.get(name),
    async swap(name, before, after) {
      if (texts.get(name) !== before) return false;
      texts.set(name, after);
      return true;
    },
    now: async () => now(),
  };
}

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
      return "rate" in begun ? { rate: begun.rate, gives: 0 } : { gives: begun.waitMs };
    });
  }

  /** The API refuses more: the rate is halved and grows again slowly, and nothing is begun for as long as it wants. */
  async lower(refused: Refused): Promise<void> {
    await this.#change((rate, now) => ({ rate: lower(rate, now, refused), gives: undefined }));
  }

  async #change<T>(change: (rate: KeyRate, now: number) => { rate?: KeyRate; gives: T }): Promise<T> {
    const { rates, key } = this.#options;
    const name = `key:${await key()}`;
    for (let tries = 0; tries < TRIES; tries++) {
      const [known, now] = await Promise.all([rates.recall(name), rates.now()]);
      const { rate, gives } = change(known === undefined ? newRate(now) : JSON.parse(known), now);
      if (rate === undefined || (await rates.swap(name, known, JSON.stringify(rate), KEEP_MS))) return gives;
    }
    throw new Error("the rate of a key is changed again and again");
  }
}

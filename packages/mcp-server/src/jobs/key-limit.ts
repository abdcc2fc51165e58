import { InOrder } from "./in-order.js";
import { begin, hold, type KeyMost, type KeyRate, letGo, lower, NEW_RATE, type Refused } from "./key-rate.js";
import { changeRate, type Rates } from "./rates.js";

/** Longer than any key rests, and than its rate takes to grow back. */
const KEEP_MS = 2 * 3_600_000;
/** What runs in a process that died is counted for so long. */
const HOLD_MS = 30_000;
const RENEW_MS = 10_000;

export interface KeyLimitOptions extends KeyMost {
  rates: Rates;
  /** The name of the key with which this process asks the API. */
  key: () => Promise<string>;
}

/** How fast researches are begun with a key of the API, and how many run: for all who keep its rate in one place. */
export class KeyLimit {
  readonly #options: KeyLimitOptions;
  /** What runs here, and what shows that it does. */
  readonly #held = new Map<string, { key: string; renewing: NodeJS.Timeout }>();
  /** What changes here, so that only other processes come in its way. */
  readonly #changes = new InOrder();

  constructor(options: KeyLimitOptions) {
    this.#options = options;
  }

  /** More than 0: nothing may be begun for so many milliseconds. Counts nothing. */
  async restsMs(): Promise<number> {
    return this.#change(await this.#options.key(), (rate, now) => {
      const begun = begin(rate, now, this.#options);
      return { gives: "rate" in begun ? 0 : begun.waitMs };
    });
  }

  /**
   * Counts a research that is to begin. More than 0: it may not, and for how many milliseconds nothing may.
   *
   * @param id Its own, where there is a limit of what runs: it runs until {@link ended} is told of it, or this process dies.
   */
  async begin(id?: string): Promise<number> {
    const key = await this.#options.key();
    const isHeld = id !== undefined && this.#options.running !== undefined;
    const waitMs = await this.#change(key, (rate, now) => {
      const begun = begin(rate, now, this.#options);
      if ("waitMs" in begun) return { gives: begun.waitMs };
      return { after: isHeld ? hold(begun.rate, now, id, now + HOLD_MS) : begun.rate, gives: 0 };
    });
    if (waitMs === 0 && isHeld) {
      this.#held.set(id, { key, renewing: setInterval(() => void this.#renew(id), RENEW_MS).unref() });
    }
    return waitMs;
  }

  /** A research that {@link begin} has counted runs no more. */
  async ended(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (held === undefined) return;
    clearInterval(held.renewing);
    this.#held.delete(id);
    // While the store is away it is counted for as long as if this process had died.
    await this.#change(held.key, (rate, now) => ({ after: letGo(rate, now, id), gives: undefined })).catch(() => {});
  }

  /** The API refuses more: the rate is halved and grows again slowly, and nothing is begun for as long as it wants. */
  async lower(refused: Refused): Promise<void> {
    const key = await this.#options.key();
    await this.#change(key, (rate, now) => ({ after: lower(rate, now, refused), gives: undefined }));
  }

  async #renew(id: string): Promise<void> {
    const { key } = this.#held.get(id) ?? {};
    if (key === undefined) return;
    const renewed = (rate: KeyRate, now: number) => {
      const isHeld = this.#held.has(id);
      return { ...(isHeld && { after: hold(rate, now, id, now + HOLD_MS) }), gives: undefined };
    };
    await this.#change(key, renewed).catch(() => {});
  }

  #change<T>(key: string, change: (rate: KeyRate, now: number) => { after?: KeyRate; gives: T }): Promise<T> {
    // Older servers keep a rate of another form under `key:`.
    const kept = { name: `rate:${key}`, keepMs: KEEP_MS };
    return this.#changes.do(key, () =>
      changeRate<KeyRate, T>(this.#options.rates, kept, (known = NEW_RATE, now) => change(known, now)),
    );
  }
}

import { BusyError } from "../jobs/busy.js";
import { InOrder } from "../jobs/in-order.js";
import { type Minute, oneMore } from "../jobs/minute.js";
import { changeRate, type Rates } from "../jobs/rates.js";
import { orAway } from "../queue/away.js";

/** Longer than a call counts. */
const KEEP_MS = 2 * 60_000;

/** What is counted. */
export interface CallRateOptions {
  one: string;
  many: string;
  /** The names by which it is limited. Default: nobody sets the limit. */
  limits?: readonly string[];
}

/** Calls that ask for a research, whatever comes of them. */
export const QUESTIONS: CallRateOptions = { one: "question", many: "questions", limits: ["per_minute"] };
/** What clients say first. */
export const GREETINGS: CallRateOptions = { one: "new session", many: "new sessions" };
/** Whatever a client sends. */
export const REQUESTS: CallRateOptions = { one: "request", many: "requests" };

/** What each tenant does within a minute, over all who keep it in one place. */
export class CallRate {
  readonly #rates: Rates;
  readonly #what: CallRateOptions;
  /** That of one tenant, so that they do not come in each other's way. */
  readonly #calls = new InOrder();

  constructor(rates: Rates, what: CallRateOptions) {
    this.#rates = rates;
    this.#what = what;
  }

  /** Counts one more. Rejects with a `BusyError` when there were `perMinute` within a minute. */
  async take(owner: string, perMinute: number | undefined): Promise<void> {
    if (perMinute === undefined) return;
    const retryAfterMs = await this.#calls.do(owner, () => this.#waitMs(owner, perMinute));
    if (retryAfterMs === 0) return;
    const { one, many, limits = [] } = this.#what;
    const next = perMinute === 0 ? { next: "Tell the user; do not retry." } : {};
    const what = perMinute === 1 ? `1 ${one} a minute is allowed` : `${perMinute} ${many} a minute are allowed`;
    throw new BusyError(what, { scope: "tenant", retryAfterMs, limits, ...next });
  }

  async #waitMs(owner: string, perMinute: number): Promise<number> {
    const kept = { name: `minute:${owner}`, keepMs: KEEP_MS };
    // While the store is away nothing can be begun anyway.
    return orAway(() =>
      changeRate<Minute, number>(this.#rates, kept, (known = [], now) => {
        const next = oneMore(known, now, perMinute);
        return "waitMs" in next ? { gives: next.waitMs } : { after: next.minute, gives: 0 };
      }),
    );
  }
}

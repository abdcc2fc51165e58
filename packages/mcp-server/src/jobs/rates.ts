import { BusyError } from "./busy.js";

/** Of two that change a text at once, one reads again. */
const TRIES = 50;

/** Where rates are kept, for all who share them. */
export interface Rates {
  recall(name: string): Promise<string | undefined>;
  /** Replaces a text if it is still `before`; `undefined`: if there is none. */
  swap(name: string, before: string | undefined, after: string, keepMs: number): Promise<boolean>;
  /** Milliseconds of a clock that all of them share. */
  now(): Promise<number>;
}

/** The rates of this process alone. They are kept in the order in which they changed, each for the same time. */
export function createMemoryRates(now: () => number): Rates {
  const texts = new Map<string, { text: string; untilMs: number }>();
  return {
    recall: async (name) => texts.get(name)?.text,
    async swap(name, before, after, keepMs) {
      if (texts.get(name)?.text !== before) return false;
      texts.delete(name);
      texts.set(name, { text: after, untilMs: now() + keepMs });
      for (const [old, { untilMs }] of texts) {
        if (untilMs > now()) break;
        texts.delete(old);
      }
      return true;
    },
    now: async () => now(),
  };
}

/** Changes what is kept under a name, as one step among all who do; without `after` it stays. Gives what came of it. */
export async function changeRate<State, T>(
  rates: Rates,
  { name, keepMs }: { name: string; keepMs: number },
  change: (known: State | undefined, now: number) => { after?: State; gives: T },
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await rates.recall(name);
    // Asked at the same time it may be of a moment before what is known was kept: that would lie in the future.
    const now = await rates.now();
    const { after, gives } = change(known === undefined ? undefined : JSON.parse(known), now);
    if (after === undefined || (await rates.swap(name, known, JSON.stringify(after), keepMs))) return gives;
  }
  throw new BusyError("a rate is changed again and again", { retryAfterMs: 1_000 });
}

/** What is known of a key of the API. Times are milliseconds since 1970, by the store's clock. */
export interface KeyRate {
  /** Nothing is begun before. */
  restsUntil: number;
  /** The minute that is counted, and what was begun in it and in the one before. */
  minute: { from: number; begun: number; before: number };
  /** Since the API refused: the rate in a minute, what it was before, and when the next may begin. */
  lowered?: { at: number; rate: number; was: number; nextAt: number };
}

/** What is begun with a key that the API has refused. */
export interface Refused {
  /** When the API wants to be asked again. */
  retryAfterMs: number;
  /** How long ago that was begun which it refused. */
  begunMsAgo: number;
}

const MINUTE_MS = 60_000;
/** Each minute without a refusal. */
const GROWTH = 1.25;

/** Of a key of which nothing is known. */
export function newRate(now: number): KeyRate {
  return { restsUntil: 0, minute: { from: now, begun: 0, before: 0 } };
}

/**
 * Whether one more may begin, and the rate with it counted in; `waitMs`: it may not, and when to ask again.
 *
 * @param perMinute The most that may begin in a minute. `undefined`: no limit but the API's.
 */
export function begin(
  known: KeyRate,
  now: number,
  perMinute = Number.POSITIVE_INFINITY,
): { rate: KeyRate } | { waitMs: number } {
  const rate = { ...known, minute: minuteAt(known, now) };
  const { minute, lowered } = rate;
  const present = rateAt(known, now);
  const limits = [rate.restsUntil];
  if (minute.begun >= perMinute) limits.push(minute.from + MINUTE_MS);
  if (lowered !== undefined && present !== undefined) limits.push(lowered.nextAt);
  const waitMs = Math.max(...limits) - now;
  if (waitMs > 0) return { waitMs };
  minute.begun += 1;
  if (lowered === undefined || present === undefined) delete rate.lowered;
  else rate.lowered = { ...lowered, nextAt: now + MINUTE_MS / present };
  return { rate };
}

/** Halves the rate, and lets the key rest. What was begun before the last refusal says nothing of the rate since. */
export function lower(known: KeyRate, now: number, { retryAfterMs, begunMsAgo }: Refused): KeyRate {
  const minute = minuteAt(known, now);
  const restsUntil = Math.max(known.restsUntil, now + retryAfterMs);
  const { lowered } = known;
  const present = rateAt(known, now);
  if (lowered !== undefined && present !== undefined && now - begunMsAgo <= lowered.at) {
    return { ...known, minute, restsUntil };
  }
  const was = present ?? Math.max(minute.begun, minute.before, 1);
  const rate = Math.max(1, was / 2);
  return {
    minute,
    restsUntil,
    lowered: { at: now, rate, was: present === undefined ? was : (lowered?.was ?? was), nextAt: restsUntil },
  };
}

/** The lowered rate as it has grown since. `undefined`: it is not lowered, or is what it was before. */
function rateAt({ lowered }: KeyRate, now: number): number | undefined {
  if (lowered === undefined) return undefined;
  const rate = lowered.rate * GROWTH ** Math.floor(Math.max(0, now - lowered.at) / MINUTE_MS);
  return rate >= lowered.was && now > lowered.at + MINUTE_MS ? undefined : rate;
}

function minuteAt({ minute }: KeyRate, now: number): KeyRate["minute"] {
  const minutes = Math.floor((now - minute.from) / MINUTE_MS);
  if (minutes < 1) return { ...minute };
  return { from: minute.from + minutes * MINUTE_MS, begun: 0, before: minutes === 1 ? minute.begun : 0 };
}

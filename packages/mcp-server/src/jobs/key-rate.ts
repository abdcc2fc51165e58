import { type Minute, oneMore, recent, timesIn } from "./minute.js";

/** What is known of a key of the API. Times are milliseconds since 1970, by the store's clock. */
export interface KeyRate {
  /** Nothing is begun before. */
  restsUntil: number;
  /** What was begun. */
  minute: Minute;
  /** What runs, and until when that is so without a sign of life, where it is limited. */
  holds?: readonly (readonly [id: string, until: number])[];
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

/** The most of a key. `undefined`: no limit but the API's. */
export interface KeyMost {
  /** Researches that begin in a minute. */
  perMinute: number | undefined;
  /** Researches that run at once. */
  running?: number | undefined;
}

const MINUTE_MS = 60_000;
/** Nobody knows when one that runs ends: so long after one looks again. */
const LOOK_MS = 500;
/** Each minute without a refusal. */
const GROWTH = 1.25;

/** Of a key of which nothing is known. */
export const NEW_RATE: KeyRate = { restsUntil: 0, minute: [] };

/** Whether one more may begin, and the rate with it counted in; `waitMs`: it may not, and when to ask again. */
export function begin(
  known: KeyRate,
  now: number,
  { perMinute = Number.POSITIVE_INFINITY, running }: KeyMost = { perMinute: undefined },
): { rate: KeyRate } | { waitMs: number } {
  const { restsUntil, lowered } = known;
  const present = rateAt(known, now);
  const counted = oneMore(known.minute, now, perMinute);
  const waits = [restsUntil - now];
  if (running !== undefined && held(known, now).length >= running) waits.push(LOOK_MS);
  if ("waitMs" in counted) waits.push(counted.waitMs);
  if (lowered !== undefined && present !== undefined) waits.push(lowered.nextAt - now);
  const waitMs = Math.max(...waits);
  if (waitMs > 0 || "waitMs" in counted) return { waitMs };
  const rate: KeyRate = { ...known, minute: counted.minute };
  if (lowered === undefined || present === undefined) delete rate.lowered;
  else rate.lowered = { ...lowered, nextAt: now + MINUTE_MS / present };
  return { rate };
}

/** With one that runs until then, or longer. */
export function hold(known: KeyRate, now: number, id: string, until: number): KeyRate {
  return { ...known, holds: [...held(known, now).filter(([other]) => other !== id), [id, until]] };
}

/** Without one that has ended. */
export function letGo(known: KeyRate, now: number, id: string): KeyRate {
  return { ...known, holds: held(known, now).filter(([other]) => other !== id) };
}

function held({ holds = [] }: KeyRate, now: number): NonNullable<KeyRate["holds"]> {
  return holds.filter(([, until]) => until > now);
}

/** Halves the rate, and lets the key rest. What was begun before the last refusal says nothing of the rate since. */
export function lower(known: KeyRate, now: number, { retryAfterMs, begunMsAgo }: Refused): KeyRate {
  const minute = recent(known.minute, now);
  const restsUntil = Math.max(known.restsUntil, now + retryAfterMs);
  const { lowered } = known;
  const present = rateAt(known, now);
  if (lowered !== undefined && present !== undefined && now - begunMsAgo <= lowered.at) {
    return { ...known, minute, restsUntil };
  }
  const was = present ?? Math.max(timesIn(minute), 1);
  const rate = Math.max(1, was / 2);
  return {
    ...known,
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

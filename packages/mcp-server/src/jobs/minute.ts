/** How often something happened within the last minute: in which seconds since 1970, the earliest first. */
export type Minute = readonly (readonly [second: number, times: number])[];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** What of it is within the last minute. A second is kept as a whole; one that is yet to come is of a clock that was put back. */
export function recent(minute: Minute, now: number): Minute {
  return minute.filter(([second]) => second * SECOND_MS <= now && now < endOf(second));
}

export function timesIn(minute: Minute): number {
  return minute.reduce((sum, [, times]) => sum + times, 0);
}

/**
 * With one more now. `waitMs`: it would be more than `most` within a minute, whenever that minute began, and after how long
 * it would not. What happened counts for 60 s, and up to a second more.
 */
export function oneMore(minute: Minute, now: number, most: number): { minute: Minute } | { waitMs: number } {
  const kept = recent(minute, now);
  let over = timesIn(kept) + 1 - most;
  if (over > 0) {
    for (const [second, times] of kept) {
      over -= times;
      if (over <= 0) return { waitMs: endOf(second) - now };
    }
    return { waitMs: MINUTE_MS };
  }
  const second = Math.floor(now / SECOND_MS);
  const last = kept.at(-1);
  return last?.[0] === second
    ? { minute: [...kept.slice(0, -1), [second, last[1] + 1]] }
    : { minute: [...kept, [second, 1]] };
}

const endOf = (second: number) => (second + 1) * SECOND_MS + MINUTE_MS;

import { describe, expect, onTestFinished, test, vi } from "vitest";
import { KeyLimit } from "../../src/jobs/key-limit.js";
import { begin, hold, type KeyRate, letGo, lower, NEW_RATE } from "../../src/jobs/key-rate.js";
import { createMemoryRates } from "../../src/jobs/rates.js";

const MINUTE_MS = 60_000;

/** Begins as many as may at a moment. */
function beginAll(rate: KeyRate, now: number, perMinute?: number): { rate: KeyRate; begun: number; waitMs: number } {
  let known = rate;
  for (let begun = 0; begun < 1_000; begun++) {
    const next = begin(known, now, { perMinute });
    if ("waitMs" in next) return { rate: known, begun, waitMs: next.waitMs };
    known = next.rate;
  }
  return { rate: known, begun: 1_000, waitMs: 0 };
}

/** Begins whatever may, for so many minutes; gives how many began in each. */
function minutesOf(rate: KeyRate, from: number, minutes: number): number[] {
  let known = rate;
  return Array.from({ length: minutes }, (_, minute) => {
    let begun = 0;
    for (let at = 0; at < MINUTE_MS; at += 100) {
      const next = begin(known, from + minute * MINUTE_MS + at);
      if ("waitMs" in next || begun >= 100) continue;
      known = next.rate;
      begun += 1;
    }
    return begun;
  });
}

describe("the rate of a key", () => {
  test("nothing is held back while the API refuses nothing", () => {
    expect(beginAll(NEW_RATE, 0)).toMatchObject({ begun: 1_000 });
  });

  test("a limit of a minute holds for every minute, whenever it begins", () => {
    const first = beginAll(NEW_RATE, 59_000, 3);
    expect(first).toMatchObject({ begun: 3, waitMs: MINUTE_MS + 1_000 });
    expect(beginAll(first.rate, 61_000, 3)).toMatchObject({ begun: 0, waitMs: 59_000 });
    expect(beginAll(first.rate, 119_999, 3)).toMatchObject({ begun: 0, waitMs: 1 });
    expect(beginAll(first.rate, 120_000, 3)).toMatchObject({ begun: 3 });
  });

  test("a refusal lets the key rest for as long as the API wants, then halves the rate, which grows by a quarter a minute", () => {
    let rate = NEW_RATE;
    for (let begun = 0; begun < 40; begun++) rate = (begin(rate, begun * 1_000) as { rate: KeyRate }).rate;
    const refused = lower(rate, 40_000, { retryAfterMs: 20_000, begunMsAgo: 5_000 });
    expect(begin(refused, 40_000)).toEqual({ waitMs: 20_000 });
    const [first = 0, second = 0, third = 0, fourth = 0] = minutesOf(refused, 60_000, 4);
    // 20 in a minute, 25, 31, 39, and then as before.
    expect(first).toBeGreaterThanOrEqual(20);
    expect(first).toBeLessThanOrEqual(24);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
    expect(fourth).toBeGreaterThan(third);
    expect(beginAll(refused, 40_000 + 5 * MINUTE_MS)).toMatchObject({ begun: 1_000 });
  });

  test("those that were refused together lower it once, a later one again, never below one in a minute", () => {
    let rate = NEW_RATE;
    for (let begun = 0; begun < 8; begun++) rate = (begin(rate, 0) as { rate: KeyRate }).rate;
    rate = lower(rate, 1_000, { retryAfterMs: 1_000, begunMsAgo: 1_000 });
    expect(rate.lowered).toMatchObject({ rate: 4, was: 8 });
    for (let n = 0; n < 7; n++) rate = lower(rate, 2_000 + n, { retryAfterMs: 5_000, begunMsAgo: 2_000 + n });
    expect(rate).toMatchObject({ lowered: { rate: 4, was: 8 }, restsUntil: 7_006 });
    for (const expected of [2, 1, 1]) {
      const now = rate.restsUntil + 10_000;
      rate = lower(rate, now, { retryAfterMs: 1_000, begunMsAgo: 100 });
      expect(rate.lowered).toMatchObject({ rate: expected, was: 8 });
    }
  });
});

test("so many run at once with a key, and one whose process says nothing any more is not among them", () => {
  const most = { perMinute: undefined, running: 2 };
  const two = hold(hold(NEW_RATE, 0, "a", 30_000), 0, "b", 30_000);
  expect(begin(two, 1_000, most)).toEqual({ waitMs: 500 });
  expect(begin(hold(two, 1_000, "a", 31_000), 1_000, most)).toEqual({ waitMs: 500 });
  expect(begin(letGo(two, 1_000, "a"), 1_000, most)).toHaveProperty("rate");
  expect(begin(hold(two, 20_000, "a", 50_000), 30_000, most)).toHaveProperty("rate");
  expect(begin(lower(two, 1_000, { retryAfterMs: 1_000, begunMsAgo: 0 }), 2_500, most)).toEqual({ waitMs: 500 });
});

describe("the limit of a key", () => {
  test("counts what runs in all processes until it has ended, or its process says nothing any more", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const rates = createMemoryRates(Date.now);
    const open = () => new KeyLimit({ rates, key: async () => "one", perMinute: undefined, running: 2 });
    const [here, there] = [open(), open()];
    expect([await here.begin("a"), await there.begin("b")]).toEqual([0, 0]);
    expect([await here.begin("c"), await there.restsMs()]).toEqual([500, 500]);
    // As long as they live they say so.
    await vi.advanceTimersByTimeAsync(90_000);
    expect(await here.begin("c")).toBe(500);
    await there.ended("b");
    expect(await here.begin("c")).toBe(0);
    await here.ended("a");
    await here.ended("c");
    // A process that died.
    let isDead = false;
    const dead = async () => Promise.reject(new Error("no process"));
    const own = { ...rates, recall: (name: string) => (isDead ? dead() : rates.recall(name)) };
    const dying = new KeyLimit({ rates: own, key: async () => "one", perMinute: undefined, running: 2 });
    expect([await dying.begin("d"), await there.begin("e"), await here.begin("d")]).toEqual([0, 0, 500]);
    isDead = true;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await here.begin("d")).toBe(0);
    await Promise.all([dying.ended("d"), there.ended("e"), here.ended("d")]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("counts all that begin at once, however many processes count", async () => {
    const rates = createMemoryRates(() => 1_000);
    const limits = [1, 2, 3].map(() => new KeyLimit({ rates, key: async () => "one", perMinute: 5 }));
    const waits = await Promise.all(Array.from({ length: 12 }, (_, n) => limits[n % 3]?.begin()));
    expect(waits.filter((ms) => ms === 0)).toHaveLength(5);
  });

  test("refuses nobody, however many begin at once in one process", async () => {
    const limit = new KeyLimit({ rates: createMemoryRates(() => 1_000), key: async () => "one", perMinute: undefined });
    expect(await Promise.all(Array.from({ length: 200 }, () => limit.begin()))).toEqual(Array(200).fill(0));
  });

  test("is of one key alone", async () => {
    const rates = createMemoryRates(() => 1_000);
    const [one, two] = ["one", "two"].map((key) => new KeyLimit({ rates, key: async () => key, perMinute: undefined }));
    await one?.lower({ retryAfterMs: 7_000, begunMsAgo: 0 });
    expect(await one?.begin()).toBe(7_000);
    expect(await two?.begin()).toBe(0);
  });
});

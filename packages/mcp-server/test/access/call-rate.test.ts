import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallRate, QUESTIONS } from "../../src/access/call-rate.js";
import { createMemoryRates, type Rates } from "../../src/jobs/rates.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { ENGINES } from "../queue/engines.js";

/** Where calls are counted, and what ends it. */
type Place = readonly [name: string, open: () => Promise<{ rates: Rates; close(): Promise<void> }>];

const PLACES: readonly Place[] = [
  ["one process", async () => ({ rates: createMemoryRates(() => 0), close: async () => {} })],
  ...ENGINES.map(
    ([name, start]): Place => [
      name,
      async () => {
        const server = await start();
        const engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000, now: Date.now });
        const close = () => engine.close().then(() => server.remove());
        return { rates: engine.store.rows, close };
      },
    ],
  ),
];

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe.each(PLACES)("calls that are counted in %s", (_, open) => {
  let place: Awaited<ReturnType<Place[1]>>;
  let nowMs = 0;
  /** Two fronts, by a clock that is set. */
  let fronts: [CallRate, CallRate];

  beforeAll(async () => {
    place = await open();
    const { rates } = place;
    const clocked: Rates = {
      recall: (name) => rates.recall(name),
      swap: (...swap) => rates.swap(...swap),
      now: async () => nowMs,
    };
    fronts = [new CallRate(clocked, QUESTIONS), new CallRate(clocked, QUESTIONS)];
  });
  afterAll(() => place?.close());

  test("are no more in any minute than a tenant may have, whenever that minute begins", async () => {
    const [one, two] = fronts;
    const may = async (atMs: number, front = one) => {
      nowMs = atMs;
      return front.take("tenant:a", 2).then(
        () => true,
        () => false,
      );
    };
    // The last second of one minute by the clock, and the first of the next.
    expect([await may(59_000), await may(59_900, two), await may(60_100), await may(118_999)]).toEqual([
      ...[true, true, false, false],
    ]);
    expect([await may(120_000, two), await may(120_100), await may(120_200)]).toEqual([true, true, false]);
  });

  test("are each counted once, however many come at once at two fronts", async () => {
    nowMs = 1_000_000;
    const calls = Array.from({ length: 40 }, (_, n) => fronts[n % 2 === 0 ? 0 : 1].take("tenant:b", 25));
    const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(15);
    await fronts[0].take("tenant:c", 1);
  });

  test("are counted by a clock that is asked after what is known, however late that comes", async () => {
    const { rates } = place;
    const [asked, known] = [gate(), gate()];
    const recall = async (name: string) => {
      asked.open();
      await known.opened;
      return rates.recall(name);
    };
    const late = new CallRate({ recall, swap: rates.swap.bind(rates), now: async () => nowMs }, QUESTIONS);
    nowMs = 1_499_990;
    const last = late.take("tenant:h", 3);
    await asked.opened;
    nowMs = 1_500_010;
    for (let n = 0; n < 3; n++) await fronts[0].take("tenant:h", 3);
    known.open();
    await expect(last).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
  });

  test("are refused with the limit, and with when the next one may come", async () => {
    nowMs = 2_000_000;
    await fronts[0].take("tenant:d", 2);
    nowMs += 20_000;
    await fronts[1].take("tenant:d", 2);
    nowMs += 30_000;
    await expect(fronts[0].take("tenant:d", 2)).rejects.toMatchObject({
      ...{ code: "QUOTA_EXCEEDED", scope: "tenant", retryAfterMs: 11_000 },
      details:
        "The limit per_minute of this tenant: 2 questions a minute are allowed. Ask again in 11 s. Whoever runs this server sets that: MCP_SERVER_LIMITS, or for a tenant of the file of tokens `x-research token limits`.",
    });
    await expect(fronts[0].take("tenant:e", 0)).rejects.toMatchObject({
      details: expect.stringContaining("do not retry"),
    });
    for (let n = 0; n < 100; n++) await fronts[0].take("tenant:f", undefined);
  });

  test("are counted again when the clock was put back by a day", async () => {
    nowMs = 200_000_000;
    await fronts[0].take("tenant:g", 1);
    nowMs -= 86_400_000;
    await fronts[0].take("tenant:g", 1);
    await expect(fronts[0].take("tenant:g", 1)).rejects.toMatchObject({ retryAfterMs: 61_000 });
  });
});

test("a call is told when the place where they are counted is away, and does not go on to ask it for more", async () => {
  const away = () => Promise.reject(new Error("away"));
  const counted = new CallRate({ recall: away, swap: away, now: away }, QUESTIONS).take("tenant:a", 1);
  await expect(counted).rejects.toMatchObject({ code: "EXECUTION_ERROR", why: expect.stringContaining("away") });
});

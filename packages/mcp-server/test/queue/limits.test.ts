import { ResearchError } from "@x/research";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { KeyRate } from "../../src/jobs/key-rate.js";
import { timesIn } from "../../src/jobs/minute.js";
import type { Engine } from "../../src/queue/engine.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { ENGINES } from "./engines.js";

interface WorldOptions {
  running?: number;
  perMinute?: number;
  /** The keys of the workers. */
  keys?: readonly string[];
  store?: DatabaseServer;
}

describe.each(ENGINES)("limits in %s", (_, start) => {
  let server: DatabaseServer;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    server = await start();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(() => server?.remove());

  const engineOf = async ({ url } = server): Promise<Engine> => {
    const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
    closing.push(() => engine.close());
    return engine;
  };

  /** A front and two workers, each with room for five jobs, and what those are asked who have the second key. */
  async function world({ running, perMinute, keys = ["one", "one"], store = server }: WorldOptions = {}) {
    const [research, other] = [fakeResearch(), fakeResearch()];
    const front = await engineOf(store);
    const jobs = new QueuedJobs({ engine: front, log: () => {}, own: processOf(1) });
    closing.push(() => jobs.close());
    for (const [index, key] of keys.entries()) {
      const worker = workerOf(await engineOf(store), key === "two" ? other : research, index + 2, {
        key,
        ...(perMinute !== undefined && { perMinute }),
        ...(running !== undefined && { running }),
      });
      closing.push(() => worker.close());
      await worker.start(5);
    }
    return { research, other, jobs };
  }

  test("a key's researches at once are limited over all workers", async () => {
    const { research, jobs } = await world({ running: 2 });
    const begun = await Promise.all(["a", "b", "c", "d"].map((query) => jobs.of("ann").start("search", { query })));
    const most: number[] = [];
    for (let done = 0; done < begun.length; done++) {
      await research.hasAsked(Math.min(done + 2, begun.length));
      most.push(research.running);
      research.finish();
      await Promise.race(begun.map(({ job }) => job.ended()));
      await vi
        .waitFor(() => expect(begun.filter(({ job }) => job.record.state === "completed").length).toBe(done + 1), {
          timeout: 20_000,
        })
        .catch(() => {});
    }
    await Promise.all(begun.map(({ job }) => job.ended()));
    expect(Math.max(...most)).toBeLessThanOrEqual(2);
    expect(begun.map(({ job }) => job.record.state)).toEqual(Array(4).fill("completed"));
  });

  test("another key has its own limit, and a process that has none takes none away", async () => {
    const store = await start();
    closing.push(() => store.remove());
    const { research, other, jobs } = await world({ running: 1, keys: ["one"], store });
    const begun = [];
    for (const query of ["a", "b"]) begun.push((await jobs.of("ann").start("search", { query })).job);
    await research.hasAsked(1);
    const worker = workerOf(await engineOf(store), other, 9, { key: "two" });
    closing.push(() => worker.close());
    await worker.start(5);
    await other.hasAsked(1);
    begun.push((await jobs.of("ann").start("search", { query: "c" })).job);
    await other.hasAsked(2);
    expect(research.asked).toHaveLength(1);
    for (let left = 2; left > 0; left--) {
      other.finish();
      await vi.waitFor(() => expect(other.running).toBe(left - 1));
    }
    research.finish();
    for (const job of begun) await job.ended();
    expect(begun.map(({ record }) => record.state)).toEqual(Array(3).fill("completed"));
  });

  test("a tenant's researches at once are limited over all workers, and another's are not", async () => {
    const { research, jobs } = await world();
    const limits = { running: 1, queued: 2 };
    const ann = jobs.of("tenant:ann", "", limits);
    const begun = [];
    for (const query of ["1", "2", "3"]) begun.push(await ann.start("search", { query }));
    await expect(ann.start("search", { query: "4" })).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      scope: "tenant",
    });
    const { job: other } = await jobs.of("tenant:bob").start("search", { query: "1" });
    await research.hasAsked(2);
    expect(research.running).toBe(2);
    for (let n = 3; n <= 4; n++) {
      research.finish();
      await vi.waitFor(() => expect(research.running).toBeLessThanOrEqual(2));
      if (n === 4) research.finish();
    }
    await vi.waitFor(
      () => {
        if (research.running > 0) research.finish();
        expect(research.asked).toHaveLength(4);
      },
      { timeout: 40_000, interval: 200 },
    );
    await vi.waitFor(
      () => {
        if (research.running > 0) research.finish();
        expect(research.running).toBe(0);
      },
      { timeout: 20_000, interval: 100 },
    );
    await Promise.all([other.ended(), ...begun.map(({ job }) => job.ended())]);
    expect(begun.map(({ job }) => job.record.state)).toEqual(Array(3).fill("completed"));
  });

  test("a tenant that may have no research at once may ask for none", async () => {
    const { jobs } = await world({ keys: [] });
    const before = await jobs.of("tenant:off").start("search", { query: "before" });
    await jobs.of("tenant:off").cancel(before.job.record.id);
    const off = jobs.of("tenant:off", "", { running: 0, queued: 10 });
    const refused = { code: "QUOTA_EXCEEDED", scope: "tenant", message: expect.stringContaining("no research may be") };
    await expect(off.start("search", { query: "1" })).rejects.toMatchObject(refused);
    await expect(off.resume(before.job.record.id)).rejects.toMatchObject(refused);
  });

  test("so many of a tenant wait as may, however many are asked for at once, and those that go on are counted", async () => {
    const { jobs } = await world({ keys: [] });
    const ann = jobs.of("tenant:waits", "", { running: 1, queued: 1 });
    const asked = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6].map((n) => ann.start("search", { query: `at once ${n}` })),
    );
    const ids = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value.job.record.id] : []));
    expect(ids).toHaveLength(2);
    const details =
      "The limits running and queued of this tenant: 1 research may run and 1 research may wait. Ask again when one of its researches has ended. Whoever runs this server sets that: MCP_SERVER_LIMITS, or for a tenant of the file of tokens `x-research token limits`.";
    for (const each of asked) if (each.status === "rejected") expect(each.reason).toMatchObject({ details });
    const [first = "", second = ""] = ids;
    await ann.cancel(first);
    const { job: third } = await ann.start("search", { query: "in its place" });
    await expect(ann.resume(first)).rejects.toMatchObject({ code: "QUOTA_EXCEEDED", details });
    expect(await ann.look(first)).toMatchObject({ state: "cancelled" });
    await ann.cancel(third.record.id);
    expect((await ann.resume(first))?.record.state).toBe("running");
    for (const id of [first, second]) await ann.cancel(id);
  });

  test("a limit that is changed holds for what waits already; one of none lets nothing begin until it is changed", async () => {
    const store = await start();
    closing.push(() => store.remove());
    const { research, jobs } = await world({ keys: ["one"], store });
    const limit = (running?: number) => jobs.limit(new Map([["tenant:ann", running === undefined ? {} : { running }]]));
    const ann = jobs.of("tenant:ann", "", { running: 1 });
    const begun = [];
    for (let n = 0; n < 6; n++) begun.push((await ann.start("search", { query: `${n}` })).job);
    await research.hasAsked(1);
    await limit(2);
    await research.hasAsked(2);
    await limit(0);
    for (let left = 1; left >= 0; left--) {
      research.finish();
      await vi.waitFor(() => expect(research.running).toBe(left));
    }
    // A worker that has room does what another asks.
    const { job: other } = await jobs.of("tenant:bob").start("search", { query: "of bob" });
    await research.hasAsked(3);
    expect(research.asked.at(-1)?.request).toMatchObject({ query: "of bob" });
    research.finish();
    await other.ended();
    await vi.waitFor(async () =>
      expect((await ann.list(9)).filter(({ state }) => state === "running")).toHaveLength(4),
    );
    await limit();
    await research.hasAsked(7);
    for (let left = 3; left >= 0; left--) {
      research.finish();
      await vi.waitFor(() => expect(research.running).toBe(left));
    }
    for (const job of begun) await job.ended();
    expect(begun.map(({ record }) => record.state)).toEqual(Array(6).fill("completed"));
  });

  test("those that run are not among the researches of a tenant that wait", async () => {
    const { research, jobs } = await world();
    const bob = jobs.of("tenant:runs", "", { queued: 1 });
    const begun = [];
    for (let n = 1; n <= 3; n++) {
      begun.push((await bob.start("search", { query: `running ${n}` })).job);
      await research.hasAsked(n);
    }
    for (const job of begun) await bob.cancel(job.record.id);
  });

  test("what the API refuses waits as long as it asks, and no worker with its key begins anything meanwhile", async () => {
    const store = await start();
    closing.push(() => store.remove());
    const { research, jobs } = await world({ store });
    const retryAfterMs = 3_000;
    const { job } = await jobs.of("ann").start("search", { query: "first" });
    await research.hasAsked(1);
    const refusedMs = performance.now();
    research.fail(new ResearchError("QUOTA_EXCEEDED", "too many", { scope: "minute", retryAfterMs }));
    await research.hasAsked(2);
    expect(performance.now() - refusedMs).toBeGreaterThan(retryAfterMs - 200);
    research.finish(searchReport("after all"));
    await job.ended();
    expect(job.record).toMatchObject({ state: "completed", report: { result: "after all" } });
  });

  test("a key that the API refuses leaves another key alone, whose worker goes on with the research at once", async () => {
    const store = await start();
    closing.push(() => store.remove());
    const { research, other, jobs } = await world({ keys: ["one"], store });
    const { job } = await jobs.of("ann").start("search", { query: "first" });
    await research.hasAsked(1);
    research.fail(new ResearchError("QUOTA_EXCEEDED", "too many", { scope: "minute", retryAfterMs: 600_000 }));
    await vi.waitFor(() => expect(research.running).toBe(0));
    const worker = workerOf(await engineOf(store), other, 9, { key: "two" });
    closing.push(() => worker.close());
    await worker.start(5);
    await other.hasAsked(1);
    const { job: next } = await jobs.of("ann").start("search", { query: "second" });
    await other.hasAsked(2);
    other.finish();
    await vi.waitFor(() => expect(other.running).toBe(1));
    other.finish();
    await Promise.all([job.ended(), next.ended()]);
    expect([job.record.state, next.record.state]).toEqual(["completed", "completed"]);
    expect(research.asked).toHaveLength(1);
  });

  test("a research that is refused again and again, with whatever key, fails", async () => {
    const store = await start();
    closing.push(() => store.remove());
    const { research, jobs } = await world({ keys: ["a", "b", "c", "d"], store });
    const { job } = await jobs.of("ann").start("search", { query: "never" });
    for (let asked = 1; asked <= 4; asked++) {
      await research.hasAsked(asked);
      research.fail(new ResearchError("QUOTA_EXCEEDED", "too many", { scope: "minute", retryAfterMs: 600_000 }));
    }
    await job.ended();
    expect(job.record).toMatchObject({ state: "failed", failure: { code: "QUOTA_EXCEEDED" } });
  });

  test("a tenant at its limit uses up nothing of what may be begun in a minute", async () => {
    const store = await start();
    closing.push(() => store.remove());
    const { research, jobs } = await world({ perMinute: 3, keys: ["one"], store });
    const many = jobs.of("tenant:many", "", { running: 1, queued: 30 });
    for (let n = 0; n < 20; n++) await many.start("search", { query: `many ${n}` });
    await research.hasAsked(1);
    await jobs.of("tenant:one").start("search", { query: "one" });
    await research.hasAsked(2);
    expect(research.asked[1]?.request).toMatchObject({ query: "one" });
    const rate: KeyRate = JSON.parse((await (await engineOf(store)).store.rows.recall("rate:one")) ?? "");
    expect(timesIn(rate.minute)).toBe(2);
  });

  test("researches of a key that are begun in a minute are limited over all workers", {
    timeout: 180_000,
  }, async () => {
    // Those of the other tests were begun in this minute, too.
    const store = await start();
    closing.push(() => store.remove());
    const { research, jobs } = await world({ perMinute: 2, store });
    const begun = await Promise.all(["m", "n", "o", "p"].map((query) => jobs.of("ann").start("search", { query })));
    await research.hasAsked(2);
    let ended = 0;
    for (const { job } of begun) {
      void job.ended().then(() => {
        ended += 1;
      });
    }
    for (let left = 1; left >= 0; left--) {
      research.finish();
      await vi.waitFor(() => expect(research.running).toBe(left), { timeout: 60_000 });
    }
    await vi.waitFor(() => expect(ended).toBe(2), { timeout: 60_000 });
    // The two workers have room for ten.
    expect(research.asked).toHaveLength(2);
    for (const { job } of begun) await jobs.of("ann").cancel(job.record.id);
  });
});

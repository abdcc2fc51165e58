import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Left } from "../../src/jobs/job-queue.js";
import type { Saved } from "../../src/jobs/job-store.js";
import type { Engine, EngineOptions } from "../../src/queue/engine.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { SharedStore } from "../../src/queue/shared-store.js";
import { type DatabaseServer, startPostgres, startRedis } from "../support/database-servers.js";
import { fakeResearch } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

// Leases of a real length end in some of them, on whatever machine.
vi.setConfig({ testTimeout: 300_000 });

/** How long a step may take on a busy machine. */
const SOON = { timeout: 120_000, interval: 100 };

async function openedFor(url: string, more: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now, againMs: 100, ...more });
  closing.push(() => engine.close());
  return engine;
}

const engineOf = (url: string) => openedFor(url);

/** A store with so many jobs of one owner that wait, and what may work on them. */
async function world(server: DatabaseServer, waiting: number) {
  const url = await databaseIn(server);
  const engine = await engineOf(url);
  const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
  closing.push(() => jobs.close());
  const ids: string[] = [];
  const ask = async () => {
    const { job } = await jobs.of("ann").start("search", { query: randomUUID() });
    ids.push(job.record.id);
    return job;
  };
  for (let n = 0; n < waiting; n++) await ask();
  return { url, engine, jobs, ids, ask };
}

const free = { restsMs: async () => 0 };

/** Tickets that wait. */
async function ticketsOf(url: string): Promise<number> {
  if (url.startsWith("redis")) {
    const client = new Redis(url);
    const waiting = await client.llen("bull:mcp-server-tickets:wait");
    client.disconnect();
    return waiting;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT count(*)::int AS waiting FROM bullmq.job WHERE state = 'waiting'");
  await client.end();
  return rows[0].waiting;
}

/** The ticket that is taken next. */
async function nextTicket(url: string): Promise<string> {
  if (url.startsWith("redis")) {
    const client = new Redis(url);
    const next = await client.lindex("bull:mcp-server-tickets:wait", -1);
    client.disconnect();
    return String(next);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT id FROM bullmq.job WHERE queue = 'mcp-server-tickets' AND state = 'waiting' ORDER BY priority, seq LIMIT 1",
  );
  await client.end();
  return String(rows[0]?.id);
}

/** What processes told each other, as far as it is kept. */
async function messagesIn(url: string): Promise<string> {
  if (url.startsWith("redis")) {
    const client = new Redis(url);
    const messages = await client.xrange("bull:mcp-server-messages:events", "-", "+");
    client.disconnect();
    return messages.map(([, fields]) => fields.join(" ")).join("\n");
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT data::text FROM bullmq.event WHERE queue = 'mcp-server-messages'");
  await client.end();
  return rows.map(({ data }) => data).join("\n");
}

describe.each(ENGINES)("the jobs that wait in %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  test("the job of a dead worker comes before those that have waited meanwhile", async () => {
    const { url, engine, ids, ask } = await world(server, 1);
    const dying = await engineOf(url);
    const taken: string[] = [];
    const never = new Promise<Left>(() => {});
    await dying.queue.work(1, {
      ...free,
      do({ id }) {
        taken.push(id);
        return never;
      },
    });
    await vi.waitFor(() => expect(taken).toEqual([ids[0]]), SOON);
    // Nobody renews its lease from now on.
    await dying.close();
    for (let n = 0; n < 4; n++) await ask();
    const worked: string[] = [];
    const taking = await engine.queue.work(1, {
      ...free,
      async do({ id, signal }) {
        worked.push(id);
        if (worked.length > 1) return "done";
        // The lease of the dead worker ends, and its ticket is put where it belongs, which PostgreSQL does in a second step.
        const comesNext = async () => (await engine.store.rows.takenWith(await nextTicket(url))) === ids[0];
        while (!signal.aborted && !(await comesNext())) await pause(200);
        return "done";
      },
    });
    closing.push(() => taking.close());
    await vi.waitFor(() => expect(worked.length).toBeGreaterThan(1), SOON);
    expect(worked.slice(0, 2)).toEqual([ids[1], ids[0]]);
  });

  test("a job that a newer server has written waits for a newer worker, untouched, and keeps nobody waiting", async () => {
    const { url, engine, jobs, ids, ask } = await world(server, 1);
    const id = ids[0] ?? "";
    const row = { id, format: 99, generation: 7, head: '{"of":"the future"}' };
    expect(await engine.store.rows.write({ ...row, from: 1, next: "keep" })).toMatchObject({ written: true });
    const others = [await ask(), await ask()];
    const research = fakeResearch();
    const worker = workerOf(await engineOf(url), research, 2);
    closing.push(() => worker.close());
    await worker.start(1);
    for (const [index, other] of others.entries()) {
      await research.hasAsked(index + 1);
      research.finish();
      await other.ended();
      expect(other.record.state).toBe("completed");
    }
    expect(await engine.store.rows.row(id)).toEqual(row);
    expect(await jobs.of("ann").cancel(id)).toBeUndefined();
    expect(await engine.store.rows.row(id)).toEqual(row);
  });

  test("what processes told each other of a research is forgotten", async () => {
    const { url, engine } = await world(server, 0);
    await engine.queue.publish({ kind: "progress", id: "search-0000000000", activity: "looks for a secret" });
    expect(await messagesIn(url)).toMatch(/secret/);
    // A front does it, too: a worker may not be there for days.
    const { queue } = await openedFor(url, { messagesMs: 0 });
    queue.subscribe(() => {});
    await vi.waitFor(async () => expect(await messagesIn(url)).toBe(""), SOON);
  });

  test("a damaged record takes no worker again and again, and those behind it go on", async () => {
    const { url, engine, ids, ask } = await world(server, 1);
    const id = ids[0] ?? "";
    await engine.store.rows.write({ id, format: 1, generation: 1, from: 1, head: "{", next: "keep" });
    const other = await ask();
    const research = fakeResearch();
    const own = await engineOf(url);
    const take = vi.spyOn(own.store.rows, "take");
    const worker = workerOf(own, research, 2);
    closing.push(() => worker.close());
    await worker.start(1);
    await research.hasAsked(1);
    research.finish();
    await other.ended();
    expect(other.record.state).toBe("completed");
    await vi.waitFor(
      async () => expect(await engine.store.counts("ann")).toMatchObject([{ waiting: 0, running: 0 }]),
      SOON,
    );
    expect(take).toHaveBeenCalledTimes(2);
    expect(await engine.store.rows.row(id)).toMatchObject({ head: "{" });
  });

  test("jobs of an owner at its limit are not given tickets again and again", async () => {
    const { url, engine, jobs } = await world(server, 0);
    const limited = jobs.of("tenant:ann", "", { running: 1, queued: 10 });
    for (let n = 0; n < 5; n++) await limited.start("search", { query: randomUUID() });
    const own = await engineOf(url);
    const take = vi.spyOn(own.store.rows, "take");
    // The last step of each look for tickets that were lost.
    const looked = vi.spyOn(own.store.rows, "expire");
    const worked: string[] = [];
    const taking = await own.queue.work(2, {
      ...free,
      async do({ id, signal }) {
        worked.push(id);
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        return "given-back";
      },
    });
    closing.push(() => taking.close());
    await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(5), SOON);
    await vi.waitFor(() => expect(looked).toHaveBeenCalledTimes(3), SOON);
    expect(take).toHaveBeenCalledTimes(5);
    expect(await ticketsOf(url)).toBe(0);
    // A job that lost its ticket, of an owner who has room, gets another.
    vi.spyOn(engine.queue, "wake").mockResolvedValueOnce();
    const { job } = await jobs.of("bob").start("search", { query: randomUUID() });
    await vi.waitFor(() => expect(worked).toContain(job.record.id), SOON);
  });

  test("a worker whose write came through, though its answer was lost, does the job all the same", async () => {
    const { url, engine, jobs } = await world(server, 0);
    /** Writes the first state twice, as a client does that sends again what nobody has answered. */
    class Twice extends SharedStore {
      #isFirst = true;
      override async save(...write: Parameters<SharedStore["save"]>): Promise<Saved> {
        if (this.#isFirst) await super.save(...write);
        this.#isFirst = false;
        return super.save(...write);
      }
    }
    const twice = new Twice(engine.store.rows, Date.now);
    const research = fakeResearch();
    const worker = workerOf({ ...(await engineOf(url)), store: twice }, research, 2);
    closing.push(() => worker.close());
    await worker.start(1);
    const { job } = await jobs.of("ann").start("search", { query: "why" });
    await research.hasAsked(1);
    research.finish();
    await job.ended();
    expect(job.record.state).toBe("completed");
  });
});

/** Makes a store slow: nothing that changes a queue is answered. Gives the way back. */
const SLOW: readonly (readonly [
  string,
  () => Promise<DatabaseServer>,
  (url: string) => Promise<() => Promise<void>>,
])[] = [
  [
    "Redis",
    startRedis,
    async (url) => {
      const client = new Redis(url);
      await client.call("CLIENT", "PAUSE", "5000", "ALL");
      return async () => {
        await client.call("CLIENT", "UNPAUSE");
        client.disconnect();
      };
    },
  ],
  [
    "PostgreSQL",
    startPostgres,
    async (url) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("BEGIN; LOCK TABLE mcp_server.job IN ACCESS EXCLUSIVE MODE");
      return async () => {
        await client.query("COMMIT");
        await client.end();
      };
    },
  ],
];

test.each(SLOW)("calls wait for a slow %s, however many they are", async (_, start, slowDown) => {
  const server = await start();
  closing.push(() => server.remove());
  const { url, engine, ids } = await world(server, 1);
  const goOn = await slowDown(url);
  const looks = Array.from({ length: 60 }, () => engine.store.head(ids[0] ?? ""));
  const settled = Promise.allSettled(looks);
  // Longer than a connection may take to be made, shorter than an answer may take.
  await pause(4_000);
  await goOn();
  // On a machine that is slow, too, an answer may come too late; nobody is refused for want of a connection.
  const refusals = (await settled).flatMap((look) => (look.status === "rejected" ? [String(look.reason)] : []));
  expect(refusals.filter((reason) => /connect/i.test(reason))).toEqual([]);
});

test("PostgreSQL forgets an owner with the last job", async () => {
  const server = await startPostgres();
  closing.push(() => server.remove());
  const owners = async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query("SELECT owner FROM mcp_server.tenant");
    await client.end();
    return rows.map(({ owner }) => owner);
  };
  const [soon, later] = [await openedFor(server.url, { keepMs: 1 }), await openedFor(server.url)];
  for (const [engine, owner] of [
    [soon, "ann"],
    [later, "bob"],
  ] as const) {
    const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
    closing.push(() => jobs.close());
    await jobs.of(owner).start("search", { query: randomUUID() });
  }
  expect((await owners()).toSorted()).toEqual(["ann", "bob"]);
  await vi.waitFor(async () => {
    await later.store.rows.expire();
    expect(await owners()).toEqual(["bob"]);
  }, SOON);
});

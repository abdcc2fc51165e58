import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openEngine } from "../../src/queue/open-engine.js";
import { type NewRow, OWNERS_A_STEP } from "../../src/queue/rows.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

vi.setConfig({ testTimeout: 120_000 });

/** Owners at whom whoever takes next would look. */
async function lookedAt(url: string): Promise<number> {
  if (url.startsWith("redis")) {
    const client = new Redis(url);
    const owners = await client.llen("mcp-server:ring");
    client.disconnect();
    return owners;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT count(*)::int AS owners FROM mcp_server.tenant WHERE ready");
  await client.end();
  return rows[0].owners;
}

describe.each(ENGINES)("those who may not go on in %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  test("are looked at once, however many they are, and again when they may", async () => {
    const url = await databaseIn(server);
    const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
    onTestFinished(() => engine.close());
    const { rows } = engine.store;
    const create = async (id: string, owner: string, running: number | undefined) => {
      const row = { id, key: `question of ${id}`, owner, generation: 1, format: 1, head: "{}", after: undefined };
      expect(await rows.create({ ...row, room: { running, jobs: undefined } } as NewRow)).toBe("created");
    };
    const end = (id: string) => rows.write({ id, from: 1, generation: 2, format: 1, head: "{}", next: "end" });
    const many = Array.from({ length: OWNERS_A_STEP + 100 }, (_each, n) => n);
    await Promise.all(many.map((n) => create(`search-${n}`, `tenant:${n}`, 0)));
    await create("search-last", "tenant:last", 1);
    // More than one step.
    expect(await rows.take("ticket-1")).toBe("search-last");
    await create("search-next", "tenant:last", 1);
    expect(await rows.take("ticket-2")).toBeUndefined();
    expect(await lookedAt(url)).toBe(0);
    expect(await end("search-last")).toMatchObject({ owesTicket: true });
    expect(await lookedAt(url)).toBe(1);
    expect(await rows.take("ticket-3")).toBe("search-next");
    await rows.limit([{ owner: "tenant:7", running: 1 }]);
    expect(await rows.countReady()).toBe(1);
    expect(await rows.take("ticket-4")).toBe("search-7");
    await create("search-more", "tenant:8", 1);
    expect(await rows.take("ticket-5")).toBe("search-8");
    // A job that goes on brings its owner's limit along.
    expect(
      await rows.write({ id: "search-9", from: 1, generation: 2, format: 1, head: "{}", next: "stop" }),
    ).toMatchObject({
      written: true,
    });
    const room = { running: 1, jobs: undefined };
    await rows.write({ id: "search-9", from: 2, generation: 3, format: 1, head: "{}", next: "line", room });
    expect(await rows.take("ticket-6")).toBe("search-9");
    expect(await rows.take("ticket-7")).toBeUndefined();
    expect((await rows.counts()).filter(({ waiting }) => waiting > 0)).toHaveLength(many.length - 2);
  });
});

test.each(["/99", "/16"])("a database %s that Redis has not is refused", async (path) => {
  const [, startRedis] = ENGINES[0] as (typeof ENGINES)[number];
  const redis = await startRedis();
  onTestFinished(() => redis.remove());
  const url = new URL(redis.url);
  url.pathname = path;
  const engine = await openEngine({ url: url.href, log: () => {}, keepMs: 60_000_000, now: Date.now });
  onTestFinished(() => engine.close());
  expect(await engine.problem()).toMatchObject({ kind: "setup", text: expect.stringContaining("has no database") });
});

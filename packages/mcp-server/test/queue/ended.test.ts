import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openEngine } from "../../src/queue/open-engine.js";
import { MOST_ENDED, type NewRow } from "../../src/queue/rows.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

vi.setConfig({ testTimeout: 120_000 });

/** Questions whose last job is known. */
async function questionsIn(url: string): Promise<number> {
  if (url.startsWith("redis")) {
    const client = new Redis(url);
    const questions = await client.keys("mcp-server:question:*");
    client.disconnect();
    return questions.length;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT count(*)::int AS count FROM mcp_server.question");
  await client.end();
  return rows[0].count;
}

const idsOf = (count: number) => Array.from({ length: count }, () => `search-${randomUUID()}`);

describe.each(ENGINES)("what has ended in %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  async function world() {
    const url = await databaseIn(server);
    const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
    onTestFinished(() => engine.close());
    const { rows } = engine.store;
    const create = async (id: string, owner = "ann") => {
      const row = { id, key: `question of ${id}`, owner, generation: 1, format: 1, head: "{}", after: undefined };
      expect(await rows.create({ ...row, room: { running: undefined, jobs: undefined } } as NewRow)).toBe("created");
    };
    const write = (id: string, next: "stop" | "end" | "line", from = 1, format = 1) =>
      rows.write({ id, from, generation: from + 1, format, head: "{}", next });
    const askAndCancel = async (ids: readonly string[]) => {
      for (const id of ids) {
        await create(id);
        await write(id, "stop");
      }
    };
    return { url, rows, create, write, askAndCancel };
  }

  test("of an owner is forgotten but for the last, with its question, while what waits and runs stays", async () => {
    const { url, rows, create, write, askAndCancel } = await world();
    await create("search-runs");
    expect(await rows.take("ticket")).toBe("search-runs");
    const ids = idsOf(6);
    const [first = "", again = "", newer = "", ...others] = ids;
    await askAndCancel(ids);
    // Several at once, for it takes long.
    await Promise.all(Array.from({ length: 7 }, () => askAndCancel(idsOf((MOST_ENDED - 6) / 7))));
    await create("search-bobs", "bob");
    await write("search-bobs", "end");
    await create("search-waits");
    // One that goes on has not ended, and a newer server's is not ours to forget.
    await write(again, "line", 2);
    await rows.write({ id: newer, from: 2, generation: 3, format: 99, head: "{}", next: "keep" });
    await askAndCancel(idsOf(2));
    const there = async (id: string) => (await rows.head(id)) !== undefined;
    expect(await Promise.all(["search-runs", "search-waits", "search-bobs", again, newer].map(there))).toEqual(
      Array(5).fill(true),
    );
    expect(await there(first)).toBe(false);
    expect(await rows.lastOf(`question of ${first}`)).toBeUndefined();
    expect(await rows.lastOf(`question of ${newer}`)).toBe(newer);
    await askAndCancel(idsOf(2));
    expect(await Promise.all(others.map(there))).toEqual([false, expect.any(Boolean), true]);
    expect(await rows.headsOf("ann", 2 * MOST_ENDED)).not.toContainEqual(expect.objectContaining({ id: first }));
    expect(await questionsIn(url)).toBeLessThanOrEqual(MOST_ENDED + 5);
    expect(await rows.remove(again, 3)).toBe(true);
    expect(await rows.lastOf(`question of ${again}`)).toBeUndefined();
  });
});

import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openEngine } from "../../src/queue/open-engine.js";
import { SETUP } from "../../src/queue/postgres/schema.js";
import type { NewRow } from "../../src/queue/rows.js";
import { type DatabaseServer, startPostgres } from "../support/database-servers.js";
import { databaseIn } from "./databases.js";

let server: DatabaseServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

/** The rows of an engine, and a step that somebody else has begun and not ended. */
async function world() {
  const url = await databaseIn(server);
  const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  const { rows } = engine.store;
  await rows.now();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("SET search_path = mcp_server");
  onTestFinished(async () => {
    await other.end();
    await engine.close();
  });
  const create = async (id: string, owner: string, running?: number) => {
    const row: NewRow = {
      id,
      key: randomUUID(),
      owner,
      generation: 1,
      format: 1,
      head: "{}",
      after: undefined,
    } as never;
    expect(await rows.create({ ...row, room: { running, jobs: undefined } })).toBe("created");
  };
  return { url, rows, other, create };
}

/** Writes every row there is. */
const WRITES =
  "UPDATE question SET id = id; UPDATE tenant SET turn = turn; UPDATE job SET id = id; UPDATE known SET text = text; UPDATE owed SET tickets = tickets";

test("a process that starts in PostgreSQL waits for nobody who writes", async () => {
  const { url, rows, other, create } = await world();
  await create("search-a", "ann");
  await rows.remember("session", "text", 60_000);
  await other.query(`BEGIN; ${WRITES}`);
  const another = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  onTestFinished(() => another.close());
  expect(await another.store.rows.lastOf("none")).toBeUndefined();
  await other.query("COMMIT");
});

test("nobody who writes in PostgreSQL waits for a process that starts", async () => {
  const { rows, other, create } = await world();
  await other.query("BEGIN");
  await other.query(SETUP);
  await create("search-a", "ann");
  expect(await rows.take("ticket-1")).toBe("search-a");
  expect(await rows.write({ id: "search-a", ...stopped, next: "end" })).toMatchObject({ written: true });
  expect(await rows.remove("search-a", 2)).toBe(true);
  await rows.remember("session", "text", 60_000);
  await rows.expire();
  await other.query("COMMIT");
});

test("processes that start at once in a new database of PostgreSQL are all ready", async () => {
  const url = await databaseIn(server);
  const options = { url, log: () => {}, keepMs: 60_000_000, now: Date.now };
  const engines = await Promise.all(Array.from({ length: 8 }, () => openEngine(options)));
  onTestFinished(async () => {
    for (const engine of engines) await engine.close();
  });
  const counts = await Promise.all(engines.map(({ store }) => store.rows.countReady()));
  expect(new Set(counts)).toEqual(new Set([0]));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query("SELECT indexname FROM pg_indexes WHERE schemaname = 'mcp_server' ORDER BY 1");
  const made = ["job_expires", "job_line", "job_owner", "job_running", "question_id", "tenant_turn"];
  const ofKeys = ["job_pkey", "job_ticket_key", "known_pkey", "owed_pkey", "question_pkey", "tenant_pkey"];
  expect(rows.map(({ indexname }) => indexname)).toEqual([...made, ...ofKeys].sort());
});

const stopped = { from: 1, generation: 2, format: 1, head: "{}", next: "stop" } as const;

test("who takes a job in PostgreSQL does not wait for one that is being cancelled, and neither for whoever takes", async () => {
  const { rows, other, create } = await world();
  await create("search-a", "ann");
  await create("search-b", "ann");
  await other.query("UPDATE owed SET tickets = 1");
  await other.query("BEGIN; SELECT FROM job WHERE id = 'search-a' FOR UPDATE");
  expect(await rows.take("ticket-1")).toBe("search-b");
  const cancelled = rows.write({ id: "search-a", ...stopped });
  expect(await rows.take("ticket-2")).toBeUndefined();
  await other.query("COMMIT");
  expect(await cancelled).toMatchObject({ written: true });
  expect(await rows.countReady()).toBe(0);
});

test.each([
  ["has found", false],
  ["has not looked at again", true],
])(
  "who ends a job in PostgreSQL while another is taken wakes for one that the taker %s at its limit",
  async (_, before) => {
    const { rows, other, create } = await world();
    for (const id of ["search-a", "search-b"]) await create(id, "ann", 1);
    expect(await rows.take("ticket-1")).toBe("search-a");
    if (before) {
      expect(await rows.take("ticket-2")).toBeUndefined();
      await other.query("UPDATE owed SET tickets = 0");
    }
    await other.query("BEGIN");
    const { rows: found } = await other.query("SELECT take_3('ticket-2', 500) AS id");
    expect(found).toEqual([{ id: null }]);
    const ended = rows.write({ id: "search-a", ...stopped, next: "end" });
    // Who has not found it there has nothing in hand for which the end would wait.
    if (before) await ended;
    await other.query("COMMIT");
    expect(await ended).toMatchObject({ owesTicket: true });
    expect(await rows.take("ticket-3")).toBe("search-b");
  },
);

test("nobody is woken in vain: of an owner without a limit no job waits for the end of another", async () => {
  const { rows, other, create } = await world();
  for (const id of ["search-a", "search-b"]) await create(id, "ann");
  expect(await rows.take("ticket-1")).toBe("search-a");
  await other.query("BEGIN; SELECT pg_advisory_xact_lock(7265817, 1)");
  expect(await rows.write({ id: "search-a", ...stopped, next: "end" })).toMatchObject({ owesTicket: false });
  await other.query("COMMIT");
});

test("what has expired in PostgreSQL goes without waiting; what somebody has in hand goes the next time", async () => {
  const { rows, other, create } = await world();
  for (const id of ["search-a", "search-b", "search-c"]) await create(id, "ann");
  for (const name of ["a", "b", "c"]) await rows.remember(name, "text", 1);
  const left = async () => {
    const { rows: found } = await other.query(
      "SELECT id FROM job UNION ALL SELECT key FROM question UNION ALL SELECT name FROM known UNION ALL SELECT owner FROM tenant",
    );
    return found.length;
  };
  await other.query("UPDATE job SET expires_at = '2001-01-01'; UPDATE question SET expires_at = '2001-01-01'");
  await other.query(
    "UPDATE known SET expires_at = '2001-01-01'; INSERT INTO tenant VALUES ('bob', 1, 0), ('cid', 2, 0)",
  );
  // One of each kind, by somebody for whom whoever takes a job waits, too.
  await other.query("BEGIN; SELECT pg_advisory_xact_lock(7265817, 1)");
  await other.query("UPDATE job SET head = '{}' WHERE id = 'search-a'; UPDATE tenant SET turn = 3 WHERE owner = 'bob'");
  await other.query("UPDATE question SET id = id WHERE id = 'search-a'; UPDATE known SET text = '' WHERE name = 'a'");
  await rows.expire();
  expect(await left()).toBe(5);
  await other.query("COMMIT");
  await rows.expire();
  expect(await left()).toBe(0);
});

test("an owner in PostgreSQL whose first job is just being made is not forgotten", async () => {
  const { rows, other } = await world();
  await other.query("INSERT INTO tenant VALUES ('ann', 1, 0)");
  await other.query("BEGIN; SELECT create_3('search-a', 'key', 'ann', 1, 1, '{}', '', 0, NULL, '1 day')");
  await rows.expire();
  await other.query("COMMIT");
  expect(await rows.take("ticket-1")).toBe("search-a");
});

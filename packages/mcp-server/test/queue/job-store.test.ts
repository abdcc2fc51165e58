import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileRunStore } from "@x/research/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newActivity } from "../../src/jobs/activity.js";
import { FileJobStore } from "../../src/jobs/file-job-store.js";
import { createRecordLock } from "../../src/jobs/file-lock.js";
import { type JobRecord, keyOf, newJobId } from "../../src/jobs/job-record.js";
import type { JobStore } from "../../src/jobs/job-store.js";
import { createRecordFiles } from "../../src/jobs/record-files.js";
import type { Engine } from "../../src/queue/engine.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { SharedStore } from "../../src/queue/shared-store.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { deepReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { ENGINES } from "./engines.js";

function newRecord(owner: string, query: string): JobRecord {
  const at = new Date().toISOString();
  const [createdAt, updatedAt, startedAt] = [at, at, at];
  return {
    ...{ id: newJobId("deep_search"), tool: "deep_search", request: { query }, state: "running", owner },
    ...{ ...processOf(1), generation: 1, createdAt, updatedAt, startedAt, activity: newActivity() },
  };
}

const question = () => `question ${randomUUID()}`;

/** A place for records, and two processes that use it. */
interface Place {
  store: JobStore;
  other: JobStore;
  remove(): Promise<unknown>;
}

async function files(): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-server-store-"));
  const open = (pid: number) =>
    new FileJobStore({
      files: createRecordFiles({ directory: join(directory, "jobs") }),
      rounds: createFileRunStore({ directory: join(directory, "rounds") }),
      lock: createRecordLock({ directory: join(directory, "jobs"), own: processOf(pid, "abc"), isGone: () => false }),
      now: Date.now,
    });
  return { store: open(1), other: open(2), remove: async () => rmSync(directory, { recursive: true }) };
}

const shared = (start: (typeof ENGINES)[number][1]) => async (): Promise<Place> => {
  const server = await start();
  const open = () => openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  const [one, two] = [await open(), await open()];
  return {
    ...{ store: one.store, other: two.store },
    async remove() {
      await Promise.all([one.close(), two.close()]);
      await server.remove();
    },
  };
};

const PLACES: readonly (readonly [string, () => Promise<Place>])[] = [
  ["files", files],
  ...ENGINES.map(([name, start]) => [name, shared(start)] as const),
];

describe.each(PLACES)("the records of jobs in %s", (_, make) => {
  let place: Place;
  beforeAll(async () => {
    place = await make();
  });
  afterAll(() => place?.remove());

  test("a record comes back as it was kept, its report packed and left out of heads", async () => {
    const { store } = place;
    const record = newRecord("ann", question());
    expect(await store.create(record, undefined)).toBe(true);
    expect(await store.load(record.id)).toEqual(record);
    const report = deepReport("long ".repeat(100_000));
    const ended: JobRecord = { ...record, state: "completed", report };
    expect(await store.save(ended, "end")).toBe("saved");
    expect(await store.load(record.id)).toEqual(ended);
    expect(await store.head(record.id)).toMatchObject({ id: record.id, state: "completed", verified: true });
    expect(await store.head(record.id)).not.toHaveProperty("report");
  });

  test("another's record is as good as none, and nothing of it is read", async () => {
    const { store } = place;
    const record = newRecord("tenant:ann", question());
    await store.create(record, undefined);
    expect(await store.load(record.id, "tenant:eve")).toBeUndefined();
    expect((await store.load(record.id, "tenant:ann"))?.id).toBe(record.id);
    if (store instanceof SharedStore) expect(await store.rows.row(record.id, "tenant:eve")).toBeUndefined();
  });

  test("of two that keep a job of one question at once, one comes too late", async () => {
    const { store, other } = place;
    const query = question();
    const records = [newRecord("ann", query), newRecord("ann", query), newRecord("ann", query)];
    const kept = await Promise.all(
      records.map((record, at) => (at % 2 === 0 ? store : other).create(record, undefined)),
    );
    expect(kept.filter(Boolean)).toHaveLength(1);
    const first = records[kept.indexOf(true)] as JobRecord;
    const key = keyOf("ann", "deep_search", { query });
    expect(await store.last(key)).toMatchObject({ id: first.id, head: { id: first.id } });
    const [one, two] = [newRecord("ann", query), newRecord("ann", query)];
    expect(await store.create(one, first.id)).toBe(true);
    expect(await store.create(two, first.id)).toBe(false);
  });

  test("a list holds an owner's own, newest first", async () => {
    const { store } = place;
    const records = [newRecord("bob", question()), newRecord("bob", question()), newRecord("eve", question())];
    for (const record of records) await store.create(record, undefined);
    const ids = (await store.list("bob", 10)).map(({ id }) => id);
    expect(ids).toEqual([records[1]?.id, records[0]?.id]);
    expect(await store.atRest([...ids, "search-0000000000"])).toEqual(["search-0000000000"]);
    expect(await store.list("bob", 1)).toHaveLength(1);
    expect((await store.list("bob", 10)).map(({ state }) => state)).toEqual(["running", "running"]);
  });

  test("a write of an old generation is refused, and so are its rounds", async () => {
    const { store, other } = place;
    const record = newRecord("ann", question());
    await store.create(record, undefined);
    const rounds = store.roundsOf(record);
    await rounds.save("r1", { id: "r1", rounds: 1 });
    const taken = { ...record, generation: 2 };
    const both = await Promise.all([store.save(taken, "keep", 1), other.save({ ...taken }, "keep", 1)]);
    expect(both.sort()).toEqual(["saved", "superseded"]);
    expect(await store.save(record)).toBe("superseded");
    await expect(rounds.save("r1", { id: "r1", rounds: 7 })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await store.roundsOf(taken).load("r1")).toEqual({ id: "r1", rounds: 1 });
    expect(await store.roundsOf(taken).load("another")).toBeUndefined();
  });

  test("rounds stay with a job that stopped or ended, and go with it", async () => {
    const { store } = place;
    const record: JobRecord = { ...newRecord("ann", question()), researchId: "r1" };
    await store.create(record, undefined);
    const rounds = store.roundsOf(record);
    await rounds.save("r1", { id: "r1" });
    await store.save({ ...record, state: "interrupted" }, "stop");
    expect(await rounds.load("r1")).toEqual({ id: "r1" });
    await store.save({ ...record, state: "completed", report: deepReport() }, "end");
    expect(await rounds.load("r1")).toEqual({ id: "r1" });
    await store.remove(record);
    expect(await rounds.load("r1")).toBeUndefined();
  });

  test("an id that is none names nothing", async () => {
    for (const id of ["", "../../etc/passwd", "*", "deep-search-0000000000"]) {
      expect(await place.store.load(id)).toBeUndefined();
    }
  });

  test("a record that somebody has begun meanwhile is not deleted", async () => {
    const { store, other } = place;
    const record = newRecord("ann", question());
    await store.create(record, undefined);
    await store.save({ ...record, state: "interrupted" }, "stop");
    expect(await other.save({ ...record, generation: 2 }, "line", 1)).toBe("saved");
    expect(await store.remove(record)).toBe(false);
    expect(await store.load(record.id)).toMatchObject({ generation: 2, state: "running" });
  });
});

describe.each(ENGINES)("what %s keeps", (_, start) => {
  let server: DatabaseServer;
  let engine: Engine;

  beforeAll(async () => {
    server = await start();
    engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  });
  afterAll(async () => {
    await engine?.close();
    await server?.remove();
  });

  test("a report is packed", async () => {
    const { store } = engine;
    const record = newRecord("ann", question());
    await store.create(record, undefined);
    await store.save({ ...record, state: "completed", report: deepReport("long ".repeat(100_000)) }, "end");
    expect((await store.rows.row(record.id))?.report?.length).toBeLessThan(10_000);
  });

  test("a text is replaced only where it is still as it was", async () => {
    const { rows } = engine.store;
    expect(await rows.swap("s", "a", "b", 60_000)).toBe(false);
    expect(await rows.swap("s", undefined, "", 60_000)).toBe(true);
    expect(await rows.swap("s", undefined, "b", 60_000)).toBe(false);
    const both = await Promise.all([rows.swap("s", "", "b", 60_000), rows.swap("s", "", "c", 60_000)]);
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await rows.swap("s", (await rows.recall("s")) ?? "", "gone", 1)).toBe(true);
    await expect.poll(() => rows.recall("s")).toBeUndefined();
    expect(await rows.swap("s", undefined, "new", 60_000)).toBe(true);
  });

  test("what a newer server has written is left alone", async () => {
    const { store } = engine;
    const query = question();
    const record = newRecord("ann", query);
    await store.create(record, undefined);
    const row = { id: record.id, format: 99, generation: 5, head: '{"of":"the future"}' };
    await store.rows.write({ ...row, from: 1, next: "keep" });
    expect(await store.load(record.id)).toBeUndefined();
    expect(await store.save({ ...record, generation: 6 }, "end", 5)).toBe("superseded");
    expect(await store.rows.row(record.id)).toEqual(row);
    expect(await store.last(keyOf("ann", "deep_search", { query }))).toEqual({ id: record.id });
  });

  test("turns go round the owners, below the limit of each; a ticket that was used up in vain is owed", async () => {
    const { store } = engine;
    const { rows } = store;
    // What other tests have put in line.
    for (let n = 0; (await rows.take(`before-${n}`)) !== undefined; n++);
    const of = async (owner: string, mostRunning?: number) => {
      const record = newRecord(owner, question());
      await store.create(record, undefined, mostRunning === undefined ? {} : { running: mostRunning });
      return record;
    };
    const many = [await of("many", 2), await of("many", 2), await of("many", 2), await of("many", 2)];
    const single = await of("single");
    const taken = [await rows.take("t1"), await rows.take("t2"), await rows.take("t3")];
    expect(taken).toEqual([many[0]?.id, single.id, many[1]?.id]);
    // The same ticket is the same job: its worker died.
    expect(await rows.take("t3")).toBe(many[1]?.id);
    expect(await rows.take("t4")).toBeUndefined();
    let owed = 0;
    store.onOwed = () => {
      owed += 1;
    };
    await store.save({ ...(many[0] as JobRecord), state: "cancelled" }, "stop");
    expect(owed).toBe(1);
    expect(await rows.take("t5")).toBe(many[2]?.id);
    expect(await rows.countOf("many")).toEqual({ waiting: 1, running: 2 });
    // A job that is cancelled leaves its line.
    await store.save({ ...(many[3] as JobRecord), state: "cancelled" }, "stop");
    expect(await rows.countOf("many")).toEqual({ waiting: 0, running: 2 });
  });

  test("a record expires with its report and its rounds; one that is to be kept longer stays", async () => {
    const { store } = engine;
    const [brief, long] = [newRecord("brief", question()), newRecord("long", question())];
    for (const record of [brief, long]) {
      await store.create(record, undefined);
      await store.roundsOf(record).save(record.id, { id: record.id, round: 1 });
    }
    const keepingBriefly = await openEngine({ url: server.url, log: () => {}, keepMs: 1, now: Date.now });
    try {
      const ended = { state: "completed", report: deepReport() } as const;
      expect(await keepingBriefly.store.save({ ...brief, ...ended }, "end")).toBe("saved");
      expect(await store.save({ ...long, ...ended }, "end")).toBe("saved");
    } finally {
      await keepingBriefly.close();
    }
    await expect.poll(() => store.load(brief.id)).toBeUndefined();
    expect(await store.head(brief.id)).toBeUndefined();
    expect(await store.rows.row(brief.id)).toBeUndefined();
    expect(await store.roundsOf(brief).load(brief.id)).toBeUndefined();
    expect(await store.list("brief", 10)).toEqual([]);
    expect((await store.list("long", 10)).map(({ id }) => id)).toEqual([long.id]);
    expect(await store.load(long.id)).toMatchObject({ state: "completed", report: deepReport() });
  });

  test("of two servers that keep jobs for different times, neither makes a list forget what the other keeps", async () => {
    const { store } = engine;
    const long = newRecord("both", question());
    await store.create(long, undefined);
    const keepingBriefly = await openEngine({ url: server.url, log: () => {}, keepMs: 1_000, now: Date.now });
    try {
      const brief = newRecord("both", question());
      await keepingBriefly.store.create(brief, undefined);
      await expect.poll(() => store.load(brief.id), { timeout: 20_000 }).toBeUndefined();
    } finally {
      await keepingBriefly.close();
    }
    for (const max of [10, 1]) expect((await store.list("both", max)).map(({ id }) => id)).toEqual([long.id]);
  });

  test("a job that expires while it is worked on leaves its place to another", async () => {
    const { rows } = engine.store;
    for (let n = 0; (await rows.take(`empty-${n}`)) !== undefined; n++);
    const keepingBriefly = await openEngine({ url: server.url, log: () => {}, keepMs: 1_000, now: Date.now });
    const expiring = newRecord("place", question());
    try {
      await keepingBriefly.store.create(expiring, undefined, { running: 1, queued: 1 });
    } finally {
      await keepingBriefly.close();
    }
    expect(await rows.take("place-1")).toBe(expiring.id);
    const next = newRecord("place", question());
    await engine.store.create(next, undefined, { running: 1, queued: 1 });
    await expect.poll(() => rows.row(expiring.id), { timeout: 20_000 }).toBeUndefined();
    await rows.expire();
    expect(await rows.take("place-2")).toBe(next.id);
    expect((await rows.counts()).find(({ owner }) => owner === "place")).toEqual({
      ...{ owner: "place", waiting: 0, running: 1 },
    });
  });

  test("a damaged record is none, spoils no list, and can be set aside; a damaged checkpoint begins anew", async () => {
    const { store } = engine;
    const [whole, broken] = [newRecord("hurt", question()), newRecord("hurt", question())];
    for (const record of [whole, broken]) await store.create(record, undefined);
    await store.rows.saveCheckpoint(whole.id, 1, Buffer.from("no gzip"));
    expect(await store.roundsOf(whole).load("r1")).toBeUndefined();
    for (const head of ["{", "[]", '{"id":7}']) {
      await store.rows.write({ id: broken.id, format: 1, generation: 1, from: 1, head, next: "keep" });
      expect(await store.load(broken.id)).toBeUndefined();
      // Nor does it take the place of one: who was given less than asked for has all.
      for (const max of [10, 1]) expect((await store.list("hurt", max)).map(({ id }) => id)).toEqual([whole.id]);
    }
    expect(await store.setAside(broken.id)).toBe("damaged");
    expect(await store.rows.countOf("hurt")).toEqual({ waiting: 1, running: 0 });
    expect(await store.rows.row(broken.id)).toMatchObject({ generation: 2, head: '{"id":7}' });
    expect(await store.setAside("search-0000000000")).toBe("gone");
  });

  test("what is remembered is recalled for its time", async () => {
    const { rows } = engine.store;
    await rows.remember("a", "text", 60_000);
    expect(await rows.recall("a")).toBe("text");
    await rows.remember("b", "text", 1);
    await expect.poll(() => rows.recall("b")).toBeUndefined();
    const before = Date.now();
    const now = await rows.now();
    // To the millisecond, rounded either way.
    expect(now).toBeGreaterThanOrEqual(before - 1);
    expect(now).toBeLessThanOrEqual(Date.now() + 1);
    expect(await engine.problem()).toBeUndefined();
  });
});

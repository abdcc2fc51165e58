import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { JobMessage, JobQueue, Left } from "../../src/jobs/job-queue.js";
import { LocalQueue } from "../../src/jobs/local-queue.js";
import { Turns } from "../../src/jobs/turns.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { processOf } from "../support/process-of.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

/** A line of jobs that wait, and two who may work on them. */
interface World {
  queue: JobQueue;
  other: JobQueue;
  /** Puts one more job into the line. Gives its id. */
  ask(): Promise<string>;
  /** Keeps that a job has ended, as who works on it does. */
  ended(id: string): Promise<void>;
}

/** Where jobs wait, as long as the tests of it run. */
interface Place {
  open(): Promise<World>;
  remove(): Promise<unknown>;
}

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

vi.setConfig({ testTimeout: 300_000 });

/** How long a step may take on a busy machine. */
const SOON = { timeout: 120_000, interval: 50 };
const AGAIN_MS = 100;

/** One process: both who work on the jobs are in it. */
async function local(): Promise<Place> {
  return {
    async open() {
      const turns = new Turns();
      const queue = new LocalQueue({ turns, againMs: AGAIN_MS });
      closing.push(() => queue.close());
      const ask = async () => {
        const id = randomUUID();
        turns.join(id, { owner: "ann", session: "" });
        await queue.wake();
        return id;
      };
      return { queue, other: queue, ask, ended: async () => {} };
    },
    remove: async () => {},
  };
}

const shared = (start: (typeof ENGINES)[number][1]) => async (): Promise<Place> => {
  const server = await start();
  return {
    async open() {
      const url = await databaseIn(server);
      const open = async () => {
        const engine = await openEngine({
          ...{ url, log: () => {}, keepMs: 60_000_000, now: Date.now, againMs: AGAIN_MS },
        });
        closing.push(() => engine.close());
        return engine;
      };
      const [engine, other] = [await open(), await open()];
      const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
      closing.push(() => jobs.close());
      return {
        ...{ queue: engine.queue, other: other.queue },
        async ask() {
          return (await jobs.of("ann").start("search", { query: randomUUID() })).job.record.id;
        },
        async ended(id) {
          const record = await engine.store.load(id);
          if (record !== undefined) await engine.store.save({ ...record, state: "cancelled" }, "stop");
        },
      };
    },
    remove: () => server.remove(),
  };
};

const PLACES = [
  ["one process", local],
  ...ENGINES.map(([name, start]) => [name, shared(start)] as const),
] as readonly (readonly [string, () => Promise<Place>])[];

const free = { restsMs: async () => 0 };

describe.each(PLACES)("the jobs that wait in %s", (_, make) => {
  let place: Place;
  beforeAll(async () => {
    place = await make();
  });
  afterAll(() => place?.remove());

  /** With so many jobs that wait. */
  async function world(waiting: number) {
    const opened = await place.open();
    const ids: string[] = [];
    while (ids.length < waiting) ids.push(await opened.ask());
    return { ...opened, ids };
  }

  test.each([
    ["a job that is given back comes next", "given-back", [0, 0, 1, 2]],
    ["a job that is put off comes after those that wait", "put-off", [0, 1, 2, 0]],
  ] as const)("%s", async (_what, left, order) => {
    const { queue, ids, ended } = await world(3);
    const worked: string[] = [];
    const taking = await queue.work(1, {
      ...free,
      async do({ id }): Promise<Left> {
        worked.push(id);
        if (worked.length === 1) return left;
        await ended(id);
        return "done";
      },
    });
    closing.push(() => taking.close());
    await vi.waitFor(() => expect(worked).toHaveLength(4), SOON);
    expect(worked).toEqual(order.map((at) => ids[at]));
  });

  test("a job whose work fails, as when a store does for a moment, is tried again", async () => {
    const { queue, ids, ended } = await world(1);
    const tried: string[] = [];
    const taking = await queue.work(1, {
      ...free,
      async do({ id }) {
        tried.push(id);
        if (tried.length < 3) throw new Error("the store is away");
        await ended(id);
        return "done";
      },
    });
    closing.push(() => taking.close());
    await vi.waitFor(() => expect(tried).toHaveLength(3), SOON);
    expect(new Set(tried)).toEqual(new Set(ids));
  });

  test("a worker that rests leaves its jobs to others, and takes some when it has rested", async () => {
    const { queue, other, ids, ask, ended } = await world(1);
    let mayWork = false;
    let asked = 0;
    const rested: string[] = [];
    const resting = await queue.work(1, {
      async restsMs() {
        asked += 1;
        return mayWork ? 0 : 500;
      },
      async do({ id }) {
        rested.push(id);
        await ended(id);
        return "done";
      },
    });
    closing.push(() => resting.close());
    await vi.waitFor(() => expect(asked).toBeGreaterThan(1), SOON);
    const worked: string[] = [];
    const taking = await other.work(1, {
      ...free,
      async do({ id }) {
        worked.push(id);
        await ended(id);
        return "done";
      },
    });
    await vi.waitFor(() => expect(worked).toEqual(ids), SOON);
    await taking.close();
    expect(rested).toEqual([]);
    mayWork = true;
    const last = await ask();
    await vi.waitFor(() => expect(rested).toEqual([last]), SOON);
  });

  test("who is to stop hears it by the lease, and the next one has the job at once", async () => {
    const { queue, other, ids, ended } = await world(1);
    let begun = 0;
    const taking = await queue.work(1, {
      ...free,
      do({ signal }) {
        begun += 1;
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("given-back"), { once: true }));
      },
    });
    await vi.waitFor(() => expect(begun).toBe(1), SOON);
    await taking.close();
    const worked: string[] = [];
    const next = await other.work(1, {
      ...free,
      async do({ id }) {
        worked.push(id);
        await ended(id);
        return "done";
      },
    });
    closing.push(() => next.close());
    await vi.waitFor(() => expect(worked).toHaveLength(1), SOON);
    expect(worked).toEqual(ids);
  });

  test("what one tells of a job the others hear, until they stop hearing", async () => {
    const { queue, other } = await world(0);
    const [heard, left]: [JobMessage[], JobMessage[]] = [[], []];
    const stop = other.subscribe((message) => heard.push(message));
    const leave = other.subscribe((message) => left.push(message));
    const messages: JobMessage[] = [
      { kind: "progress", id: "a", activity: { now: "searching" } },
      { kind: "ended", id: "a" },
    ];
    // Who has just begun to hear may miss the first ones.
    await vi.waitFor(async () => {
      await queue.publish({ kind: "attended", id: "first" });
      expect(heard.length).toBeGreaterThan(0);
    }, SOON);
    await vi.waitFor(() => expect(left.length).toBeGreaterThan(0), SOON);
    leave();
    const before = left.length;
    for (const message of messages) await queue.publish(message);
    await vi.waitFor(() => expect(heard.slice(-2)).toEqual(messages), SOON);
    expect(left).toHaveLength(before);
    stop();
  });
});

test("in one process, so many at once as all workers may have together, and no more", async () => {
  const turns = new Turns();
  const queue = new LocalQueue({ turns });
  closing.push(() => queue.close());
  const ask = async () => {
    turns.join(randomUUID(), { owner: "ann", session: "" });
    await queue.wake();
  };
  queue.limit(2);
  let busy = 0;
  let most = 0;
  let done = 0;
  const goOn: (() => void)[] = [];
  const work = {
    ...free,
    async do(): Promise<Left> {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise<void>((resolve) => goOn.push(resolve));
      busy -= 1;
      done += 1;
      return "done";
    },
  };
  for (let worker = 0; worker < 2; worker++) {
    const taking = await queue.work(3, work);
    closing.push(() => taking.close());
  }
  for (let n = 0; n < 6; n++) await ask();
  while (done < 6) {
    await vi.waitFor(() => expect(goOn).toHaveLength(Math.min(2, 6 - done)), SOON);
    const before = done;
    goOn.shift()?.();
    await vi.waitFor(() => expect(done).toBe(before + 1), SOON);
  }
  expect(most).toBe(2);
  queue.limit(undefined);
  for (let n = 0; n < 3; n++) await ask();
  await vi.waitFor(() => expect(goOn).toHaveLength(3), SOON);
  for (const each of goOn) each();
  await vi.waitFor(() => expect(done).toBe(9), SOON);
});

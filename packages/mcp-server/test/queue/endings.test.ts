import { randomUUID } from "node:crypto";
import type { RunStore } from "@x/research";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Saved } from "../../src/jobs/job-store.js";
import type { Engine } from "../../src/queue/engine.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { SharedStore } from "../../src/queue/shared-store.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

vi.setConfig({ testTimeout: 120_000 });

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe.each(ENGINES)("the end of a job in %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  /** A front, and what opens a process that may work for it. */
  async function world() {
    const url = await databaseIn(server);
    const open = async (): Promise<Engine> => {
      const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now, againMs: 100 });
      closing.push(() => engine.close());
      return engine;
    };
    const engine = await open();
    const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
    closing.push(() => jobs.close());
    const research = fakeResearch();
    const work = async (own: Engine, pid: number, asked: Pick<typeof research, "ask"> = research) => {
      const worker = workerOf(own, asked, pid);
      closing.push(() => worker.close());
      await worker.start(1);
      return worker;
    };
    return { engine, jobs: jobs.of("ann"), research, open, work };
  }

  test("what was read while a job ran does not write over its end", async () => {
    const { engine, jobs, research, open, work } = await world();
    await work(await open(), 2);
    const { job } = await jobs.start("search", { query: randomUUID() });
    await research.hasAsked(1);
    const { id } = job.record;
    const running = await engine.store.load(id);
    if (running === undefined) throw new Error("the job is not there");
    research.finish(searchReport("the end"));
    await job.ended();
    // A sign of life that comes late, and a cancel by whoever saw it run.
    expect(await engine.store.save({ ...running })).toBe("superseded");
    const { generation = 0 } = running;
    const cancelled = { ...running, state: "cancelled" as const, generation: generation + 1 };
    expect(await engine.store.save(cancelled, "stop", generation)).toBe("superseded");
    expect(await jobs.look(id)).toMatchObject({ state: "completed", report: { result: "the end" } });
  });

  test("a worker that is told to end while it takes a job gives it back, and another one does it", async () => {
    const { jobs, research, open, work } = await world();
    const [begins, goesOn] = [gate(), gate()];
    class Slow extends SharedStore {
      override async save(...write: Parameters<SharedStore["save"]>): Promise<Saved> {
        const saved = await super.save(...write);
        begins.open();
        await goesOn.opened;
        return saved;
      }
    }
    const own = await open();
    const ending = await work({ ...own, store: new Slow(own.store.rows, Date.now) }, 2);
    const { job } = await jobs.start("search", { query: randomUUID() });
    await begins.opened;
    const closed = ending.close();
    goesOn.open();
    await closed;
    expect(research.asked).toEqual([]);
    await work(await open(), 3);
    await research.hasAsked(1);
    research.finish(searchReport("after all"));
    await job.ended();
    expect(job.record).toMatchObject({ state: "completed", report: { result: "after all" } });
  });

  test("a store that is away while the rounds of a job are read does not fail the job", async () => {
    const { jobs, research, open, work } = await world();
    let reads = 0;
    class Away extends SharedStore {
      override roundsOf(...of: Parameters<SharedStore["roundsOf"]>): RunStore {
        const rounds = super.roundsOf(...of);
        return {
          ...rounds,
          load(id) {
            reads += 1;
            return reads === 1 ? Promise.reject(new Error("Connection is closed.")) : rounds.load(id);
          },
        };
      }
    }
    const asked = {
      ask: async function* (tool: "search", request: { store?: RunStore }) {
        await request.store?.load("research-1");
        return yield* research.ask(tool, request as never);
      } as never,
    };
    const own = await open();
    await work({ ...own, store: new Away(own.store.rows, Date.now) }, 2, asked);
    const { job } = await jobs.start("search", { query: randomUUID() });
    await vi.waitFor(() => expect(reads).toBeGreaterThan(0), { timeout: 60_000 });
    await Promise.race([research.hasAsked(1), job.ended()]);
    if (research.running > 0) research.finish(searchReport("read again"));
    await job.ended();
    expect(job.record).toMatchObject({ state: "completed", report: { result: "read again" } });
    expect(reads).toBe(2);
  });
});

import { randomUUID } from "node:crypto";
import { Queue } from "bullmq";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { watchTenants } from "../../src/access/watch.js";
import type { OwnerLimits } from "../../src/jobs/jobs.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { followTenants } from "../../src/transports/follow-tenants.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { processOf } from "../support/process-of.js";
import { databaseIn } from "./databases.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(ENGINES)("limits that change in %s", (_, start) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.remove());

  /** A front, and no worker. */
  async function world() {
    const url = await databaseIn(server);
    const engine = await openEngine({ url, log: () => {}, keepMs: 60_000_000, now: Date.now });
    closing.push(() => engine.close());
    const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
    closing.push(() => jobs.close());
    const ask = async (owner: string, limits?: OwnerLimits) =>
      (await jobs.of(owner, "", limits).start("search", { query: randomUUID() })).job.record.id;
    const limit = (...limits: [string, OwnerLimits][]) => jobs.limit(new Map(limits));
    return { url, engine, jobs, ask, limit };
  }

  test("a limit that is raised wakes workers at once for what may begin now, and once", async () => {
    const { engine, ask, limit } = await world();
    const { queue, store } = engine;
    // Their tickets were used up while the tenant was at its limit.
    const wake = vi.spyOn(queue, "wake").mockResolvedValue();
    for (let n = 0; n < 5; n++) await ask("tenant:ann", { running: 1 });
    wake.mockRestore();
    expect(await store.rows.take("a ticket")).toBeDefined();
    const woken = vi.spyOn(Queue.prototype, "addBulk");
    await limit(["tenant:ann", { running: 3 }]);
    expect(woken.mock.calls.map(([tickets]) => tickets.length)).toEqual([2]);
    await limit(["tenant:ann", { running: 3 }]);
    await limit(["tenant:ann", { running: 0 }]);
    expect(woken).toHaveBeenCalledTimes(1);
    // Who is back has no limit.
    await limit(["tenant:ann", {}]);
    expect(woken.mock.calls.map(([tickets]) => tickets.length)).toEqual([2, 2]);
  });

  test("limits of any size hold, and one of them keeps no other from changing", async () => {
    const { engine, ask, limit } = await world();
    const large = 9_999_999_999;
    await ask("tenant:bob");
    const id = await ask("tenant:large", { running: large, queued: large });
    expect(await ask("tenant:larger", { running: 2 ** 31 - 1, queued: Number.MAX_SAFE_INTEGER })).toBeDefined();
    await limit(
      ["tenant:bob", { running: 0 }],
      ["tenant:larger", { running: 0 }],
      ["tenant:large", { running: large }],
    );
    const { rows } = engine.store;
    expect([await rows.take("one"), await rows.take("two")]).toEqual([id, undefined]);
  });

  test("of a tenant who was removed while no front ran nothing begins", async () => {
    const { engine, jobs, ask } = await world();
    await ask("tenant:ada", { running: 5 });
    const id = await ask("tenant:bob", { running: 5 });
    const told = new Promise<void>((resolve, reject) => {
      const limit = (...limits: Parameters<QueuedJobs["limit"]>) => jobs.limit(...limits).then(resolve, reject);
      const stop = followTenants(
        { watch: (who) => watchTenants({ ...who, tenants: async () => new Map([["tenant:bob", {}]]), log: () => {} }) },
        { server: { drop: () => {} }, jobs: { limit, owners: () => jobs.owners() } },
      );
      closing.push(async () => stop());
    });
    await told;
    const { rows } = engine.store;
    expect([await rows.take("one"), await rows.take("two")]).toEqual([id, undefined]);
  });
});

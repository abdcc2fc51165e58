import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, test, vi } from "vitest";
import { startRedis } from "../support/database-servers.js";
import { processesOf, promptsOf } from "../support/place.js";
import { ENGINES } from "./engines.js";
import { workerWorld } from "./worker-world.js";

// Leases of a real length end in them, on whatever machine.
vi.setConfig({ testTimeout: 300_000 });
const SOON = { timeout: 120_000, interval: 100 };

describe.each(ENGINES)("%s", (_, start) => {
  test("a worker that stood still while its job was done elsewhere changes nothing of it, and works on", async () => {
    const { place, startWorker, jobs, go } = await workerWorld(start);
    const frozen = startWorker("one");
    const { job } = await jobs.start("deep_search", { query: "why is the sky blue" });
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(2), SOON);
    frozen.child.kill("SIGSTOP");
    const other = startWorker("two");
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(3), SOON);
    go();
    await job.ended();
    const ended = await jobs.look(job.record.id);
    expect(ended).toMatchObject({ state: "completed", report: { result: "round two" } });
    frozen.child.kill("SIGCONT");
    other.child.kill("SIGTERM");
    await other.exited;
    // It does one at once: what it had has been left when the next one has ended.
    const { job: next } = await jobs.start("deep_search", { query: "why is grass green" });
    await next.ended();
    expect(next.record.state).toBe("completed");
    const { generation, report } = { ...ended };
    expect(await jobs.look(job.record.id)).toMatchObject({ state: "completed", generation, report });
    await vi.waitFor(() => expect(processesOf(join(place.home, "one"))).toHaveLength(0), SOON);
  });
});

/** For a process whose clock is so far off. */
const skewed = (ms: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const now = Date.now; const D = Date; globalThis.Date = class extends D { constructor(...a) { a.length ? super(...a) : super(now() + ${ms}); } static now() { return now() + ${ms}; } };`,
  )}`,
});

test("clocks that are a minute off, either way, cost no living worker its job on Redis, and keep none of a dead one", async () => {
  const { server, place, startWorker, jobs, go } = await workerWorld(startRedis);
  const fast = startWorker("one", skewed(60_000));
  const { job } = await jobs.start("deep_search", { query: "why is the sky blue" });
  await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(2), SOON);
  startWorker("two", skewed(-60_000));
  const client = new Redis(server.url);
  try {
    // Its lease is renewed again and again, though others look whose is over.
    let [renewals, leftMs] = [0, 0];
    await vi.waitFor(async () => {
      const [lock = ""] = await client.keys("bull:mcp-server-tickets:*:lock");
      const nowMs = await client.pttl(lock);
      if (nowMs > leftMs) renewals += 1;
      leftMs = nowMs;
      expect(renewals).toBeGreaterThan(4);
    }, SOON);
  } finally {
    client.disconnect();
  }
  expect(promptsOf(place)).toHaveLength(2);
  fast.child.kill("SIGKILL");
  await fast.exited;
  await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(3), SOON);
  go();
  await job.ended();
  expect(job.record).toMatchObject({ state: "completed", report: { result: "round two" } });
});

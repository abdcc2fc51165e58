import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { freePort } from "../support/database-servers.js";
import { processesOf, promptsOf } from "../support/place.js";
import type { startServer } from "../support/stdio-server.js";
import { ENGINES } from "./engines.js";
import { workerWorld } from "./worker-world.js";

const isUp = (worker: ReturnType<typeof startServer>) => expect(worker.stderr()).toContain("Works on 1 researches");

describe.each(ENGINES)("%s", (_, start) => {
  test("a job whose worker was killed goes on at another one after its last finished round, and nothing is left of the dead one", async () => {
    const { place, startWorker, jobs, go } = await workerWorld(start);
    const dying = startWorker("one");
    const { job } = await jobs.start("deep_search", { query: "why is the sky blue" });
    const heard: string[] = [];
    job.onChange(() => heard.push(job.record.activity.now));
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(2), { timeout: 40_000, interval: 100 });
    dying.child.kill("SIGKILL");
    await dying.exited;
    const other = startWorker("two");
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(3), { timeout: 50_000, interval: 100 });
    isUp(other);
    go();
    await job.ended();
    expect(job.record).toMatchObject({ state: "completed", report: { result: "round two", verified: true } });
    expect(job.record.report?.metadata).toMatchObject({
      iterations: 2,
      rounds: [{ round_number: 1 }, { round_number: 2 }],
    });
    expect(heard.length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(processesOf(join(place.home, "one"))).toEqual([]), { timeout: 20_000 });
  });

  test("a worker that is told to end gives its job to the next one, and a cancel ends the CLI wherever it runs", async () => {
    const { place, startWorker, jobs } = await workerWorld(start);
    const one = startWorker("one");
    const { job } = await jobs.start("deep_search", { query: "why is the sky blue" });
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(2), { timeout: 40_000, interval: 100 });
    one.child.kill("SIGTERM");
    expect(await one.exited).toBe(0);
    const two = startWorker("two");
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(3), { timeout: 40_000, interval: 100 });
    expect(await jobs.cancel(job.record.id)).toMatchObject({ state: "cancelled", activity: { roundsDone: 1 } });
    await vi.waitFor(() => expect(two.stderr()).toContain("has ended elsewhere: cancelled"), { timeout: 20_000 });
    expect(one.stderr()).toContain(`${job.record.id} is begun`);
    expect(two.stderr()).toContain(`${job.record.id} goes on here after 1 round`);
    await vi.waitFor(() => expect(processesOf(join(place.home, "two"))).toHaveLength(0), { timeout: 20_000 });
  });

  test("how long a research has waited for its turn is told by the worker that begins it", async () => {
    const { startWorker, jobs } = await workerWorld(start);
    const { job } = await jobs.start("search", { query: "why is the sky blue" });
    const port = await freePort();
    startWorker("one", {}, ["--port", String(port)]);
    const waited = await vi.waitFor(
      async () => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const [, seconds] = /^mcp_server_queue_wait_seconds_sum (\S+)$/m.exec(text) ?? [];
        expect(text).toContain("mcp_server_queue_wait_seconds_count 1\n");
        return Number(seconds);
      },
      { timeout: 60_000, interval: 200 },
    );
    // It was asked before there was a worker, and was begun by now.
    expect(waited).toBeGreaterThan(0);
    expect(waited).toBeLessThanOrEqual((Date.now() - Date.parse(job.record.createdAt)) / 1_000);
    await jobs.cancel(job.record.id);
  });
});

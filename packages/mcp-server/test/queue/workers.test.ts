import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { newPlace, printing, processesOf, promptsOf, scriptGemini } from "../support/place.js";
import { processOf } from "../support/process-of.js";
import { startServer } from "../support/stdio-server.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A store, a front in this process, and what starts workers, whose CLI answers round 1, and later ones when it may. */
async function world(start: () => Promise<DatabaseServer>) {
  const server = await start();
  closing.push(() => server.remove());
  const place = newPlace();
  closing.push(async () => place.remove());
  const answer = (verified: boolean, report: string) =>
    printing(place, { success: true, verified, report, metadata: { sources_visited: [], search_queries_used: [] } });
  const [first, go] = [join(place.home, "first"), join(place.home, "go")];
  const gemini = scriptGemini(
    place,
    `if [ ! -e "${first}" ]; then touch "${first}"; ${answer(false, "round one")}; exit; fi
while [ ! -e "${go}" ]; do sleep 0.1; done
${answer(true, "round two")}`,
  );
  const env = { ...place.env, GEMINI_CLI_PATH: gemini, MCP_SERVER_QUEUE: server.url };
  const startWorker = (name: string) => {
    const worker = startServer({ ...env, GEMINI_SEARCH_CONFIG_DIR: join(place.home, name) }, [
      "worker",
      "--concurrency",
      "1",
    ]);
    closing.push(async () => {
      worker.child.kill("SIGKILL");
      await worker.exited;
    });
    return worker;
  };
  const engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
  closing.push(async () => {
    await jobs.close();
    await engine.close();
  });
  return {
    place,
    startWorker,
    jobs: jobs.of("ann"),
    go: () => writeFileSync(go, ""),
    isAtRoundTwo: () => existsSync(first),
  };
}

const isUp = (worker: ReturnType<typeof startServer>) => expect(worker.stderr()).toContain("Works on 1 researches");

describe.each(ENGINES)("%s", (_, start) => {
  test("a job whose worker was killed goes on at another one after its last finished round, and nothing is left of the dead one", async () => {
    const { place, startWorker, jobs, go } = await world(start);
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
    const { place, startWorker, jobs } = await world(start);
    const one = startWorker("one");
    const { job } = await jobs.start("deep_search", { query: "why is the sky blue" });
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(2), { timeout: 40_000, interval: 100 });
    one.child.kill("SIGTERM");
    expect(await one.exited).toBe(0);
    const two = startWorker("two");
    await vi.waitFor(() => expect(promptsOf(place)).toHaveLength(3), { timeout: 40_000, interval: 100 });
    expect(await jobs.cancel(job.record.id)).toMatchObject({ state: "cancelled", activity: { roundsDone: 1 } });
    await vi.waitFor(() => expect(two.stderr()).toContain("was cancelled, or taken away"), { timeout: 20_000 });
    await vi.waitFor(() => expect(processesOf(join(place.home, "two"))).toHaveLength(0), { timeout: 20_000 });
  });
});

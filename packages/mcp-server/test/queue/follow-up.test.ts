import type { RunStore } from "@x/research";
import { afterEach, describe, expect, test } from "vitest";
import { earlierJob } from "../../src/jobs/earlier-job.js";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import { fakeResearch } from "../support/fake-research.js";
import { processOf } from "../support/process-of.js";
import { workerOf } from "../support/worker-of.js";
import { ENGINES } from "./engines.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(ENGINES)("%s", (_, start) => {
  test("a follow-up finds what the earlier research kept, at whatever worker; another owner's finds nothing", async () => {
    const server = await start();
    closing.push(() => server.remove());
    const engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
    closing.push(() => engine.close());
    const research = fakeResearch();
    const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
    const worker = workerOf(engine, research, 2);
    closing.push(() => Promise.all([jobs.close(), worker.close()]));
    await worker.start(1);
    const ann = jobs.of("ann");
    const { job } = await ann.start("search", { query: "why" });
    await research.hasAsked(1);
    const kept = { id: "research-1", rounds: 1 };
    await storeIn(research.asked[0]).save("research-1", kept);
    research.finish();
    await job.ended();
    const { earlier } = (await earlierJob(ann, job.record.id)) ?? {};
    expect(earlier).toEqual({ job: job.record.id, research: "research-1" });
    await ann.start("search", { query: "and then", followUpOf: earlier });
    await research.hasAsked(2);
    expect(await storeIn(research.asked[1]).load("research-1")).toEqual(kept);
    research.finish();
    // Whoever forges a request is not given what is another's.
    await jobs.of("bob").start("search", { query: "and then", followUpOf: earlier });
    await research.hasAsked(3);
    expect(await storeIn(research.asked[2]).load("research-1")).toBeUndefined();
    research.finish();
  });
});

function storeIn(asked: { request: Record<string, unknown> } | undefined): RunStore {
  return asked?.request["store"] as RunStore;
}

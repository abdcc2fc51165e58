import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json, type ModelCall, silence, startModelServer } from "@x/gemini-runner/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openEngine } from "../../src/queue/open-engine.js";
import { QueuedJobs } from "../../src/queue/queued-jobs.js";
import type { DatabaseServer } from "../support/database-servers.js";
import { newPlace, processesOf } from "../support/place.js";
import { processOf } from "../support/process-of.js";
import { startServer } from "../support/stdio-server.js";
import { ENGINES } from "./engines.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const TENANTS = ["ann", "bob", "cleo"];
const questionOf = (tenant: string) => `How high are the tides of ${tenant}?`;
const tenantIn = ({ prompt }: ModelCall) => TENANTS.find((tenant) => prompt.includes(questionOf(tenant))) ?? "nobody";
const isSecondRound = ({ prompt }: ModelCall) => prompt.includes("# Verify and update");

/** A front in this process, and what starts workers that run the real CLI; its second rounds are held until `go`. */
async function world(start: () => Promise<DatabaseServer>) {
  const server = await start();
  closing.push(() => server.remove());
  const place = newPlace();
  closing.push(async () => place.remove());
  let isHeld = true;
  const model = await startModelServer({
    scenario(call) {
      if (call.kind !== "main") return undefined;
      const [verified, round] = isSecondRound(call) ? [true, "two"] : [false, "one"];
      if (verified && isHeld) return silence();
      return json({ success: true, verified, report: `Round ${round} for ${tenantIn(call)}.`, metadata: {} });
    },
  });
  closing.push(() => model.close());
  const startWorker = (name: string) => {
    const configDir = join(place.home, name);
    const env = { ...place.env, ...model.env, MCP_SERVER_QUEUE: server.url, GEMINI_SEARCH_CONFIG_DIR: configDir };
    const worker = startServer(env, ["worker", "--concurrency", "4"]);
    closing.push(async () => {
      worker.child.kill("SIGKILL");
      await worker.exited;
    });
    return { ...worker, processes: () => processesOf(configDir) };
  };
  const engine = await openEngine({ url: server.url, log: () => {}, keepMs: 60_000_000, now: Date.now });
  const jobs = new QueuedJobs({ engine, log: () => {}, own: processOf(1) });
  closing.push(async () => {
    await jobs.close();
    await engine.close();
  });
  const secondRounds = () => model.requests.filter((call) => call.kind === "main" && isSecondRound(call));
  return {
    startWorker,
    jobsOf: (tenant: string) => jobs.of(`tenant:${tenant}`),
    go: () => {
      isHeld = false;
    },
    secondRounds,
    firstRounds: () => model.requests.filter((call) => call.kind === "main" && !isSecondRound(call)),
  };
}

/** Those that serve several runs each. A child that one has just forked bears its command until it runs its own program. */
function shared(processes: string[]): string[] {
  const found = processes.filter((command) => command.includes("--acp"));
  const pids = found.map((command) => command.split(" ", 1)[0]);
  return found.filter((_, nth) => {
    const parent = parentOf(pids[nth] ?? "");
    return parent !== undefined && !pids.includes(parent);
  });
}

/** Undefined when it has ended. */
function parentOf(pid: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
  } catch {
    return undefined;
  }
}

describe.each(ENGINES)("the real CLI, with %s", (_, start) => {
  test("tenants share a process of a worker; one cancels, the worker is killed, and the others go on at the next", async () => {
    const { startWorker, jobsOf, go, secondRounds, firstRounds } = await world(start);
    const dying = startWorker("one");
    const begun = await Promise.all(
      TENANTS.map((tenant) => jobsOf(tenant).start("deep_search", { query: questionOf(tenant) })),
    );
    await vi.waitFor(() => expect(secondRounds()).toHaveLength(3), { timeout: 90_000, interval: 100 });
    expect(shared(dying.processes())).toHaveLength(1);
    const [ann, ...others] = begun.map(({ job }) => job);
    expect(await jobsOf("ann").cancel(ann?.record.id ?? "")).toMatchObject({ state: "cancelled" });
    await vi.waitFor(() => expect(dying.stderr()).toContain("has ended elsewhere"), { timeout: 20_000 });
    expect(others.map(({ record }) => record.state)).toEqual(["running", "running"]);

    dying.child.kill("SIGKILL");
    await dying.exited;
    await vi.waitFor(() => expect(dying.processes()).toEqual([]), { timeout: 20_000 });
    go();
    const next = startWorker("two");
    await Promise.all(others.map((job) => job.ended()));
    expect(others.map(({ record }) => record.report)).toMatchObject([
      { result: "Round two for bob.", verified: true, metadata: { iterations: 2 } },
      { result: "Round two for cleo.", verified: true, metadata: { iterations: 2 } },
    ]);
    expect(firstRounds().map(tenantIn).sort()).toEqual(TENANTS);

    next.child.kill("SIGTERM");
    expect(await next.exited).toBe(0);
    expect(next.processes()).toEqual([]);
  });
});

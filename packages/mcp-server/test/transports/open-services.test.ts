import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../src/host/config.js";
import { PERSON } from "../../src/jobs/job-record.js";
import { openServices } from "../../src/transports/open-services.js";
import { newPlace, plainGemini } from "../support/place.js";

/** A server over HTTP without a queue. */
async function servicesWith(more: Record<string, string>) {
  const place = newPlace();
  onTestFinished(() => place.remove());
  const host = { platform: process.platform, homeDir: place.home, cwd: place.home, pid: process.pid };
  const env = {
    GEMINI_CLI_PATH: plainGemini(place, { success: true, report: "Blue." }),
    GEMINI_SEARCH_CONFIG_DIR: `${place.home}/config`,
    PATH: process.env["PATH"],
    ...more,
  };
  const { config } = parseConfig(env, host);
  const result = await openServices({ config, log: () => {}, io: { env, host } });
  if (!result.ok) throw new Error(result.problem);
  const { services } = result;
  onTestFinished(() => services.close());
  return result;
}

/** The same; gives the way to ask it something. */
async function opened(more: Record<string, string>) {
  const { services } = await servicesWith(more);
  return async (query: string) => (await services.jobs.of(PERSON).start("search", { query })).job;
}

test("researches begun in a minute are limited without a queue, too", async () => {
  const ask = await opened({ MCP_SERVER_KEY_PER_MINUTE: "1" });
  const first = await ask("why");
  await first.ended();
  expect(first.record.state).toBe("completed");
  const second = await ask("how");
  await Promise.race([second.ended(), pause(1_000)]);
  expect(second.record).toMatchObject({ state: "running", activity: { now: "waiting for its turn" } });
});

test("and not where nothing is said, by one person", async () => {
  const ask = await opened({});
  for (const query of ["why", "how"]) {
    const job = await ask(query);
    await job.ended();
    expect(job.record.state).toBe("completed");
  }
});

test("its numbers tell who waits and runs, and what came of the researches of each", async () => {
  const { services, pages } = await servicesWith({});
  const server = createServer((request, response) => void pages["/metrics"]?.(request, response, { all: true }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close());
  const numbers = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  const { job } = await services.jobs.of("tenant:ann").start("search", { query: "why" });
  await job.ended();
  expect(job.record.state).toBe("completed");
  const text = await numbers();
  expect(text).toContain('mcp_server_researches_total{tool="search",outcome="ok",tenant="tenant:ann"} 1\n');
  expect(text).toContain("mcp_server_cli_runs_total 1\n");
  expect(text).toContain("# TYPE mcp_server_jobs gauge\n");
});

import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../../src/host/config.js";
import { PERSON } from "../../src/jobs/job-record.js";
import { openServices } from "../../src/transports/open-services.js";
import { newPlace, plainGemini } from "../support/place.js";

/** A server over HTTP without a queue; gives the way to ask it something. */
async function opened(more: Record<string, string>) {
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

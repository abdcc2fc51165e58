import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../src/host/config.js";
import { PERSON } from "../src/jobs/job-record.js";
import { createServices } from "../src/services.js";
import { newPlace, plainGemini } from "./support/place.js";

/** Asks a question with this config directory, as often as it is called. */
function asking(configDir: (home: string) => string) {
  const place = newPlace();
  onTestFinished(() => place.remove());
  const folder = configDir(place.home);
  const host = { platform: process.platform, homeDir: place.home, cwd: place.home, pid: process.pid };
  const env = {
    GEMINI_CLI_PATH: plainGemini(place, { success: true, report: "Blue." }),
    GEMINI_SEARCH_CONFIG_DIR: folder,
    PATH: process.env["PATH"],
  };
  const { config } = parseConfig(env, host);
  const services = createServices(config, () => {}, { env, host });
  onTestFinished(() => services.close());
  const ask = async () => {
    const { job } = await services.jobs.of(PERSON).start("search", { query: "why" });
    await job.ended();
    return job.record;
  };
  return { ask, folder };
}

test("a config directory that is put right is used without a restart", async () => {
  const { ask, folder } = asking((home) => join(home, "config"));
  writeFileSync(folder, "in the way");
  expect(await ask()).toMatchObject({
    state: "failed",
    failure: { details: expect.stringContaining("A file stands") },
  });
  rmSync(folder);
  expect(await ask()).toMatchObject({ state: "completed", report: { result: "Blue." } });
});

test.runIf(process.platform === "linux")("one that can never be made is answered at once", async () => {
  const { ask } = asking(() => "/proc/nope");
  expect(await ask()).toMatchObject({
    state: "failed",
    failure: { details: expect.stringContaining("set GEMINI_SEARCH_CONFIG_DIR to another folder") },
  });
});

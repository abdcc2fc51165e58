import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../src/config.js";
import { createServices } from "../src/services.js";
import { newPlace, plainGemini } from "./support/place.js";

test("a config directory that is put right is used without a restart", async () => {
  const place = newPlace();
  onTestFinished(() => place.remove());
  const file = join(place.home, "config");
  writeFileSync(file, "in the way");
  const host = { platform: process.platform, homeDir: place.home, cwd: place.home, pid: process.pid };
  const answer = { success: true, report: "Blue." };
  const env = {
    GEMINI_CLI_PATH: plainGemini(place, answer),
    GEMINI_SEARCH_CONFIG_DIR: file,
    PATH: process.env["PATH"],
  };
  const { config } = parseConfig(env, host);
  const services = createServices(config, () => {}, { env, host });
  onTestFinished(() => services.close());
  const ask = async () => {
    const job = await services.jobs.start("search", { query: "why" });
    await job.ended;
    return job.record;
  };
  expect(await ask()).toMatchObject({
    state: "failed",
    failure: { details: expect.stringContaining("A file stands") },
  });
  rmSync(file);
  expect(await ask()).toMatchObject({ state: "completed", report: { result: "Blue." } });
});

import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
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
  return { ask, folder, jobs: services.jobs.of(PERSON), services };
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

test.runIf(process.platform !== "win32").each(["", "jobs", "rounds", "runs", "pages"])(
  "where others may write to config/%s nothing is believed and nothing is run, until that is put right",
  async (name) => {
    const { ask, folder, jobs, services } = asking((home) => join(home, "config"));
    const open = join(folder, name);
    mkdirSync(join(folder, "jobs"), { recursive: true });
    mkdirSync(open, { recursive: true });
    chmodSync(open, 0o777);
    const planted = { ...RECORD, id: "search-0000000000" };
    writeFileSync(join(folder, "jobs", `${planted.id}.json`), JSON.stringify(planted));
    const reason = `What lies in ${folder} cannot be trusted: everybody may write to ${open}`;
    await expect(services.checkFolders()).rejects.toThrow(reason);
    expect(await jobs.look(planted.id)).toBeUndefined();
    await expect(jobs.list(10)).rejects.toThrow(reason);
    expect(await ask()).toMatchObject({
      state: "failed",
      failure: { message: expect.stringContaining(reason), details: expect.stringContaining("chmod go-w") },
    });
    chmodSync(open, 0o700);
    expect(await ask()).toMatchObject({ state: "completed" });
    expect(await jobs.look(planted.id)).toMatchObject({ id: planted.id });
  },
);

const at = "2026-11-20T09:00:00.000Z";
const RECORD = {
  ...{ tool: "search", request: { query: "planted" }, state: "completed", pid: 1, place: "" },
  ...{ createdAt: at, updatedAt: at, report: { success: true, result: "Planted.", metadata: {} } },
};

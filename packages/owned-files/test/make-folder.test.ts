import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../src/index.js";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "owned-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a folder and those above it are made once, with the mode that is asked for", async () => {
  const folder = join(await temporaryFolder(), "a", "b", "c");
  await Promise.all([makeFolder(folder, { mode: 0o700 }), makeFolder(folder, { mode: 0o700 })]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, ".."))).mode & 0o777).toBe(0o700);
  await makeFolder(folder);
});

test("a file in its place is no folder", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");
  await expect(makeFolder(file)).rejects.toMatchObject({ code: "EEXIST" });
  await expect(makeFolder(join(file, "a"))).rejects.toMatchObject({ code: "ENOTDIR" });
});

test.runIf(process.platform === "linux")("where none can be made, it says so and does not try for ever", async () => {
  await expect(makeFolder("/proc/nope/a")).rejects.toMatchObject({ code: "ENOENT" });
});

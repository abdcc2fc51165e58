import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readText } from "../src/index.js";

test("a file is read; a pipe, a device and a folder are refused, and nobody waits for them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "owned-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "text"), "tides ü");
  expect(await readText(join(folder, "text"))).toBe("tides ü");
  await expect(readText(join(folder, "none"))).rejects.toMatchObject({ code: "ENOENT" });
  await expect(readText(folder)).rejects.toMatchObject({ code: "EISDIR" });
  if (process.platform === "win32") return;
  await promisify(execFile)("mkfifo", [join(folder, "pipe")]);
  await expect(readText(join(folder, "pipe"))).rejects.toMatchObject({ code: "EINVAL" });
  await expect(readText("/dev/zero")).rejects.toMatchObject({ code: "EINVAL" });
});

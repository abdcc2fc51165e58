import { execFile } from "node:child_process";
import type { Stats } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { fileRisk, readText, readTextNow } from "../src/index.js";

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
  for (const path of [join(folder, "pipe"), "/dev/zero"])
    expect(() => readTextNow(path)).toThrow(expect.objectContaining({ code: "EINVAL" }));
});

test("a file that is too long, or that the caller refuses, is not read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "owned-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "text");
  await writeFile(path, "tides ü");
  const check = (found: Stats) => {
    throw new Error(`of ${found.size} bytes`);
  };
  expect(readTextNow(path, { mostBytes: 8, check: () => {} })).toBe("tides ü");
  expect(() => readTextNow(path, { mostBytes: 7 })).toThrow(expect.objectContaining({ code: "EFBIG" }));
  expect(() => readTextNow(path, { check })).toThrow("of 8 bytes");
  await expect(readText(path, { mostBytes: 7 })).rejects.toMatchObject({ code: "EFBIG" });
  await expect(readText(path, { check })).rejects.toThrow("of 8 bytes");
  // Longer than any memory.
  await truncate(path, 2 ** 40);
  expect(() => readTextNow(path, { mostBytes: 2 ** 20 })).toThrow(expect.objectContaining({ code: "EFBIG" }));
});

test("others may change a file of another user, and one that more than its owner may write to", () => {
  const [uid, gid, stranger] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0, 12_345];
  const files = [
    { uid, gid, mode: 0o644 },
    { uid: 0, gid, mode: 0o600 },
    { uid: stranger, gid, mode: 0o600 },
    { uid, gid, mode: 0o664 },
    { uid, gid: stranger, mode: 0o664 },
    { uid, gid, mode: 0o602 },
  ];
  const onPosix = (risks: (string | undefined)[]) =>
    risks.map((risk) => (process.platform === "win32" ? undefined : risk));
  expect(files.map((file) => fileRisk(file))).toEqual(onPosix([undefined, undefined, "owner", "mode", "mode", "mode"]));
  expect(files.map((file) => fileRisk(file, { ownGroup: true }))).toEqual(
    onPosix([undefined, undefined, "owner", undefined, "mode", "mode"]),
  );
});

import { chmod, chown, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderRisks, unsafeFolder } from "../src/index.js";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "owned-files-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const isRoot = process.geteuid?.() === 0;

describe.skipIf(process.platform === "win32")("a folder that others may change", () => {
  test("is none of one's own, in a shared one like /tmp", async () => {
    expect(await unsafeFolder(await temporaryFolder())).toBeUndefined();
  });

  test("is one that everybody may write to, and all that is in it", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "shared/own"), { recursive: true });
    await chmod(join(folder, "shared"), 0o777);
    expect(await unsafeFolder(join(folder, "shared"))).toBe(`everybody may write to ${join(folder, "shared")}`);
    expect(await unsafeFolder(join(folder, "shared/own"))).toBe(`everybody may write to ${join(folder, "shared")}`);
    await chmod(join(folder, "shared"), 0o1777);
    expect(await unsafeFolder(join(folder, "shared/own"))).toBeUndefined();
  });

  test("is named with every other on the way up", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "shared/own"), { recursive: true });
    for (const each of ["shared", "shared/own"]) await chmod(join(folder, each), 0o777);
    expect(await folderRisks(join(folder, "shared/own"))).toEqual(
      ["shared/own", "shared"].map((each) => ({
        folder: join(folder, each),
        why: `everybody may write to ${join(folder, each)}`,
        mendable: true,
      })),
    );
  });

  test("is looked for where a link leads", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "shared"));
    await chmod(join(folder, "shared"), 0o777);
    await symlink(join(folder, "shared"), join(folder, "link"));
    expect(await unsafeFolder(join(folder, "link"))).toBe(`everybody may write to ${join(folder, "shared")}`);
  });

  test.runIf(isRoot)("is one of another user, and all that is in it", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "theirs/own"), { recursive: true });
    await chown(join(folder, "theirs"), 4321, 4321);
    expect(await unsafeFolder(join(folder, "theirs/own"))).toBe(
      `${join(folder, "theirs")} belongs to another user (4321)`,
    );
  });

  test.runIf(isRoot)("is one that a group may write to which is not one's own", async () => {
    const folder = await temporaryFolder();
    await chown(folder, 0, 4321);
    await chmod(folder, 0o770);
    expect(await unsafeFolder(folder)).toBe(`a group (4321) may write to ${folder}`);
  });
});

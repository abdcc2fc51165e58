import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanUpScratch, createScratch } from "../../src/index.js";
import { temporaryFolder } from "../world.js";

const NOW = Date.parse("2026-11-20T12:00:00Z");

/** A process that does nothing until the test ends. */
async function otherProcess() {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  await once(child, "spawn");
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(end);
  return { pid: child.pid ?? 0, end };
}

test("files have the timestamp in their name, are for the owner's eyes alone, and never share a name", async () => {
  const directory = await temporaryFolder();
  const scratches = [createScratch({ directory, now: () => NOW }), createScratch({ directory, now: () => NOW })];
  const paths = await Promise.all(Array.from({ length: 20 }, (_, i) => scratches[i % 2]?.write(`text ${i}`)));
  expect(new Set(paths).size).toBe(20);
  for (const [i, path = ""] of paths.entries()) {
    expect(path.slice(directory.length)).toMatch(/^\/temp-invalid-output-\d{13}\.txt$/);
    expect(await readFile(path, "utf8")).toBe(`text ${i}`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
  expect(paths).toContain(join(directory, `temp-invalid-output-${NOW}.txt`));
  await Promise.all(paths.map((path = "") => scratches[0]?.remove(path)));
  expect(await readdir(directory)).toEqual([]);
});

test("removing a file that is gone is no failure", async () => {
  const scratch = createScratch({ directory: await temporaryFolder() });
  await expect(scratch.remove("/nowhere/temp-invalid-output-1.txt")).resolves.toBeUndefined();
});

test("orphans of every kind are deleted and counted; nothing else is touched [deep-search/orphans]", async () => {
  const directory = await temporaryFolder();
  const gone = await otherProcess();
  await createScratch({ directory, pid: gone.pid }).write("of a process that crashed");
  await gone.end();
  await writeFile(join(directory, "temp-invalid-output-1700000000.txt"), "of nobody");
  await writeFile(join(directory, "temp-invalid-output-.txt"), "of nobody");
  await writeFile(join(directory, "temp-invalid-output-1980.txt"), "as old as an archive says");
  await utimes(join(directory, "temp-invalid-output-1980.txt"), 315_532_800, 315_532_800);
  await symlink("settings.json", join(directory, "temp-invalid-output-2.txt"));
  const others = ["settings.json", "temp-invalid-output-1.txt.bak", "my-temp-invalid-output-1.txt"];
  for (const name of others) await writeFile(join(directory, name), "keep");
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 5 });
  expect((await readdir(directory)).toSorted()).toEqual(others.toSorted());
});

test("the file of a process in another container stays, whatever its id means here, until no correction lasts so long", async () => {
  const directory = await temporaryFolder();
  const gone = await otherProcess();
  await gone.end();
  await createScratch({ directory, now: () => NOW, pid: gone.pid, place: "abcdef012345" }).write("read there");
  await leftBy(directory, process.pid + 0.5, NOW + 1);
  const cleanUp = (ms: number) => cleanUpScratch({ directory, now: () => NOW + ms });
  expect(await cleanUp(60_000)).toEqual({ removed: 0 });
  expect(await cleanUp(2 * 3_600_000)).toEqual({ removed: 2 });
});

test("a directory without orphans gives 0 [deep-search/no-orphans]", async () => {
  expect(await cleanUpScratch({ directory: await temporaryFolder() })).toEqual({ removed: 0 });
});

test("a directory that is missing or unreadable is a warning [deep-search/no-directory]", async () => {
  const directory = join(await temporaryFolder(), "gone");
  expect(await cleanUpScratch({ directory })).toEqual({
    removed: 0,
    warning: expect.stringMatching(/cannot look for .* \(ENOENT\)$/),
  });
  await writeFile(directory, "a file");
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 0, warning: expect.stringContaining("(ENOTDIR)") });
});

test("what cannot be deleted is a warning, and the rest is still deleted", async () => {
  const directory = await temporaryFolder();
  await mkdir(join(directory, "temp-invalid-output-1.txt"));
  await writeFile(join(directory, "temp-invalid-output-2.txt"), "orphan");
  expect(await cleanUpScratch({ directory })).toEqual({
    removed: 1,
    warning: expect.stringMatching(/^cannot delete .*temp-invalid-output-1\.txt/),
  });
  await chmod(join(directory, "temp-invalid-output-1.txt"), 0o700);
});

test("the file of a live process stays: of a neighbour, and of this process itself", async () => {
  const directory = await temporaryFolder();
  const neighbour = await otherProcess();
  const theirs = await createScratch({ directory, pid: neighbour.pid }).write("a correction is reading this");
  const own = createScratch({ directory });
  const ours = await own.write("and this");
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 0 });
  expect((await readdir(directory)).map((name) => join(directory, name)).toSorted()).toEqual([theirs, ours].toSorted());
  await own.remove(ours);
  await neighbour.end();
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 1 });
});

test("reading a file does not hide its owner", async () => {
  const directory = await temporaryFolder();
  const neighbour = await otherProcess();
  const path = await createScratch({ directory, pid: neighbour.pid }).write("text");
  await readFile(path);
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 0 });
});

/** As a crashed server leaves it: a process id that some other process has now. */
async function leftBy(directory: string, pid: number, createdMs: number) {
  const path = join(directory, `temp-invalid-output-${createdMs}.txt`);
  await writeFile(path, "left");
  await utimes(path, 315_532_800 + pid, 315_532_800 + pid);
}

test("a process id that came again does not keep a file for ever", async () => {
  const directory = await temporaryFolder();
  // A server that starts anew in a container has the id of the one that crashed.
  await leftBy(directory, process.pid, Date.now() - 1_000);
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 1 });
  // Nothing reads a file for a day.
  const other = await otherProcess();
  await leftBy(directory, other.pid, Date.now() - 25 * 3_600_000);
  expect(await cleanUpScratch({ directory })).toEqual({ removed: 1 });
});

test.runIf(process.platform === "linux")(
  "a process that started after the file was made is not its owner",
  async () => {
    const directory = await temporaryFolder();
    const other = await otherProcess();
    await leftBy(directory, other.pid, Date.now() - 60_000);
    expect(await cleanUpScratch({ directory })).toEqual({ removed: 1 });
  },
);

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ownProcess } from "@x/owned-files";
import { expect, onTestFinished, test } from "vitest";
import { cleanUpTempFiles, createTempFiles } from "../../src/node/index.js";
import { bundled } from "../real-world.js";
import { temporaryFolder } from "../world.js";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const HOUR_MS = 3_600_000;

/** Another process with a temporary file in the directory, and how to end it. */
async function neighbour(directory: string) {
  const program = await bundled(fileURLToPath(new URL("keep-temp-file.ts", import.meta.url)));
  const child = spawn(process.execPath, [program, directory], { stdio: ["pipe", "pipe", "ignore"] });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(end);
  const [path] = (await once(createInterface(child.stdout), "line")) as [string];
  return { path, pid: child.pid ?? 0, end };
}

/** What is left of a temporary file when its owner cannot remove it. */
async function leave(directory: string, name: string, owner: object | string) {
  await writeFile(join(directory, `${name}.owner`), typeof owner === "string" ? owner : JSON.stringify(owner));
  await writeFile(join(directory, `${name}.txt`), "left");
}

const namesIn = async (directory: string) => (await readdir(directory)).toSorted();

test("files have the timestamp in their name, are for the owner's eyes alone, and never share a name", async () => {
  const directory = await temporaryFolder();
  const makers = [createTempFiles({ directory, now: () => NOW }), createTempFiles({ directory, now: () => NOW })];
  const paths = await Promise.all(Array.from({ length: 20 }, (_, i) => makers[i % 2]?.write(`text ${i}`)));
  expect(new Set(paths).size).toBe(20);
  for (const [i, path = ""] of paths.entries()) {
    expect(path.slice(directory.length)).toMatch(/^\/temp-invalid-output-\d{13}\.txt$/);
    expect(await readFile(path, "utf8")).toBe(`text ${i}`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
  expect(paths).toContain(join(directory, `temp-invalid-output-${NOW}.txt`));
  await Promise.all(paths.map((path = "") => makers[0]?.remove(path)));
  expect(await readdir(directory)).toEqual([]);
});

test("removing a file that is gone is no failure", async () => {
  const files = createTempFiles({ directory: await temporaryFolder() });
  await expect(files.remove("/nowhere/temp-invalid-output-1.txt")).resolves.toBeUndefined();
});

test("a text that cannot be written leaves nothing", async () => {
  const directory = await temporaryFolder();
  const files = createTempFiles({ directory });
  await expect(files.write(Symbol("no text") as unknown as string)).rejects.toThrow();
  expect(await readdir(directory)).toEqual([]);
});

test("orphans of every kind are deleted and counted; nothing else is touched [deep-search/orphans]", async () => {
  const directory = await temporaryFolder();
  const crashed = await neighbour(directory);
  await crashed.end();
  await writeFile(join(directory, "temp-invalid-output-1700000000.txt"), "of nobody");
  await writeFile(join(directory, "temp-invalid-output-.txt"), "of nobody");
  await leave(directory, "temp-invalid-output-1", "no identity");
  await leave(directory, "temp-invalid-output-3", { pid: "1" });
  await symlink("settings.json", join(directory, "temp-invalid-output-2.txt"));
  const others = ["settings.json", "temp-invalid-output-1.txt.bak", "my-temp-invalid-output-1.txt"];
  for (const name of others) await writeFile(join(directory, name), "keep");
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 6 });
  expect(await namesIn(directory)).toEqual(others.toSorted());
});

test("what a process left that crashed before it had written the text is deleted, and not counted", async () => {
  const directory = await temporaryFolder();
  await writeFile(join(directory, "temp-invalid-output-1.owner"), JSON.stringify({ ...ownProcess(), pid: 2 ** 30 }));
  await writeFile(join(directory, "temp-invalid-output-2.owner"), "");
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 0 });
  // What is empty may be in the making.
  expect(await namesIn(directory)).toEqual(["temp-invalid-output-2.owner"]);
  expect(await cleanUpTempFiles({ directory, now: () => Date.now() + 61_000 })).toEqual({ removed: 0 });
  expect(await namesIn(directory)).toEqual([]);
});

test("the file of a process in another container stays, whatever its id means here, until no correction lasts so long", async () => {
  const directory = await temporaryFolder();
  await leave(directory, "temp-invalid-output-1", { ...ownProcess(), place: "abcdef012345" });
  expect(await cleanUpTempFiles({ directory, now: () => Date.now() + 60_000 })).toEqual({ removed: 0 });
  expect(await cleanUpTempFiles({ directory, now: () => Date.now() + 2 * HOUR_MS })).toEqual({ removed: 1 });
  expect(await namesIn(directory)).toEqual([]);
});

test("a directory without orphans gives 0 [deep-search/no-orphans]", async () => {
  expect(await cleanUpTempFiles({ directory: await temporaryFolder() })).toEqual({ removed: 0 });
});

test("a directory that is missing or unreadable is a warning [deep-search/no-directory]", async () => {
  const directory = join(await temporaryFolder(), "gone");
  expect(await cleanUpTempFiles({ directory })).toEqual({
    removed: 0,
    warning: `${directory} is not there yet: nothing was left in it`,
  });
  await writeFile(directory, "a file");
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 0, warning: expect.stringContaining("(ENOTDIR)") });
});

test("what cannot be deleted is a warning, and the rest is still deleted", async () => {
  const directory = await temporaryFolder();
  await mkdir(join(directory, "temp-invalid-output-1.txt"));
  await writeFile(join(directory, "temp-invalid-output-2.txt"), "orphan");
  expect(await cleanUpTempFiles({ directory })).toEqual({
    removed: 1,
    warning: expect.stringMatching(/^cannot delete .*temp-invalid-output-1\.txt/),
  });
  await chmod(join(directory, "temp-invalid-output-1.txt"), 0o700);
});

test("the file of a live process stays: of a neighbour, and of this process itself", async () => {
  const directory = await temporaryFolder();
  const other = await neighbour(directory);
  const own = createTempFiles({ directory });
  const ours = await own.write("and this");
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 0 });
  // A backup or a viewer may change the times of a file.
  await utimes(other.path, 0, 0);
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 0 });
  await own.remove(ours);
  await other.end();
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 1 });
  expect(await namesIn(directory)).toEqual([]);
});

test("a process id that came again does not keep a file for ever", async () => {
  const directory = await temporaryFolder();
  await leave(directory, "temp-invalid-output-1", { ...ownProcess(), start: "0" });
  expect(await cleanUpTempFiles({ directory, now: () => Date.now() + 23 * HOUR_MS })).toEqual({ removed: 0 });
  expect(await cleanUpTempFiles({ directory, now: () => Date.now() + 25 * HOUR_MS })).toEqual({ removed: 1 });
});

test.runIf(process.platform === "linux")("a later process with the same id is not the owner of a file", async () => {
  const directory = await temporaryFolder();
  const { start, ...same } = ownProcess();
  await leave(directory, "temp-invalid-output-1", { ...same, start: String(Number(start) - 1) });
  expect(await cleanUpTempFiles({ directory })).toEqual({ removed: 1 });
});

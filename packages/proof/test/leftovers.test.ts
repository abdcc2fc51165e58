import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, writeFile } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { test as each, expect, onTestFinished } from "vitest";
import { descriptorsOf, filesOf, grown, killAll, lastOf, processesOf } from "../rig/leftovers.js";
import { createSandbox } from "../rig/sandbox.js";

/** Linux alone shows a process to others like this; the programs that build on it say so elsewhere. */
const test = each.runIf(process.platform === "linux");

async function sandbox() {
  const made = await createSandbox();
  onTestFinished(async () => {
    await killAll(made);
    await made.remove();
  });
  return made;
}

/** Starts a process that says when it is there and then waits. */
async function waiting(options: { cwd?: string; env?: Record<string, string>; detached?: boolean }, program = "") {
  const child = spawn(
    process.execPath,
    ["-e", `${program}; console.log("here"); setInterval(() => {}, 1000)`],
    options,
  );
  await once(child.stdout, "data");
  return child;
}

test("a process is found by its environment, where it runs, and its parents", async () => {
  const made = await sandbox();
  const marked = await waiting({ env: made.env, detached: true });
  const inside = await waiting({ cwd: made.temp, env: {} });
  const child = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { cwd: "/", env: {}, stdio: "ignore" })`;
  await waiting({ env: made.env }, child);

  const found = await processesOf(made);
  expect(found.map(({ pid }) => pid)).toEqual(expect.arrayContaining([marked.pid, inside.pid]));
  expect(found).toHaveLength(4);
  expect(await processesOf(made, [marked.pid as number])).toHaveLength(3);

  await killAll(made);
  expect(await lastOf(() => processesOf(made), 2_000)).toEqual([]);
});

test("a file is left unless it is a finished job or round", async () => {
  const made = await sandbox();
  await mkdir(path.join(made.config, "jobs"));
  await writeFile(path.join(made.config, "jobs", "search-0123456789.json"), "{}");
  await writeFile(path.join(made.config, "temp-invalid-output-1.txt"), "");
  await writeFile(path.join(made.home, ".gemini"), "");

  expect(await filesOf(made)).toEqual(["config/temp-invalid-output-1.txt", "home/.gemini"]);
});

test("a descriptor that was opened since is named", async () => {
  const made = await sandbox();
  const before = await descriptorsOf(process.pid);
  const file = await open(path.join(made.temp, "open"), "w");
  onTestFinished(() => file.close());

  expect(grown(before, await descriptorsOf(process.pid))).toEqual([path.join(made.temp, "open")]);
  expect(grown(["socket:[1]"], ["socket:[2]", "anon_inode:inotify"])).toEqual([]);
  expect(grown(["socket:[1]"], ["socket:[2]", "socket:[3]"])).toEqual(["socket:[3]"]);
});

test("the loops of two idle threads are no leak; those of a third are, and so is a pipe", async () => {
  const before = await descriptorsOf(process.pid);
  const workers: Worker[] = [];
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.terminate()))));
  const start = async () => {
    const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });
    workers.push(worker);
    await once(worker, "online");
  };
  await start();
  await start();
  expect(grown(before, await descriptorsOf(process.pid))).toEqual([]);
  expect(grown(before, [...(await descriptorsOf(process.pid)), "pipe:[1]"])).toHaveLength(1);
  await start();
  expect(grown(before, await descriptorsOf(process.pid)).length).toBeGreaterThan(0);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endTree, killTreeNow, signalTree, taskkill, treeExists } from "../../src/process/process-tree.js";

test("on Windows the whole tree is ended by force", () => {
  expect(taskkill(42)).toEqual(["taskkill", ["/pid", "42", "/T", "/F"]]);
});

test.each([
  ["while the program runs", (pid: number) => signalTree(pid, "SIGTERM", "win32")],
  ["when the program ends", (pid: number) => killTreeNow(pid, "win32")],
])("where taskkill cannot do it, as here, the process itself is ended: %s", async (_, end) => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e3)"], { stdio: "ignore" });
  await once(child, "spawn");
  const exit = once(child, "exit");
  end(child.pid ?? 0);
  expect(await exit).toEqual([null, "SIGKILL"]);
});

test("a group is ended, and a group that is gone is no error", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e3)"], { detached: true, stdio: "ignore" });
  const { pid = 0 } = child;
  await once(child, "spawn");
  expect(treeExists(pid)).toBe(true);
  await Promise.all([once(child, "exit"), endTree(pid)]);
  expect(treeExists(pid)).toBe(false);
  await endTree(pid);
});

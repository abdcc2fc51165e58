import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isGone, ownProcess } from "../src/index.js";

test("this process is there, and says the same of itself twice", () => {
  const own = ownProcess();
  expect(own).toMatchObject({ pid: process.pid, place: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(ownProcess()).toEqual(own);
  expect(isGone(own)).toBe(false);
});

test("a process that has ended is gone", async () => {
  const { place } = ownProcess();
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  expect(isGone({ pid: child.pid ?? 0, place, start: "1" })).toBe(true);
});

test.runIf(process.platform === "linux")("a process that has its id later is not taken for it", () => {
  const own = ownProcess();
  expect(isGone({ ...own, start: String(Number(own.start) - 1) })).toBe(true);
});

test("where the start is not known, a process with the same id is taken for it", () => {
  expect(isGone({ ...ownProcess(), start: "0" })).toBe(false);
});

test("of a process of another machine or container nothing can be said", () => {
  expect(isGone({ ...ownProcess(), place: "000000000000" })).toBeUndefined();
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 53])("%d is the id of no process", (pid) => {
  expect(isGone({ ...ownProcess(), pid })).toBe(true);
});

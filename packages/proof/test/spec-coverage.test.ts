import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../../scripts/spec-coverage.mjs", import.meta.url));

/** A tree with one scenario and one package whose last run had these tests. */
async function tree(tests: { fullName: string; status: string }[]) {
  const root = await mkdtemp(join(tmpdir(), "coverage-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "docs"));
  await mkdir(join(root, "packages/one/.turbo"), { recursive: true });
  const scenario = { id: "search/success", capability: "search", requirement: "Search", title: "It answers" };
  await writeFile(join(root, "docs/scenarios.json"), JSON.stringify([scenario]));
  await writeFile(join(root, "packages/one/package.json"), JSON.stringify({ scripts: { test: "vitest run" } }));
  const testResults = [{ name: "/elsewhere/packages/one/test/a.test.ts", assertionResults: tests }];
  await writeFile(join(root, "packages/one/.turbo/vitest.json"), JSON.stringify({ testResults }));
  return (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args, root], { encoding: "utf8" });
    return { status, problems: stderr.trim() };
  };
}

test("a scenario that a passed test names is covered, and the page that was written is not stale", async () => {
  const coverage = await tree([{ fullName: "answers [search/success]", status: "passed" }]);
  expect(coverage("--check").problems).toContain("stale");
  expect(coverage()).toEqual({ status: 0, problems: "" });
  expect(coverage("--check")).toEqual({ status: 0, problems: "" });
});

test.each([
  [
    "its test names three",
    { fullName: "answers [search/success] [search/success] [search/success]", status: "passed" },
    "names 3 scenarios, at most 2 are meant",
  ],
  ["no test names it", { fullName: "answers", status: "passed" }, "search/success: no passed test shows it"],
  [
    "its test failed",
    { fullName: "answers [search/success]", status: "failed" },
    "shows search/success, but it failed",
  ],
  ["a test names no scenario", { fullName: "answers [search/sucess]", status: "passed" }, "no scenario search/sucess"],
])("the check fails when %s", async (_, result, problem) => {
  const coverage = await tree([result]);
  coverage();
  const checked = coverage("--check");
  expect(checked.status).toBe(1);
  expect(checked.problems).toContain(problem);
});

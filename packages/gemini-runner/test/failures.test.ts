import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { httpError, reset, type Scenario } from "../src/testing/index.js";
import { test } from "./small-world.js";

// One of each kind; the others are replayed from the CLI's recorded words, since every start of it costs a second.
describe.concurrent("what the API answers is told by its name", () => {
  test.for<[string, Scenario, object]>([
    ["bad key", () => httpError("bad-key"), { code: "AUTH_REQUIRED", retryable: false, exitCode: 144 }],
    ["reset", () => reset(), { code: "EXECUTION_ERROR", reason: "network", retryable: true }],
  ])("%s", async ([, scenario, expected], { world }) => {
    const { failureOf } = await world(scenario);
    const error = await failureOf("hello");
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/it said nothing/);
    // Neither stacks and dumps nor files of the run, which are gone by now.
    expect(error.stderr ?? "").not.toMatch(/\[STARTUP\]|^\s|gemini-run-/m);
  });
});

test("a folder of runs that cannot be written", async ({ world, temporaryFolder }) => {
  const cwd = path.join(await temporaryFolder("no-folder"), "file");
  await writeFile(cwd, "");
  const { failureOf } = await world(() => undefined, { cwd });
  const error = await failureOf("hello");
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "workspace", retryable: false });
  expect(error.message).toContain(cwd);
});

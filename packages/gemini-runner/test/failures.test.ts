import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { reset } from "../src/testing/index.js";
import { test } from "./small-world.js";

// One real failure of each kind is here, in `runaway.test.ts` and in `login.test.ts`; the others are replayed from what
// the CLI said in runs of the runner (`recorded.test.ts`), since every start of it costs a second.
test("a reset connection is told by its name", async ({ world }) => {
  const { failureOf } = await world(() => reset());
  const error = await failureOf("hello");
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "network", retryable: true });
  expect(error.message).not.toMatch(/it said nothing/);
  // Neither stacks and dumps nor files of the run, which are gone by now.
  expect(error.stderr ?? "").not.toMatch(/\[STARTUP\]|^\s|gemini-run-/m);
});

test("a folder of runs that cannot be written", async ({ world, temporaryFolder }) => {
  const cwd = path.join(await temporaryFolder("no-folder"), "file");
  await writeFile(cwd, "");
  const { failureOf } = await world(() => undefined, { cwd });
  const error = await failureOf("hello");
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "workspace", retryable: false });
  expect(error.message).toContain(cwd);
});

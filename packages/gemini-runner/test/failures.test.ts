import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { reset } from "../src/testing/index.js";
import { leftIn, test } from "./small-world.js";

// Really failing runs of the CLI are few, since every start of it costs a second: here, in `runaway.test.ts` (a quota, a
// broken API), in `login.test.ts` (a login, a cut-off answer) and in `answers.test.ts` (a prompt too long). All others,
// an unknown model or a bad key among them, are replayed from what it said (`recorded.test.ts`), as long as that was
// said by the version that is installed (`recordings.test.ts`).
test("a reset connection is told by its name", async ({ world }) => {
  const { failureOf, folder } = await world(() => reset());
  const error = await failureOf("hello");
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "network", retryable: true });
  expect(error.message).not.toMatch(/it said nothing/);
  // The CLI dumps each error into a file of the run.
  expect(leftIn(folder)).toEqual([]);
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

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { httpError, type Scenario } from "../../src/testing/index.js";
import { leftIn, test } from "../small-world.js";

// Really failing runs of the CLI are few, since every start of it costs a second: here those that show what the CLI does
// by itself before it gives up, which words recorded once cannot. Further ones stand in `pool-same.test.ts` (alone and in a
// pool), `runaway.test.ts` (a quota, a broken API on a search), `login.test.ts` (a login, a cut-off answer) and
// `answers.test.ts` (a prompt too long). All others are replayed from what the CLI said (`recorded.test.ts`), as long as the
// installed version said it (`recordings.test.ts`).
describe.concurrent("what fails is told by its name, and without the CLI's ten tries", () => {
  test.for<[string, Scenario, number, object]>([
    [
      "a bad key",
      () => httpError("bad-key"),
      1,
      {
        code: "AUTH_REQUIRED",
        reason: "key-refused",
        message:
          "The API refused the key (GEMINI_API_KEY in the environment): API key not valid. Please pass a valid API key.",
        keyVariable: "GEMINI_API_KEY",
        retryable: false,
        exitCode: 144,
      },
    ],
    ["503", () => httpError("unavailable"), 2, { code: "EXECUTION_ERROR", reason: "server", retryable: true }],
  ])("%s", async ([, scenario, tries, expected], { world }) => {
    const { failureOf, folder, server } = await world(scenario);
    const error = await failureOf("hello");
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/it said nothing/);
    expect(server.requests, "tries").toHaveLength(tries);
    // The CLI dumps each error into a file of the run.
    expect(leftIn(folder)).toEqual([]);
    // Neither stacks and dumps nor files of the run, which are gone by now.
    expect(error.stderr ?? "").not.toMatch(/\[STARTUP\]|^\s|gemini-run-/m);
  });

  test("a refused connection", async ({ world }) => {
    // A port that was just given up may be another test's by now; this one is handed out to nobody.
    const url = "http://127.0.0.1:2";
    const { failureOf } = await world(() => undefined, { env: { GOOGLE_GEMINI_BASE_URL: url } });
    expect(await failureOf("hello")).toMatchObject({
      code: "EXECUTION_ERROR",
      reason: "network",
      retryable: true,
      message: expect.stringContaining(`could not be reached at ${url}: `),
    });
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

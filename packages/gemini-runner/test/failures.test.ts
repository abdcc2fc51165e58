import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { finish, httpError, raw, reset, type Scenario, text, thought } from "../src/testing/index.js";
import { test } from "./small-world.js";

// One of each kind; the others are replayed from the CLI's recorded words, since every start of it costs a second.
describe.concurrent("what the API answers is told by its name", () => {
  test.for<[string, Scenario, object]>([
    ["bad key", () => httpError("bad-key"), { code: "AUTH_REQUIRED", retryable: false, exitCode: 144 }],
    [
      "429 minute",
      () => httpError("quota-minute", { retryAfterMs: 17_000 }),
      { code: "QUOTA_EXCEEDED", scope: "minute", retryAfterMs: 17_000, retryable: true },
    ],
    ["503", () => httpError("unavailable"), { code: "EXECUTION_ERROR", reason: "server", retryable: true }],
    ["reset", () => reset(), { code: "EXECUTION_ERROR", reason: "network", retryable: true }],
    ["a page", () => raw("<!doctype html><title>Log in</title>"), { code: "EXECUTION_ERROR", reason: "network" }],
    ["cut stream", () => [...text("half an "), reset()], { code: "EXECUTION_ERROR", reason: "network" }],
    ["thinking only", () => [thought("hm"), finish("STOP")], { code: "EXECUTION_ERROR", reason: "thinking-only" }],
    [
      "cut off",
      () => [...text("half an answ"), finish("MAX_TOKENS")],
      { code: "EXECUTION_ERROR", reason: "truncated", text: "half an answ" },
    ],
  ])("%s", async ([, scenario, expected], { world }) => {
    const { failureOf } = await world(scenario);
    const error = await failureOf("hello");
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/it said nothing/);
    // Neither stacks and dumps nor files of the run, which are gone by now.
    expect(error.stderr ?? "").not.toMatch(/\[STARTUP\]|^\s|gemini-run-/m);
  });
});

describe.concurrent("without an answer of the API", () => {
  test("a refused connection", async ({ world }) => {
    const { server, failureOf } = await world(() => undefined);
    await server.close();
    const error = await failureOf({ prompt: "hello" });
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "network", retryable: true });
  });

  test("no way to sign in", async ({ world }) => {
    const { failureOf } = await world(() => undefined, { env: { GEMINI_API_KEY: "", GOOGLE_GEMINI_BASE_URL: "" } });
    const error = await failureOf("hello");
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", exitCode: 41 });
    expect(error.message).toMatch(/^Gemini CLI is not signed in\. Ways to sign in that work: an API key/);
    expect(error.stderr).toContain("Please set an Auth method in your settings.json or specify");
  });

  test("a folder of runs that cannot be written", async ({ world, temporaryFolder }) => {
    const cwd = path.join(await temporaryFolder("no-folder"), "file");
    await writeFile(cwd, "");
    const { failureOf } = await world(() => undefined, { cwd });
    const error = await failureOf("hello");
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "workspace", retryable: false });
    expect(error.message).toContain(cwd);
  });
});

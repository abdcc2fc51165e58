import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { empty, finish, httpError, raw, reset, type Scenario, text, thought } from "../src/testing/index.js";
import { test } from "./small-world.js";

describe.concurrent("what the API answers is told by its name", () => {
  test.for<[string, Scenario, object]>([
    ["bad key", () => httpError("bad-key"), { code: "AUTH_REQUIRED", retryable: false, exitCode: 144 }],
    ["401", () => httpError("unauthenticated"), { code: "AUTH_REQUIRED", exitCode: 145 }],
    ["403", () => httpError("forbidden"), { code: "AUTH_REQUIRED", exitCode: 147 }],
    ["404", () => httpError("not-found"), { code: "MODEL_NOT_FOUND", retryable: false }],
    ["429 day", () => httpError("quota-day"), { code: "QUOTA_EXCEEDED", scope: "day", retryable: false }],
    [
      "429 minute",
      () => httpError("quota-minute", { retryAfterMs: 17_000 }),
      { code: "QUOTA_EXCEEDED", scope: "minute", retryAfterMs: 17_000, retryable: true },
    ],
    ["429 bare", () => httpError("quota"), { code: "QUOTA_EXCEEDED", scope: "minute", retryable: true }],
    ["400", () => httpError("bad-request"), { code: "EXECUTION_ERROR", reason: "input", retryable: false }],
    ["500", () => httpError("server"), { code: "EXECUTION_ERROR", reason: "server", retryable: true }],
    ["503", () => httpError("unavailable"), { code: "EXECUTION_ERROR", reason: "server", retryable: true }],
    ["reset", () => reset(), { code: "EXECUTION_ERROR", reason: "network", retryable: true }],
    ["a page", () => raw("<!doctype html><title>Log in</title>"), { code: "EXECUTION_ERROR", reason: "network" }],
    ["cut stream", () => [...text("half an "), reset()], { code: "EXECUTION_ERROR", reason: "network" }],
    ["empty", () => empty(), { code: "EXECUTION_ERROR", reason: "empty" }],
    ["thinking only", () => [thought("hm"), finish("STOP")], { code: "EXECUTION_ERROR", reason: "thinking-only" }],
    ["blocked", () => finish("SAFETY"), { code: "EXECUTION_ERROR", reason: "blocked" }],
    ["recitation", () => finish("RECITATION"), { code: "EXECUTION_ERROR", reason: "blocked" }],
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
  test.for([["gemini-2.5-flash"], [undefined]])("a refused connection (model: %s)", async ([model], { world }) => {
    const { server, failureOf } = await world(() => undefined);
    await server.close();
    const error = await failureOf({ prompt: "hello", ...(model === undefined ? {} : { model }) });
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "network", retryable: true });
  });

  test.for([
    ["", "", "Please set an Auth method in your settings.json or specify"],
    [", at an address of one's own", "http://127.0.0.1:9", "Invalid auth method selected"],
  ])("no way to sign in%s", async ([, baseUrl, said], { world }) => {
    const { failureOf } = await world(() => undefined, {
      env: { GEMINI_API_KEY: "", GOOGLE_GEMINI_BASE_URL: baseUrl },
    });
    const error = await failureOf("hello");
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", exitCode: 41 });
    expect(error.message).toMatch(/^Gemini CLI is not signed in\. Ways to sign in that work: an API key/);
    expect(error.stderr).toContain(said);
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

import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { fetchPage, httpError, search, text } from "../../src/testing/index.js";
import { test } from "../small-world.js";

// With a model that keeps its name it fails once and the run goes on, and searches made together may all be refused once:
// `runner.test.ts`. By a login: `login.test.ts`. What runs away comes to no end by itself: that a run ends is what is shown.
describe.concurrent("a search that is refused", () => {
  test("with the CLI's choice of a model, a search without quota ends the run before it runs away", async ({
    world,
  }) => {
    const { run } = await world((call) => {
      if (call.kind === "search") return httpError("quota-day");
      if (call.kind !== "main") return undefined;
      return call.turn === 0 ? search("tides") : text("done");
    });
    await expect(run({ prompt: "hello" })).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      scope: "day",
      retryable: false,
      message: expect.stringContaining("gemini-3-flash-preview"),
    });
  });

  test("with an alias, and an API that takes its time, a page read without quota ends the run before it runs away", async ({
    world,
  }) => {
    const { run } = await world(async (call) => {
      if (call.kind !== "fetch") return fetchPage("http://93.184.215.14/");
      await delay(300);
      return httpError("quota-day");
    });
    await expect(run({ prompt: "hello", model: "pro" })).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      scope: "day",
      retryable: false,
      message: expect.stringContaining("gemini-3-flash-preview"),
    });
  });

  // A minute's quota does the same: `recorded.test.ts`.
  test("a broken API on a search gets one more try, then the run ends", async ({ world }) => {
    const { run, server } = await world((call) => {
      if (call.kind === "search") return httpError("server", { retryAfterMs: 1_000 });
      return call.turn === 0 ? search("tides") : text("done");
    });
    await expect(run("hello")).rejects.toMatchObject({ code: "EXECUTION_ERROR", reason: "server" });
    expect(server.requests.filter(({ kind }) => kind === "search")).toHaveLength(2);
  });
});

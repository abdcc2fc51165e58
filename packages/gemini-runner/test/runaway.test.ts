import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { fetchPage, grounded, httpError, page, type Scenario, search, text } from "../src/testing/index.js";
import { test } from "./small-world.js";

/** A used-up daily quota of the model that searches; the run itself goes well. */
const noSearches: Scenario = (call) => {
  if (call.kind === "search" || call.kind === "fetch") return httpError("quota-day");
  if (call.kind !== "main") return undefined;
  return call.turn === 0 ? search("tides") : text("done");
};

describe.concurrent("a search that is refused", () => {
  test("with a model, a search without quota fails once and the run goes on", async ({ world }) => {
    const { run, server } = await world(noSearches);
    const { result } = await run({ prompt: "hello", model: "gemini-2.5-flash" });
    expect(result).toMatchObject({ text: "done", queries: [] });
    expect(result.failures).toEqual([
      expect.objectContaining({
        tool: "google_web_search",
        query: "tides",
        message: expect.stringContaining("daily quota"),
      }),
    ]);
    expect(server.requests.map(({ kind }) => kind)).toEqual(["main", "search", "main"]);
  });

  test.for([
    ["the CLI's choice", undefined, 0],
    ["an alias, and an API that takes its time", "pro", 300],
  ] as const)("with %s, a search without quota ends the run before it runs away", async ([, model, ms], { world }) => {
    const { run, server } = await world(async (call) => {
      if (call.kind === "search") await delay(ms);
      return noSearches(call);
    });
    await expect(run({ prompt: "hello", ...(model === undefined ? {} : { model }) })).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      scope: "day",
      retryable: false,
      message: expect.stringContaining("gemini-3-flash-preview"),
    });
    expect(server.requests.filter(({ kind }) => kind === "search").length).toBeLessThanOrEqual(20);
  });

  test("a page read without quota ends the run before it runs away", async ({ world }) => {
    const { run, server } = await world((call) =>
      call.kind === "main" ? fetchPage("http://93.184.215.14/") : noSearches(call),
    );
    await expect(run({ prompt: "hello" })).rejects.toMatchObject({ code: "QUOTA_EXCEEDED", scope: "day" });
    expect(server.requests.filter(({ kind }) => kind === "fetch").length).toBeLessThanOrEqual(20);
  });

  test.for([
    ["a minute's quota", "quota-minute", { code: "QUOTA_EXCEEDED", scope: "minute" }],
    ["a broken API", "server", { code: "EXECUTION_ERROR", reason: "server" }],
  ] as const)("%s on a search gets one more try, then the run ends", async ([, error, expected], { world }) => {
    const { run, server } = await world((call) => {
      if (call.kind === "search") return httpError(error, { retryAfterMs: 1_000 });
      return call.turn === 0 ? search("tides") : text("done");
    });
    await expect(run("hello")).rejects.toMatchObject(expected);
    expect(server.requests.filter(({ kind }) => kind === "search")).toHaveLength(2);
  });

  test("searches made together may be refused together once", async ({ world }) => {
    const { run } = await world((call) => {
      if (call.kind === "search")
        return call.index < 5 ? httpError("quota-minute", { retryAfterMs: 100 }) : grounded("found");
      return call.turn === 0 ? ["a", "b", "c", "d", "e"].map((query) => search(query)) : text("done");
    });
    const { result } = await run("hello");
    expect(result.text).toBe("done");
    expect(result.queries.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  });

  test.for(["gemini-3-pro-preview", "gemini-3.8-flash"])(
    "searches and reads still do so with %s",
    async (model, { world }) => {
      const { run, server } = await world((call) => {
        if (call.kind === "search") return grounded("found");
        if (call.kind === "fetch") return page("read");
        if (call.turn === 0) return [search("tides"), fetchPage("http://93.184.215.14/")];
        return text("done");
      });
      await run({ prompt: "hello", model });
      expect(server.requests.map(({ kind }) => kind).toSorted()).toEqual(["fetch", "main", "main", "search"]);
    },
  );
});

import { describe, expect } from "vitest";
import { fetchPage, grounded, httpError, type Login, page, type Scenario, search, text } from "../src/testing/index.js";
import { test } from "./small-world.js";

const searchesAndReads: Scenario = (call) => {
  if (call.kind === "search")
    return grounded("found", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
  if (call.kind === "fetch") return page("read");
  if (call.kind !== "main") return undefined;
  return call.turn === 0 ? [search("tides"), fetchPage("http://93.184.215.14/")] : text("done");
};

describe.concurrent("with another way of signing in", () => {
  // Without access to previews the CLI asks for other models, and by itself forgets what a search needs.
  test.for<[Login, string | undefined, string | undefined]>([
    ["vertex", undefined, undefined],
    ["enterprise", "pro", "gemini-3-pro-preview"],
    ["enterprise-without-previews", "flash", undefined],
  ])("searches search and reads read (%s, model: %s)", async ([login, model, answering], { world }) => {
    const { run, server } = await world(searchesAndReads, {}, login);
    const { result } = await run({ prompt: "hello", ...(model === undefined ? {} : { model }) });
    expect(result).toMatchObject({ text: "done", queries: ["tides"], failures: [] });
    expect(result.sources.map(({ status }) => status)).toEqual(["found", "retrieved"]);
    const asked = server.requests.filter(({ kind }) => kind !== "classifier");
    expect(asked.map(({ kind }) => kind).toSorted()).toEqual(["fetch", "main", "main", "search"]);
    if (answering !== undefined) {
      const main = asked.filter(({ kind }) => kind === "main");
      expect(main.map((request) => request.model)).toEqual([answering, answering]);
    }
  });

  test("a search without quota ends the run before it runs away", async ({ world }) => {
    const refused: Scenario = (call) => (call.kind === "search" ? httpError("quota-day") : searchesAndReads(call));
    const { failureOf, server } = await world(refused, {}, "enterprise-without-previews");
    expect(await failureOf({ prompt: "hello", model: "pro" })).toMatchObject({ code: "QUOTA_EXCEEDED", scope: "day" });
    expect(server.requests.length).toBeLessThanOrEqual(20);
  });

  test("an individual is told what Google no longer serves, and what it does", async ({ world }) => {
    const { failureOf, server } = await world(searchesAndReads, {}, "individual");
    const error = await failureOf("hello");
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", retryable: false });
    expect(error.message).toMatch(/2026-06-18.*GEMINI_API_KEY.*Vertex AI.*Enterprise/);
    expect(server.requests).toEqual([]);
  });
});

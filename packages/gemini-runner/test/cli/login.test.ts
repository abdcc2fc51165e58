import { describe, expect } from "vitest";
import { fetchPage, finish, grounded, httpError, page, type Scenario, search, text } from "../../src/testing/index.js";
import { test } from "../small-world.js";

const searchesAndReads: Scenario = (call) => {
  if (call.kind === "search")
    return grounded("found", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
  if (call.kind === "fetch") return page("read");
  if (call.kind !== "main") return undefined;
  return call.turn === 0 ? [search("tides"), fetchPage("http://93.184.215.14/")] : text("done");
};

const PAGE = "http://93.184.215.14/";
const PAYWALLED = "http://93.184.215.15/paid";

/** What the CLI takes for good: a source that the model made up, a page not read, a turn that broke off. */
const hardToRead: Scenario = (call) => {
  if (call.kind === "search" && call.query === "rumours") return grounded("x\n\nSources:\n[1] y (https://made.up/)");
  if (call.kind === "search") {
    return grounded("found", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
  }
  if (call.kind === "fetch") {
    return page("read", [
      { retrievedUrl: PAGE },
      { retrievedUrl: PAYWALLED, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_PAYWALL" },
    ]);
  }
  if (call.turn === 0) return [search("tides"), search("rumours"), fetchPage(PAGE, PAYWALLED)];
  return call.index === 1 ? [...text("It is "), finish("MALFORMED_FUNCTION_CALL")] : text("It is so.");
};

describe.concurrent("with another way of signing in", () => {
  test("Vertex AI, with the CLI's choice of a model: searches search and reads read", async ({ world }) => {
    const { run, server } = await world(searchesAndReads, {}, "vertex");
    const { result } = await run({ prompt: "hello" });
    expect(result).toMatchObject({ text: "done", queries: ["tides"], failures: [] });
    expect(result.sources.map(({ status }) => status)).toEqual(["found", "retrieved"]);
    const kinds = server.requests.map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["classifier", "fetch", "main", "main", "search"]);
    expect(new Set(server.requests.map(({ api }) => api))).toEqual(new Set(["vertex"]));
  });

  // That searches search and reads read, by every login: `sub-calls.test.ts`.
  test("an enterprise without previews, with an alias: a search without quota ends the run before it runs away", async ({
    world,
  }) => {
    const refused: Scenario = (call) => (call.kind === "search" ? httpError("quota-day") : searchesAndReads(call));
    const { failureOf } = await world(refused, {}, "enterprise-without-previews");
    expect(await failureOf({ prompt: "hello", model: "pro" })).toMatchObject({ code: "QUOTA_EXCEEDED", scope: "day" });
  });

  test("an enterprise's pro is answered by it, with what it really found and read", async ({ world }) => {
    const { run, server } = await world(hardToRead, {}, "enterprise");
    const { result } = await run({ prompt: "hello", model: "pro" });
    expect(result).toMatchObject({
      text: "It is so.",
      sources: [
        { url: "https://example.com/tides", status: "found" },
        { url: PAGE, status: "retrieved" },
      ],
      failures: [{ tool: "web_fetch", url: PAYWALLED, message: "The page could not be read" }],
    });
    const main = server.requests.filter(({ kind }) => kind === "main");
    expect(main.map(({ model }) => model)).toEqual(Array(3).fill("gemini-3-pro-preview"));
    expect(new Set(server.requests.map(({ api }) => api))).toEqual(new Set(["code-assist"]));
  });

  test("an answer that was cut off is told by its name", async ({ world }) => {
    const { failureOf } = await world(() => [...text("half an answ"), finish("MAX_TOKENS")], {}, "enterprise");
    expect(await failureOf("hello")).toMatchObject({ reason: "truncated", text: "half an answ" });
  });

  test("an individual is told what Google no longer serves, and what it does", async ({ world }) => {
    const { failureOf, server } = await world(searchesAndReads, {}, "individual");
    const error = await failureOf("hello");
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", retryable: false });
    expect(error.message).toContain("2026-06-18");
    expect(error.nextStep).toMatch(/GEMINI_API_KEY.*Vertex AI.*Enterprise/);
    expect(server.requests).toEqual([]);
  });
});

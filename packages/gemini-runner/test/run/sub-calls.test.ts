import { describe, expect } from "vitest";
import { fetchPage, grounded, type Login, page, type Scenario, search, text } from "../../src/testing/index.js";
import { startPageProxy } from "../page-proxy.js";
import { test } from "../small-world.js";

const scenario: Scenario = (call) => {
  if (call.kind === "search")
    return grounded("found", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
  // Google could not read it: the CLI does.
  if (call.kind === "fetch") return page("", [{ retrievedUrl: "x", urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" }]);
  if (call.kind !== "main") return undefined;
  return call.turn === 0 ? [search("tides"), fetchPage("http://93.184.215.14/")] : text("done");
};

// All six kinds of models with all versions of the CLI: `pnpm compat`.
describe.concurrent("a search is given Google's search alone, a page read the reading of pages, its second try nothing", () => {
  test.for<[Login, string | null]>([
    ["api-key", null],
    ["api-key", "gemini-2.5-flash"],
    ["api-key", "pro"],
    ["enterprise", null],
    ["enterprise-without-previews", "flash"],
    ["enterprise-without-previews", "gemini-3-flash-preview"],
  ])("by %s with model %s", async ([login, model], { world, onTestFinished }) => {
    const proxy = await startPageProxy((_, response) => response.end("The moon pulls."));
    onTestFinished(() => proxy.close());
    const { run, server } = await world(scenario, { env: proxy.env }, login);
    const { result } = await run({ prompt: "hello", model });
    expect(result).toMatchObject({ text: "done", queries: ["tides"], failures: [] });
    expect(result.sources.map(({ status }) => status)).toEqual(["found", "retrieved"]);
    const kinds = server.requests.map(({ kind }) => kind).filter((kind) => kind !== "classifier");
    expect(kinds.toSorted()).toEqual(["fetch", "fetch-fallback", "main", "main", "search"]);
    const given = ["search", "fetch", "fetch-fallback"].map((kind) =>
      server.requests.filter((call) => call.kind === kind).map(({ body }) => body.tools ?? null),
    );
    expect(given).toEqual([[[{ googleSearch: {} }]], [[{ urlContext: {} }]], [null]]);
  });
});

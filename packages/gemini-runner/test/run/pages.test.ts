import { describe, expect } from "vitest";
import { fetchPage, page, type Scenario, text } from "../../src/testing/index.js";
import { REFUSES, startPageProxy } from "../page-proxy.js";
import { test as base } from "../small-world.js";

const HOST = "http://93.184.215.14";

/** Pages that the CLI reads by itself: Google says of all of them that it could not. */
const test = base.extend<{ proxy: Awaited<ReturnType<typeof startPageProxy>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern.
  proxy: async ({}, use) => {
    let sometimes = 0;
    const proxy = await startPageProxy((request, response) => {
      switch (request.url?.split("?")[0]) {
        case "/busy":
          return void response.writeHead(503).end("busy");
        case "/busy-once":
          return void response.writeHead(sometimes++ === 0 ? 503 : 200).end("The moon pulls.");
        case "/silent":
          return;
        case "/gone":
          return void response.writeHead(404).end();
        case "/stalls":
          return void response.writeHead(200, { "content-type": "text/plain" }).write("The moon");
        default:
          return void response.writeHead(200, { "content-type": "text/plain" }).end("The moon pulls.");
      }
    });
    await use(proxy);
    await proxy.close();
  },
});

/** A page read for each list of addresses. */
const reads =
  (...calls: string[][]): Scenario =>
  (call) => {
    if (call.kind === "fetch") {
      return page(
        "",
        call.urls.map((retrievedUrl) => ({ retrievedUrl, urlRetrievalStatus: "URL_RETRIEVAL_STATUS_ERROR" })),
      );
    }
    if (call.kind === "fetch-fallback") return text("It says that the moon pulls.");
    if (call.kind !== "main") return undefined;
    return call.turn === 0 ? calls.map((urls) => fetchPage(...urls)) : text("done");
  };

describe.concurrent.each([
  ["alone", false],
  ["in a pool", true],
] as const)("a page that cannot be read does not end a run %s", (_, pool) => {
  // Half of a tool's time is for pages that the CLI reads by itself.
  test.for([
    [
      "answers 503, refuses or is not there",
      30_000,
      [
        [`${HOST}/busy`, "It answered 503"],
        [`http://${REFUSES}/`, expect.stringMatching(/^It could not be reached \(/)],
        [`${HOST}/gone`, "It answered 404"],
      ],
    ],
    [
      "is silent or stalls",
      6_000,
      [
        [`${HOST}/silent`, "It did not answer in time"],
        [`${HOST}/stalls`, "It did not answer in time"],
      ],
    ],
  ] as const)("and is named: one that %s", async ([, toolTimeoutMs, pages], { world, proxy }) => {
    const { run } = await world(reads(...pages.map(([url]) => [url])), { env: proxy.env, toolTimeoutMs, pool });
    const { result } = await run("hello");
    expect(result).toMatchObject({ text: "done", sources: [], recorded: true });
    expect(result.failures).toEqual(pages.map(([url, message]) => ({ tool: "web_fetch", url, message })));
  });

  test("and is told apart from those beside it, one of which was busy at first [evidence/unreadable-page]", async ({
    world,
    proxy,
  }) => {
    const urls = [`${HOST}/busy-once`, `http://${REFUSES}/`, `${HOST}/tides/`];
    const { run } = await world(reads(urls), { env: proxy.env, pool });
    const { result } = await run("hello");
    expect(result).toMatchObject({ text: "done" });
    expect(result.sources).toEqual([
      { url: urls[0], status: "retrieved" },
      { url: urls[2], status: "retrieved" },
    ]);
    expect(result.failures.map(({ url }) => url)).toEqual([urls[1]]);
  });

  test("nor do many, which share the time of one call", async ({ world, proxy }) => {
    const urls = Array.from({ length: 5 }, (_, i) => `${HOST}/silent?${i}`);
    const { run } = await world(reads(urls), { env: proxy.env, toolTimeoutMs: 8_000, pool });
    const { result } = await run("hello");
    expect(result).toMatchObject({ text: "done", sources: [] });
    expect(result.failures.map(({ url }) => url)).toEqual(urls);
    expect(result.failures.at(-1)?.message).toBe("The pages before it took all the time");
  });
});

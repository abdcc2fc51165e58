import { describe, expect } from "vitest";
import type { McpServers } from "../../src/index.js";
import { callTool, type Scenario, text } from "../../src/testing/index.js";
import { startMcpEndpoint } from "../mcp-endpoint.js";
import { startPageProxy } from "../page-proxy.js";
import { test as base } from "../small-world.js";

const PAGE = "https://example.com/tides";
const SILENT = "https://example.com/silent";

/** More than the CLI shows a model of what a tool gives, when it is not told otherwise. */
const LONG = `begin ${"the moon pulls ".repeat(6_000)}end`;

const test = base.extend<{ endpoint: Awaited<ReturnType<typeof startMcpEndpoint>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern.
  endpoint: async ({}, use) => {
    const endpoint = await startMcpEndpoint((url) => (url === SILENT ? undefined : LONG));
    await use(endpoint);
    await endpoint.close();
  },
});

const reads =
  (url: string): Scenario =>
  ({ kind, turn }) =>
    kind === "main" && turn === 0
      ? [callTool("mcp_pages_read_page", { url }), callTool("mcp_pages_wipe")]
      : text("done");

const pages = (url: string, more: object = {}): McpServers => ({
  pages: { url, headers: { Authorization: "Bearer $RUN_TOKEN" }, includeTools: ["read_page"], ...more },
});

const model = "gemini-2.5-pro";

describe.concurrent("an MCP server over HTTP that a request names", () => {
  test("is asked past every proxy, with its headers, for its named tools alone, and heard whole", async ({
    world,
    endpoint,
    onTestFinished,
  }) => {
    const proxy = await startPageProxy((_, response) => response.end());
    onTestFinished(() => proxy.close());
    const { HTTPS_PROXY, HTTP_PROXY } = proxy.env;
    const listed = { NO_PROXY: "example.org", no_proxy: "example.org" };
    const env = { HTTPS_PROXY, HTTP_PROXY, ...listed, RUN_TOKEN: "for this run" };
    const { run, server } = await world(reads(PAGE), { env });
    const { result, events } = await run({ prompt: "hello", model, mcpServers: pages(endpoint.url) });
    expect(server.requests[0]?.tools.toSorted()).toEqual(["google_web_search", "mcp_pages_read_page", "web_fetch"]);
    const [given, refused] = server.requests[1]?.toolResults ?? [];
    expect(JSON.stringify(given?.response)).toContain(LONG);
    expect(JSON.stringify(refused?.response)).toMatch(/error/);
    expect(new Set(endpoint.authorizations)).toEqual(new Set(["Bearer for this run"]));
    expect(proxy.asked).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool-call", tool: "mcp_pages_read_page", urls: [PAGE] }),
    );
    expect(result).toMatchObject({ text: "done", sources: [{ url: PAGE, status: "retrieved" }] });
  });

  // When it fails: `pool-same.test.ts`.
  test("does not end a run when it keeps silent", async ({ world, endpoint }) => {
    const { run } = await world(reads(SILENT), { env: { RUN_TOKEN: "x" } });
    // So long it may also take until its tools are listed, on a busy machine.
    const mcpServers = pages(endpoint.url, { timeoutMs: 10_000 });
    const { result } = await run({ prompt: "hello", model, mcpServers });
    expect(result).toMatchObject({ text: "done", sources: [] });
    expect(result.failures).toContainEqual({
      tool: "mcp_pages_read_page",
      url: SILENT,
      message: expect.stringMatching(/timed out/i),
    });
  });

  test("is that of a process that was started ahead for the same server alone", async ({ world, endpoint }) => {
    const { run, runner } = await world(reads(PAGE), { env: { RUN_TOKEN: "x" } });
    const other = pages(endpoint.url, { headers: { Authorization: "Bearer other" } });
    runner.prewarm({ model, mcpServers: other });
    const first = await run({ prompt: "hello", model, mcpServers: pages(endpoint.url) });
    expect(first.events[0]).toMatchObject({ warm: false });
    const second = await run({ prompt: "hello", model, mcpServers: other });
    expect(second.events[0]).toMatchObject({ warm: true });
    expect(second.result.text).toBe("done");
  });
});

test("a runner's server is left out of a run that asks for other tools by name", async ({ world, endpoint }) => {
  const options = { mcpServers: pages(endpoint.url), env: { RUN_TOKEN: "x" } };
  const { run, server } = await world(() => text("done"), options);
  await run({ prompt: "hello", model, tools: ["google_web_search"] });
  expect(server.requests[0]?.tools).toEqual(["google_web_search"]);
  expect(endpoint.authorizations).toEqual([]);
  await run({ prompt: "hello", model, tools: ["mcp_pages_read_page"] });
  expect(server.requests[1]?.tools).toEqual(["mcp_pages_read_page"]);
});

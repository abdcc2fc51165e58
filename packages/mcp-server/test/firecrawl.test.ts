import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { callTool, json, type ModelServer, startModelServer } from "@x/gemini-runner/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { textOf } from "./support/connect.js";
import { newPlace, type Place, processesOf } from "./support/place.js";
import { connectServer, endServer } from "./support/stdio-server.js";

let place: Place;
let model: ModelServer;
beforeEach(async () => {
  place = newPlace();
  model = await startModelServer({
    scenario: ({ kind, turn }) => {
      if (kind !== "main") return undefined;
      return turn === 0
        ? callTool("mcp_firecrawl_firecrawl_scrape", { url: "https://example.org/page" })
        : json({ success: true, report: "Done.", metadata: {} });
    },
  });
});
afterEach(async () => {
  await model.close();
  expect(processesOf(place.home)).toEqual([]);
  place.remove();
});

/** `npx` that runs this program in place of the package that is asked for. */
function fakeNpx(program: string): Record<string, string> {
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "firecrawl.mjs"), program);
  const start = `exec "${process.execPath}" "${join(bin, "firecrawl.mjs")}" "$@"`;
  writeFileSync(join(bin, "npx"), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  return { ...place.env, ...model.env, PATH: `${bin}${delimiter}${place.env["PATH"]}`, FIRECRAWL_API_KEY: "fc-secret" };
}

/** As much of Firecrawl's MCP server as a client sees; it says what it was asked and with which key. */
const FIRECRAWL = `
import { createInterface } from "node:readline";
const tool = (name) => ({ name, description: name, inputSchema: { type: "object", properties: { url: { type: "string" } } } });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result =
    method === "initialize"
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "firecrawl", version: "1" } }
      : method === "tools/list"
        ? { tools: ["firecrawl_scrape", "firecrawl_search", "firecrawl_crawl"].map(tool) }
        : { content: [{ type: "text", text: "scraped " + params?.arguments?.url + " with " + process.env.FIRECRAWL_API_KEY } ] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
}`;

test("the model may scrape and search with Firecrawl, and the key stands in no file", async () => {
  const env = fakeNpx(FIRECRAWL);
  const server = await connectServer(env);
  const result = server.client.callTool({ name: "search", arguments: { query: "q" } });
  // Later the CLI's own record holds what this Firecrawl says, which is the key.
  await model.waitFor("main");
  for (const path of readdirSync(place.configDir, { recursive: true }) as string[]) {
    const file = join(place.configDir, path);
    if (statSync(file).isFile()) expect(readFileSync(file, "utf8")).not.toContain("fc-secret");
  }
  expect(textOf(await result)).toMatchObject({ success: true, result: "Done." });
  const [first, second] = model.requests.filter(({ kind }) => kind === "main").map((call) => JSON.stringify(call.body));
  expect(first).toContain("firecrawl_search");
  expect(first).not.toContain("firecrawl_crawl");
  expect(second).toContain("scraped https://example.org/page with fc-secret");
  await endServer(server);
});

test.each([
  ["does not answer", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"],
  ["ends at once", "process.exit(1);"],
])("a Firecrawl server that %s stops no search", async (_, program) => {
  const server = await connectServer(fakeNpx(program));
  const result = await server.client.callTool({ name: "search", arguments: { query: "q" } });
  expect(textOf(result)).toMatchObject({ success: true, result: "Done." });
  await endServer(server);
});

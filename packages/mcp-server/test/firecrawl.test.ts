import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { callTool, json, type ModelServer, startModelServer } from "@x/gemini-runner/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LineTransport } from "../src/line-transport.js";
import { textOf } from "./support/connect.js";
import { newPlace, type Place, processesOf } from "./support/place.js";
import { connectServer, endServer } from "./support/stdio-server.js";

const BRIDGE = fileURLToPath(new URL("../dist/firecrawl-bridge.js", import.meta.url));
const PAGE = "https://example.org/page";

let place: Place;
let model: ModelServer;
beforeEach(async () => {
  place = newPlace();
  model = await startModelServer({
    scenario: ({ kind, turn }) => {
      if (kind !== "main") return undefined;
      if (turn === 0) return callTool("mcp_firecrawl_firecrawl_scrape", { url: PAGE });
      if (turn === 1) return callTool("mcp_firecrawl_firecrawl_search", { query: "q" });
      return json({ success: true, report: "Done.", metadata: {} });
    },
  });
});
afterEach(async () => {
  await model.close();
  await expect.poll(() => processesOf(place.home)).toEqual([]);
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

/**
 * As much of Firecrawl's MCP server as a client sees: it says what it was asked to scrape and with which key, fails to
 * search, and has to be killed.
 */
const FIRECRAWL = `
import { createInterface } from "node:readline";
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
const tool = (name) => ({ name, description: name, inputSchema: { type: "object", properties: { url: { type: "string" } } } });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result =
    method === "initialize"
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "firecrawl", version: "1" } }
      : method === "tools/list"
        ? { tools: ["firecrawl_scrape", "firecrawl_search", "firecrawl_crawl"].map(tool) }
        : params.name === "firecrawl_search"
        ? undefined
        : { content: [{ type: "text", text: "scraped " + params?.arguments?.url + " with " + process.env.FIRECRAWL_API_KEY } ] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32000, message: "no credits" } }) }) + "\\n");
}`;

test("the model may scrape and search with Firecrawl, whose failure stops no search; the key stands in no file, and nothing of it is left", async () => {
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
  const [first, second, third] = model.requests
    .filter(({ kind }) => kind === "main")
    .map((call) => JSON.stringify(call.body));
  expect(first).toContain("firecrawl_search");
  expect(first).not.toContain("firecrawl_crawl");
  expect(second).toContain(`scraped ${PAGE} with fc-secret`);
  expect(third).toMatch(/Firecrawl is not available .*no credits.*Go on with google_web_search/);
  await endServer(server);
  expect(processesOf(place.home)).toEqual([]);
});

test.each([
  ["does not answer", "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);"],
  ["ends at once", "process.exit(1);"],
])(
  "behind a Firecrawl server that %s the tools are listed at once, and a call says how to go on without",
  async (_, program) => {
    // Leader of a group, as the CLI is: what it leaves is ended with the group.
    const bridge = spawn(process.execPath, [BRIDGE], { env: fakeNpx(program), stdio: "pipe", detached: true });
    const exited = once(bridge, "exit");
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new LineTransport(bridge.stdout, bridge.stdin, () => expect.unreachable()));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["firecrawl_scrape", "firecrawl_search"]);
    expect(await client.callTool({ name: "firecrawl_scrape", arguments: { url: PAGE } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^Firecrawl is not available .*Go on with google_web_search/) }],
    });
    process.kill(-(bridge.pid as number), "SIGKILL");
    await exited;
  },
);

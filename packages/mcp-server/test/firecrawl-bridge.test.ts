import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { callTool, json, type ModelServer, startModelServer } from "@x/gemini-runner/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { installed } from "../src/firecrawl/install.js";
import LOCK from "../src/firecrawl/lock.json" with { type: "json" };
import { LineTransport } from "../src/transports/line-transport.js";
import { answerOf } from "./support/connect.js";
import { newPlace, type Place, processesOf } from "./support/place.js";
import { connectServer, endServer } from "./support/stdio-server.js";

const BRIDGE = fileURLToPath(new URL("../dist/firecrawl-bridge.js", import.meta.url));
const PAGE = "https://example.org/page";

let place: Place;
let model: ModelServer;
/** Whether Firecrawl had still said nothing, at the first and the second turn of the model. */
let silent: boolean[];
const saying = (name: string) => join(place.home, name);
beforeEach(async () => {
  place = newPlace();
  silent = [];
  model = await startModelServer({
    scenario: ({ kind, turn }) => {
      if (kind !== "main") return undefined;
      // Before the model has been told that Firecrawl is silent it says nothing, unless that takes half a minute.
      if (turn <= 1) silent.push(!existsSync(saying("spoken")));
      if (turn === 1) writeFileSync(saying("may-speak"), "");
      if (turn <= 1) return callTool("mcp_firecrawl_firecrawl_scrape", { url: PAGE });
      if (turn === 2) return callTool("mcp_firecrawl_firecrawl_search", { query: "q" });
      return json({ success: true, report: "Done.", metadata: {} });
    },
  });
});
afterEach(async () => {
  await model.close();
  await expect.poll(() => processesOf(place.home)).toEqual([]);
  place.remove();
});

/** `npm` that installs this program in place of the package that is asked for, when it is told all that it must be. */
function fakeNpm(program: string): Record<string, string> {
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "firecrawl.mjs"), program);
  const made = "node_modules/firecrawl-mcp/dist";
  const install = `[ "$1 $2" = "ci --ignore-scripts" ] && grep -q '"integrity":"sha512-' package-lock.json || exit 1
mkdir -p ${made} && cp "${join(bin, "firecrawl.mjs")}" ${made}/index.js && echo '{"type":"module"}' > package.json`;
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${install}\n`, { mode: 0o755 });
  return { ...place.env, ...model.env, PATH: `${bin}${delimiter}${place.env["PATH"]}`, FIRECRAWL_API_KEY: "fc-secret" };
}

/**
 * As much of Firecrawl's MCP server as a client sees: it takes long to start, says what it was asked to scrape and with
 * which key, fails to search, and has to be killed. What it waits for is far more than the few seconds it may cost.
 */
const FIRECRAWL = `
import { existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const giveUpAt = Date.now() + 30_000;
while (!existsSync(process.env.HOME + "/may-speak") && Date.now() < giveUpAt) await new Promise((resolve) => setTimeout(resolve, 50));
writeFileSync(process.env.HOME + "/spoken", "");
const tool = (name) => ({ name, description: name, inputSchema: { type: "object", properties: { url: { type: "string" } } } });
for await (const line of lines) {
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

/** Nothing of what was moved meanwhile: a draft of the tool is put in place. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** What each file of a folder holds. */
function* textsIn(folder: string): Generator<string> {
  for (const entry of ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* textsIn(path);
    else if (entry.isFile()) yield ifThere(() => readFileSync(path, "utf8")) ?? "";
  }
}

test("a search goes on without Firecrawl while it is silent, uses it once it speaks, and keeps its key in no file", async () => {
  const env = fakeNpm(FIRECRAWL);
  const server = await connectServer(env);
  const result = server.client.callTool({ name: "search", arguments: { query: "q" } });
  // Later the CLI's own record holds what this Firecrawl says, which is the key.
  await model.waitFor("main");
  for (const text of textsIn(place.configDir)) expect(text).not.toContain("fc-secret");
  expect(answerOf(await result)).toMatchObject({ success: true, result: "Done." });
  expect(silent, "Firecrawl has said nothing when its tools are listed and when the model goes on").toEqual([
    true,
    true,
  ]);
  const [first, second, third, fourth] = model.requests
    .filter(({ kind }) => kind === "main")
    .map((call) => JSON.stringify(call.body));
  expect(first).toContain("firecrawl_search");
  expect(first).not.toContain("firecrawl_crawl");
  expect(second).toMatch(/Firecrawl is not available .*not started yet.*Go on with google_web_search/);
  expect(third).toContain(`scraped ${PAGE} with fc-secret`);
  expect(fourth).toMatch(/Firecrawl is not available .*no credits.*Go on with google_web_search/);
  await endServer(server);
  expect(server.invalid).toEqual([]);
  // At once: a runner that is closed waits until nothing of its runs lives.
  expect(processesOf(place.home)).toEqual([]);
});

test("behind a Firecrawl server that ends at once the tools are listed, and a call says how to go on without", async () => {
  // Leader of a group, as the CLI is: what it leaves is ended with the group.
  const env = { ...fakeNpm("process.exit(1);"), FIRECRAWL_HOME: join(place.home, "tools") };
  const bridge = spawn(process.execPath, [BRIDGE], { env, stdio: "pipe", detached: true });
  const exited = once(bridge, "exit");
  onTestFinished(async () => {
    process.kill(-(bridge.pid as number), "SIGKILL");
    await exited;
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new LineTransport(bridge.stdout, bridge.stdin, () => expect.unreachable()));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["firecrawl_scrape", "firecrawl_search"]);
  expect(await client.callTool({ name: "firecrawl_scrape", arguments: { url: PAGE } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Firecrawl is not available .*Go on with google_web_search/) }],
  });
});

test("each package of Firecrawl's is named with its digest, and with no place that it must come from", () => {
  const { packages } = LOCK as { packages: Record<string, { integrity?: string; resolved?: string }> };
  const { "": root, ...others } = packages;
  expect(root).toMatchObject({ dependencies: { "firecrawl-mcp": expect.stringMatching(/^\d+\.\d+\.\d+$/) } });
  expect(Object.keys(others).length).toBeGreaterThan(100);
  for (const [name, { integrity, resolved }] of Object.entries(others)) {
    expect([integrity, resolved], name).toEqual([expect.stringMatching(/^sha512-/), undefined]);
  }
});

test("what a killed install has left is removed, a fresh one is not, and where npm fails it says why", async () => {
  const home = join(place.home, "tools");
  for (const name of ["firecrawl-draft-old", "firecrawl-draft-new"]) mkdirSync(join(home, name), { recursive: true });
  utimesSync(join(home, "firecrawl-draft-old"), 1, 1);
  const bin = join(place.home, "failing");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), "#!/bin/sh\necho EINTEGRITY >&2\nexit 1\n", { mode: 0o755 });
  const { PATH } = process.env;
  process.env["PATH"] = `${bin}${delimiter}${PATH}`;
  onTestFinished(() => void Object.assign(process.env, { PATH }));
  await expect(installed(home)).rejects.toThrow("npm could not install it: EINTEGRITY");
  expect(readdirSync(home)).toEqual(["firecrawl-draft-new"]);
});

import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { callTool, json, type Scenario, search as searching, startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { main } from "../src/cli/main.js";
import { fakeIo } from "./cli/fake-io.js";
import { answerOf } from "./support/connect.js";
import { newPlace, processesOf } from "./support/place.js";
import { endServer, startServer } from "./support/stdio-server.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const SENTENCE = "The pump of hall 3 was replaced on 14 March 2025 for 48,200 euros.";
const question = "When was the pump of hall 3 replaced?";

/** A folder of notes, and a model that reads one of them and quotes it. */
async function notes({ web = false } = {}) {
  const place = newPlace();
  const root = join(await realpath(place.home), "my notes");
  await mkdir(root);
  await writeFile(join(root, "hall-3.md"), `# Hall 3\n\n${SENTENCE}\n`);
  await writeFile(join(root, "hall-4.md"), "# Hall 4\n\nNothing happened.\n");
  const url = pathToFileURL(join(root, "hall-3.md")).href;
  const answer = json({
    success: true,
    verified: true,
    report: `It was replaced on 14 March 2025 [1](${url}).`,
    metadata: { sources_visited: [url] },
    claims: [{ text: SENTENCE, sources: [{ url, quote: SENTENCE }], status: "supported" }],
  });
  const read = callTool("mcp_pages_read_page", { url: pathToFileURL(root).href, find: "pump replaced" });
  const scenario: Scenario = (call) =>
    call.kind === "main" ? ((web ? [searching("pump"), read] : [read])[call.turn] ?? answer) : undefined;
  const model = await startModelServer({ scenario });
  onTestFinished(async () => {
    await model.close();
    await expect.poll(() => processesOf(place.home)).toEqual([]);
    place.remove();
  });
  return { place, root, url, env: { ...place.env, ...model.env }, model };
}

const proven = (url: string) => ({
  success: true,
  metadata: { evidence: { proven: 1, claims: [{ proof: "quoted", quotes: [{ url, found: "exact", line: 3 }] }] } },
});

/** The built server with the real CLI, and a client with these folders. */
async function connected(env: Record<string, string>, clientRoots?: string[]) {
  const { line, ...server } = startServer({ ...env, MAX_WAIT_MS: "0" });
  const capabilities = clientRoots === undefined ? {} : { roots: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (clientRoots !== undefined) {
    const roots = clientRoots.map((root) => ({ uri: pathToFileURL(root).href }));
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  }
  await client.connect(line);
  onTestFinished(async () => {
    await endServer(server);
  });
  return client;
}

const asked = async (client: Client, files: string[]) =>
  answerOf(
    await client.callTool({ name: "search", arguments: { query: question, files } }, undefined, { timeout: 300_000 }),
  );

test("a document in a folder of RESEARCH_ROOTS is quoted and proven beside the web; what is outside is refused", async () => {
  const { root, url, env } = await notes({ web: true });
  const client = await connected({ ...env, RESEARCH_ROOTS: root });
  expect(await asked(client, ["*.md"])).toMatchObject(proven(url));
  expect(await asked(client, ["../gemini"])).toMatchObject({ success: false, error: { code: "INVALID_INPUT" } });
});

test("a client's own folders are allowed where it says them, and nothing else", async () => {
  const { place, root, url, env } = await notes({ web: true });
  const client = await connected(env, [root]);
  expect(await asked(client, [join(root, "hall-3.md")])).toMatchObject(proven(url));
  expect(await asked(client, [place.configDir])).toMatchObject({
    success: false,
    error: { code: "INVALID_INPUT", message: expect.stringContaining("is in no folder that may be read") },
  });
});

test.each([
  [[], /no folder may be read here/],
  [["--files"], undefined],
])("over HTTP with %j", async (more, refused) => {
  const { root, url, env } = await notes({ web: true });
  const { child, exited, stderr } = startServer({ ...env, RESEARCH_ROOTS: root }, ["http", "--port", "0", ...more]);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  await expect.poll(stderr, { timeout: 60_000 }).toContain("Listening on ");
  const [, address = ""] = /Listening on (\S+)/.exec(stderr()) ?? [];
  const client = new Client({ name: "test", version: "1" }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(root).href }] }));
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  let answer = await asked(client, ["hall-3.md"]);
  while (answer["status"] === "running") {
    const { job_id } = answer;
    answer = answerOf(await client.callTool({ name: "research_result", arguments: { job_id } }));
  }
  if (refused === undefined) expect(answer).toMatchObject(proven(url));
  else expect(answer).toMatchObject({ error: { code: "INVALID_INPUT", message: expect.stringMatching(refused) } });
  await client.close();
});

test("in the terminal: --dir and --no-web, the document by its name with the line; again without a word of it", async () => {
  const { place, root, url, env, model } = await notes();
  const started = (argv: string[]) => {
    const { io, out, err } = fakeIo({ home: place.home, env });
    return main(argv, io).then((code) => ({ code, out: out(), err: err() }));
  };
  const first = await started(["search", question, "--dir", `${root}/*.md`, "--no-web", "--json"]);
  expect(first).toMatchObject({ code: 0 });
  expect(JSON.parse(first.out)).toMatchObject(proven(url));
  const tools = model.requests.filter(({ kind }) => kind === "main").map(({ tools }) => tools);
  expect(new Set(tools.flat())).toEqual(new Set(["mcp_pages_read_page"]));
  const page = await started(["show", "--last", "--html", "-"]);
  expect(page.out).not.toContain('href="file:');
  expect(page.out).toContain("hall-3.md · line 3");
  const { out: markdown } = await started(["show", "--last"]);
  expect(markdown).toContain(`- \`${url}\` (read and quoted)`);
  expect((await started(["again", "--last", "--json"])).code).toBe(0);
});

test("verify --online reads a document again from the allowed folders alone, and says so of others", async () => {
  const { place, root, url, env } = await notes();
  const run = async (argv: string[], more: Record<string, string> = {}) => {
    const { io, out, err } = fakeIo({ home: place.home, env: { ...env, ...more } });
    return { code: await main(argv, io), out: out(), err: err() };
  };
  expect((await run(["search", question, "--dir", root, "--no-web", "--quiet"])).code).toBe(0);
  expect((await run(["evidence", "--last", "--out", "pump.gz"])).code).toBe(0);
  const file = join(place.home, "pump.gz");
  const outside = await run(["verify", file, "--online"]);
  expect(outside.code).toBe(0);
  expect(outside.out).toContain(`- not looked at, since it is a document of your own: "${SENTENCE}" in ${url}`);
  const online = () => run(["verify", file, "--online"], { RESEARCH_ROOTS: root });
  expect(await online()).toMatchObject({ code: 0, out: expect.stringContaining(`✓ stands at ${url}`) });
  await writeFile(join(root, "hall-3.md"), SENTENCE.replace("2025", "2026"));
  expect(await online()).toMatchObject({ code: 1, out: expect.stringContaining(`✗ changed at ${url}`) });
  await rm(join(root, "hall-3.md"));
  expect(await online()).toMatchObject({
    code: 1,
    out: expect.stringMatching(/✗ gone at .*\(it is not there any more\)/),
  });
});

test("a file without text, named in the terminal: the person is told why nothing was read", async () => {
  const { place, root, env, model } = await notes();
  await writeFile(join(root, "photo.md"), Buffer.from([0xff, 0xd8, 0, 0x10]));
  const { io, err } = fakeIo({ home: place.home, env });
  expect(await main(["search", question, "--file", join(root, "photo.md"), "--no-web"], io)).toBe(2);
  expect(err().replaceAll(/\s+/g, " ")).toContain("photo.md is no text, by what is in it");
  expect(model.requests).toEqual([]);
});

test.each([
  [["--no-web"], "--no-web leaves nothing to research in. Name documents with --file or --dir."],
  [["--file", "nowhere.md"], "nowhere.md cannot be read: it is not there."],
  [["--dir", "nowhere/*.md"], "nowhere cannot be read: it is not there."],
])("bad input in the terminal: %j", async (options, message) => {
  const place = newPlace();
  onTestFinished(place.remove);
  const { io, err } = fakeIo({ home: place.home, env: { ...place.env, GEMINI_CLI_PATH: "/nowhere/gemini" } });
  expect(await main(["search", question, ...options], io)).not.toBe(0);
  expect(err()).toContain(message);
});

import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type ModelServer, research, startModelServer } from "@x/gemini-runner/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LineTransport } from "../src/transports/line-transport.js";
import { answerOf } from "./support/connect.js";
import { newPlace, type Place, processesOf } from "./support/place.js";
import { type Registry, startRegistry } from "./support/registry.js";

const execute = promisify(execFile);
const OURS = ["json-repair", "gemini-runner", "research", "mcp-server"];

let place: Place;
let registry: Registry;
let model: ModelServer;
let env: Record<string, string>;
let project: string;

beforeAll(async () => {
  place = newPlace();
  const packed = join(place.home, "packed");
  project = join(place.home, "project");
  for (const folder of [packed, project]) mkdirSync(folder);
  [registry, model] = await Promise.all([startRegistry(OURS, packed), startModelServer()]);
  writeFileSync(
    join(place.home, ".npmrc"),
    `registry=${registry.url}\naudit=false\nfund=false\nupdate-notifier=false\n`,
  );
  writeFileSync(join(project, "package.json"), "{}");
  env = { ...place.env, ...model.env };
}, 60_000);

afterAll(async () => {
  await Promise.all([registry.close(), model.close()]);
  expect(processesOf(place.home)).toEqual([]);
  place.remove();
});

test("what is published names no workspace and no source", () => {
  expect(registry.packed.map(({ name }) => name)).toEqual(OURS.map((name) => `@x/${name}`));
  for (const manifest of registry.packed) {
    expect(JSON.stringify({ ...manifest, devDependencies: {} })).not.toMatch(/workspace:|catalog:|@x\/source/);
  }
});

test("npx starts the server in an empty home with all it needs, and it searches", async () => {
  model.use(research({ topic: "the harbour of Genoa" }));
  const child = spawn("npx", ["-y", "@x/mcp-server"], { cwd: place.home, env, stdio: ["pipe", "pipe", "ignore"] });
  const invalid: string[] = [];
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new LineTransport(child.stdout, child.stdin, (reason) => invalid.push(reason)));
  const [folder = ""] = readdirSync(join(place.home, ".npm/_npx"));
  const installed = join(place.home, ".npm/_npx", folder);
  const lock = JSON.parse(readFileSync(join(installed, "package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages), "no dependency").toEqual(["", "node_modules/@x/mcp-server"]);
  const server = join(installed, "node_modules/@x/mcp-server");
  expect(readFileSync(join(server, "dist/THIRD-PARTY-NOTICES.txt"), "utf8")).toContain("@modelcontextprotocol/sdk");
  const prompt = join(server, "prompts/search-prompt.md");
  const brought = readFileSync(prompt, "utf8");
  expect(brought).toContain("{{query}}");
  writeFileSync(prompt, `${brought}\nAnswer in rhymes.\n`);
  const result = await client.callTool({ name: "search", arguments: { query: "the harbour of Genoa" } });
  expect(answerOf(result)).toMatchObject({ success: true, result: expect.stringContaining("Draft 1") });
  expect((await model.waitFor("main")).prompt, "the edited prompt").toMatch(
    /harbour of Genoa[\s\S]*Answer in rhymes\./,
  );
  expect(invalid).toEqual([]);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  expect(await exited).toBe(0);
}, 60_000);

test("the other packages can be installed and imported on their own", async () => {
  await execute("npm", ["install", "@x/json-repair", "@x/research", "@x/gemini-runner"], { cwd: project, env });
  const script = `
    const { extractJson } = await import("@x/json-repair");
    const { search } = await import("@x/research");
    const { createGeminiRunner } = await import("@x/gemini-runner");
    const { startModelServer } = await import("@x/gemini-runner/testing");
    console.log(extractJson("{}").ok, [search, createGeminiRunner, startModelServer].every((f) => typeof f === "function"));`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script], { cwd: project, env });
  expect(stdout).toBe("true true\n");
}, 60_000);

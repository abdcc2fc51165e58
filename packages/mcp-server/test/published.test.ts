import { execFile, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type ModelServer, research, startModelServer } from "@x/gemini-runner/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LineTransport } from "../src/line-transport.js";
import { textOf } from "./support/connect.js";
import { newPlace, type Place, plainGemini, processesOf } from "./support/place.js";
import { type Registry, startRegistry } from "./support/registry.js";
import { endServer, startServer } from "./support/stdio-server.js";

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

test("the server brings no dependency, its prompts and the licences of what it contains", async () => {
  await execute("npm", ["install", "@x/mcp-server"], { cwd: project, env });
  const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages)).toEqual(["", "node_modules/@x/mcp-server"]);
  const installed = join(project, "node_modules/@x/mcp-server");
  expect(readdirSync(join(installed, "prompts"))).toContain("search-prompt.md");
  expect(readFileSync(join(installed, "dist/THIRD-PARTY-NOTICES.txt"), "utf8")).toContain("@modelcontextprotocol/sdk");
}, 60_000);

test("the prompts that came along can be edited", async () => {
  const installed = join(project, "node_modules/@x/mcp-server");
  appendFileSync(join(installed, "prompts/search-prompt.md"), "\nAnswer in rhymes.\n");
  const gemini = plainGemini(place, { success: true, report: "Plain.", metadata: {} });
  const server = startServer({ ...env, GEMINI_CLI_PATH: gemini }, [], join(installed, "dist/bin.js"));
  const client = new Client({ name: "test", version: "1" });
  await client.connect(server.line);
  await client.callTool({ name: "search", arguments: { query: "q" } });
  expect(readFileSync(join(place.home, "prompt.txt"), "utf8")).toContain("Answer in rhymes.");
  expect(await endServer(server)).toBe(0);
});

test("npx starts it in an empty home, and it searches", async () => {
  model.use(research({ topic: "the harbour of Genoa" }));
  const child = spawn("npx", ["-y", "@x/mcp-server"], { cwd: place.home, env, stdio: ["pipe", "pipe", "ignore"] });
  const invalid: string[] = [];
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new LineTransport(child.stdout, child.stdin, (reason) => invalid.push(reason)));
  const result = await client.callTool({ name: "search", arguments: { query: "the harbour of Genoa" } });
  expect(textOf(result)).toMatchObject({ success: true, result: expect.stringContaining("Draft 1") });
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

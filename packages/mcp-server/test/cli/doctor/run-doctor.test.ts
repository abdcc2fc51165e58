import { execSync } from "node:child_process";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer, text } from "@x/gemini-runner/testing";
import { expect, test } from "vitest";
import { runDoctor } from "../../../src/cli/doctor/run-doctor.js";
import { startRedis } from "../../support/database-servers.js";
import { onOwnDisk } from "../../support/small-disk.js";
import { inOwnHome } from "../commands.js";
import { fakeIo } from "../fake-io.js";

const place = inOwnHome();

/** A program that doctor takes for the CLI, of a known version. */
async function cli(): Promise<string> {
  const folder = join(place.home, "cli");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "name": "@google/gemini-cli", "version": "0.61.0" }');
  await writeFile(join(folder, "gemini.js"), "#!/usr/bin/env node\n");
  await chmod(join(folder, "gemini.js"), 0o755);
  return join(folder, "gemini.js");
}
async function examined(env: Record<string, string | undefined> = {}, machine = {}) {
  const { io, out } = fakeIo({ home: place.home, env: { GEMINI_CLI_PATH: await cli(), ...env } });
  const code = await runDoctor({ json: true }, io, { nodeVersion: "20.19.0", policyDirs: [], ...machine });
  const { ok, checks } = JSON.parse(out()) as {
    ok: boolean;
    checks: { name: string; status: string; summary: string; fix?: string }[];
  };
  return { code, ok, text: out(), of: (name: string) => checks.filter((check) => check.name === name) };
}

test("all is well", async () => {
  const { code, ok, of, text: shown } = await examined({ GEMINI_API_KEY: "secret-key" });
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  expect(of("Gemini CLI")).toMatchObject([{ status: "ok", summary: expect.stringMatching(/^0\.61\.0 \(/) }]);
  expect(of("Sign-in")).toMatchObject([{ status: "ok", summary: "API key: GEMINI_API_KEY in the environment" }]);
  expect(of("Model")).toMatchObject([{ summary: "chosen by the CLI" }]);
  expect(shown).not.toContain("secret-key");
});

test("every other gemini on PATH is named with its version, and which is used", async () => {
  const folder = join(place.home, "older");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{ "name": "@google/gemini-cli", "version": "0.50.1" }');
  await writeFile(join(folder, "gemini"), "#!/usr/bin/env node\n", { mode: 0o755 });
  const other = join(place.home, "browser");
  await mkdir(other);
  await writeFile(join(other, "gemini"), "#!/bin/sh\n", { mode: 0o755 });
  const env = { GEMINI_API_KEY: "k", PATH: `${folder}:${other}` };
  const { ok, of } = await examined(env);
  expect(ok).toBe(true);
  expect(of("Other CLI")).toEqual([
    {
      name: "Other CLI",
      status: "warning",
      summary: `on PATH, and not used: 0.50.1 (${folder}/gemini), another program (${other}/gemini)`,
      fix: "Runs use the one above, which GEMINI_CLI_PATH names. To choose another: correct GEMINI_CLI_PATH.",
    },
  ]);
  expect((await examined({ ...env, PATH: "" })).of("Other CLI")).toEqual([]);
  const byPath = await examined({ ...env, GEMINI_CLI_PATH: undefined });
  expect(byPath.of("Gemini CLI")).toMatchObject([{ summary: `0.50.1 (${folder}/gemini)` }]);
  expect(byPath.of("Other CLI")).toMatchObject([
    {
      summary: `on PATH, and not used: another program (${other}/gemini)`,
      fix: "Runs use the one above, the first on PATH. To choose another: `x-research config set cliPath PATH`.",
    },
  ]);
  const nowhere = await examined({ ...env, GEMINI_CLI_PATH: "/nowhere/gemini" });
  expect(nowhere.of("Other CLI")).toMatchObject([
    { status: "warning", fix: expect.stringMatching(/^None of them is used\./) },
  ]);
});

test("a program that is not the CLI may need no sign-in", async () => {
  await writeFile(join(place.home, "gemini"), "#!/bin/sh\n", { mode: 0o755 });
  const { code, ok, of } = await examined({ GEMINI_CLI_PATH: join(place.home, "gemini") });
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  expect(of("Sign-in")).toMatchObject([{ status: "warning", fix: expect.stringContaining("may need none") }]);
});

test("for people: a line each, and one at the end", async () => {
  const { out, code } = await place.run(["doctor"], { env: { GEMINI_CLI_PATH: await cli(), GEMINI_API_KEY: "k" } });
  expect(code).toBe(0);
  expect(out).toMatch(/^✓ Node\.js +\d+\.\d+\.\d+\n✓ Gemini CLI +0\.61\.0/);
  expect(out).toMatch(/\nReady\. `x-research doctor --live` also asks the model\.\n$/);
});

test.each<[string, Record<string, string | undefined>, string, string, RegExp, number]>([
  ["no CLI", { GEMINI_CLI_PATH: "/nowhere/gemini" }, "Gemini CLI", "failed", /\/nowhere\/gemini/, 3],
  ["no sign-in", {}, "Sign-in", "failed", /^None/, 4],
  [
    "Vertex AI without a project",
    { GOOGLE_GENAI_USE_VERTEXAI: "true" },
    "Sign-in",
    "failed",
    /GOOGLE_CLOUD_PROJECT/,
    4,
  ],
  [
    "Vertex AI",
    { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "lab" },
    "Sign-in",
    "warning",
    /Vertex AI, project lab/,
    0,
  ],
  ["a wrong setting", { GEMINI_API_KEY: "k", JSON_MAX_RETRIES: "many" }, "Settings", "warning", /JSON_MAX_RETRIES/, 0],
  ["Firecrawl", { GEMINI_API_KEY: "k", FIRECRAWL_API_KEY: "fc" }, "Firecrawl", "ok", /used for/, 0],
  ["a proxy", { GEMINI_API_KEY: "k", HTTPS_PROXY: "http://p:1" }, "Proxy", "warning", /proxy/, 0],
  [
    "no file of tokens",
    { GEMINI_API_KEY: "k", MCP_SERVER_TOKENS: "/nowhere" },
    "Tokens",
    "failed",
    /cannot be read/,
    1,
  ],
  ["no queue", { GEMINI_API_KEY: "k", MCP_SERVER_QUEUE: "redis://127.0.0.1:1" }, "Queue", "failed", /be reached/, 1],
  ["a queue's wrong address", { GEMINI_API_KEY: "k", MCP_SERVER_QUEUE: "db" }, "Queue", "failed", /redis:\/\//, 1],
  ["no prompts", { GEMINI_API_KEY: "k", GEMINI_PROMPTS_DIR: "/nowhere" }, "Prompts", "warning", /\S/, 0],
])("%s", async (_what, env, name, status, summary, code) => {
  const result = await examined(env);
  expect(result.of(name)).toMatchObject([{ status, summary: expect.stringMatching(summary) }]);
  expect(result.code).toBe(code);
  expect(result.ok).toBe(code === 0);
});

test("a server's tokens and its queue are looked at", async () => {
  const [queue, file] = [await startRedis(), join(place.home, "tokens.json")];
  try {
    await writeFile(file, JSON.stringify([{ name: "ada", sha256: "0".repeat(64) }]), { mode: 0o600 });
    const env = { GEMINI_API_KEY: "k", MCP_SERVER_TOKENS: file, MCP_SERVER_QUEUE: queue.url };
    const { ok, of, text: shown } = await examined(env);
    const { host, password } = new URL(queue.url);
    expect(of("Tokens")).toEqual([{ name: "Tokens", status: "ok", summary: `for 1 tenant (${file})` }]);
    expect(of("Queue")).toEqual([{ name: "Queue", status: "ok", summary: `reached (${host})` }]);
    expect(ok).toBe(true);
    expect(shown).not.toContain(password);
  } finally {
    await queue.remove();
  }
});

test("a Google login: works for licences alone since June 2026, and only when somebody is logged in", async () => {
  await mkdir(join(place.home, ".gemini"), { recursive: true });
  await writeFile(
    join(place.home, ".gemini/settings.json"),
    '{ "security": { "auth": { "selectedType": "oauth-personal" } } }',
  );
  expect((await examined()).of("Sign-in")).toMatchObject([
    { status: "failed", summary: expect.stringMatching(/nobody is logged in/) },
  ]);
  await writeFile(join(place.home, ".gemini/oauth_creds.json"), "{}");
  const { code, of } = await examined();
  expect(of("Sign-in")).toMatchObject([{ status: "warning", fix: expect.stringMatching(/18 June 2026/) }]);
  expect(code).toBe(0);
});

test("a key and a proxy that the CLI reads from its own file", async () => {
  await mkdir(join(place.home, ".gemini"), { recursive: true });
  await writeFile(join(place.home, ".gemini/.env"), "GEMINI_API_KEY=secret-key\nHTTPS_PROXY=http://p:1\n");
  await chmod(join(place.home, ".gemini/.env"), 0o600);
  const { of, text: shown } = await examined();
  expect(of("Sign-in")).toMatchObject([
    { status: "ok", summary: `API key: GEMINI_API_KEY in ${place.home}/.gemini/.env` },
  ]);
  expect(of("Proxy")).toMatchObject([{ status: "warning" }]);
  expect((await examined({ GEMINI_API_KEY: "" })).of("Sign-in")).toEqual(of("Sign-in"));
  expect(shown).not.toContain("secret-key");
});

test("an old Node, rules of an administrator", async () => {
  const policies = join(place.home, "policies");
  await mkdir(policies);
  await writeFile(join(policies, "corp.toml"), "");
  const { code, of } = await examined({ GEMINI_API_KEY: "k" }, { nodeVersion: "18.20.0", policyDirs: [policies] });
  expect(of("Node.js")).toMatchObject([{ status: "failed", fix: expect.stringContaining("20.19") }]);
  expect(of("Tool policy")).toMatchObject([{ status: "warning", summary: expect.stringContaining("corp.toml") }]);
  expect(code).toBe(1);
});

test.runIf(process.platform !== "win32")(
  "folders that others may write to stop a server, and are named at once with what mends them",
  async () => {
    const config = join(place.home, ".config/gemini-research");
    await mkdir(join(config, "runs"), { recursive: true });
    await mkdir(join(config, "jobs"));
    for (const folder of [join(config, "runs"), config]) await chmod(folder, 0o777);
    const { code, ok, of } = await examined({ GEMINI_API_KEY: "k" });
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    const [{ fix = "", ...check } = {}] = of("Folder");
    expect(check).toMatchObject({
      status: "failed",
      summary: `What lies in ${config} cannot be trusted: everybody may write to ${config}; everybody may write to ${join(config, "runs")}.`,
    });
    execSync(/chmod go-w .*/.exec(fix)?.[0] ?? "false");
    expect((await examined({ GEMINI_API_KEY: "k" })).of("Folder")).toMatchObject([{ status: "ok" }]);
    await chmod(join(config, "runs"), 0o777);
    expect((await examined({ GEMINI_API_KEY: "k" })).of("Folder")).toMatchObject([{ status: "failed" }]);
  },
);

/** What the built program says when a folder of its config directory is a file system of its own, mounted so. */
async function saidOn(mounted: string, options: string, ...argv: string[]) {
  const config = join(place.home, ".config/gemini-research");
  await mkdir(join(config, "jobs"), { recursive: true, mode: 0o700 });
  const env = { PATH: process.env["PATH"], HOME: place.home, GEMINI_CLI_PATH: await cli(), GEMINI_API_KEY: "k" };
  const ended = await onOwnDisk(join(config, mounted), options, argv, env);
  return ended && { ...ended, config };
}

test.for([
  ["", "size=16k", /: the disk is full$/, /^The disk is full\. Free some space/],
  ["jobs", "size=16k", /\/jobs cannot be used: the disk is full$/, /^The disk is full\. Free some space/],
  ["jobs", "ro", /\/jobs cannot be used: the disk is read-only$/, /^The config directory is read-only\./],
] as const)("research cannot run where nothing can be kept: %j is a disk with %s", async (given, { skip }) => {
  const [folder, options, summary, fix] = given;
  const said = await saidOn(folder, options, "doctor", "--json");
  if (said === undefined) return skip("no file system can be made here");
  const { code, config } = said;
  const { ok, checks } = JSON.parse(said.stdout);
  expect({ ok, code }).toEqual({ ok: false, code: 1 });
  const texts = { summary: expect.stringMatching(summary), fix: expect.stringMatching(fix) };
  expect(checks).toContainEqual(expect.objectContaining({ name: "Folder", status: "failed", ...texts }));
  expect(await readdir(join(config, "jobs"))).toEqual([]);
});

test.each([
  [
    { MCP_SERVER_HOST: "0.0.0.0", MCP_SERVER_TOKEN: "short" },
    "HTTP",
    /has 5 characters: on 0\.0\.0\.0 it needs at least 16/,
  ],
  [{ MCP_SERVER_HOST: "0.0.0.0" }, "HTTP", /set MCP_SERVER_TOKEN or MCP_SERVER_TOKENS/],
  [{ MCP_SERVER_TOKEN: "two words" }, "Settings", /MCP_SERVER_TOKEN holds a blank/],
  [{ MCP_SERVER_TOKEN: "<your token>" }, "Settings", /MCP_SERVER_TOKEN holds a blank/],
  [{ MCP_SERVER_TOKEN: "YOUR_TOKEN" }, "HTTP", /placeholder/],
])("what http would refuse is a warning: %j", async (env, name, summary) => {
  const { code, of } = await examined({ GEMINI_API_KEY: "k", ...env });
  expect(of(name)).toMatchObject([{ status: "warning", summary: expect.stringMatching(summary) }]);
  expect(code).toBe(0);
});

test.each([
  "YOUR_KEY",
  "your-key",
  "<your key>",
  "<the key>",
  `${"$"}{GEMINI_API_KEY}`,
  "$GEMINI_API_KEY",
  "your-api-key",
  "…",
])("%s is no key", async (GEMINI_API_KEY) => {
  const { code, of } = await examined({ GEMINI_API_KEY });
  expect(of("Sign-in")).toMatchObject([
    { status: "failed", summary: expect.stringMatching(/^GEMINI_API_KEY is the placeholder/) },
  ]);
  expect(code).toBe(4);
});

test("a wrong path names the file that says it", async () => {
  const config = join(place.home, ".config/gemini-research");
  await mkdir(config, { recursive: true });
  await writeFile(join(config, "config.json"), '{ "cliPath": "/nowhere/gemini" }');
  const ofFile = await examined({ GEMINI_CLI_PATH: undefined });
  expect(ofFile.of("Gemini CLI")).toMatchObject([
    {
      summary: expect.stringContaining("/nowhere/gemini"),
      fix: expect.stringContaining(`cliPath in ${config}/config.json`),
    },
  ]);
  expect(ofFile.of("Gemini CLI")[0]?.fix).toMatch(/config unset cliPath.*npm install -g/);
  expect(ofFile.of("Gemini CLI")[0]?.fix).not.toContain("GEMINI_CLI_PATH");
  const ofVariable = await examined({ GEMINI_CLI_PATH: "/nowhere/else" });
  expect(ofVariable.of("Gemini CLI")[0]?.fix).toMatch(/^The path comes from GEMINI_CLI_PATH: correct it, or unset it/);
});

test.each([
  [{ GEMINI_SEARCH_TIMEOUT: "300" }, /^GEMINI_SEARCH_TIMEOUT is 300: .* after 300 ms/, /300000 are 5 min/],
  [{ MAX_WAIT_MS: "280" }, /^MAX_WAIT_MS is 280: .* after 280 ms/, /280000 are 4 min 40 s/],
])("milliseconds that were meant as seconds are a warning: %j", async (env, summary, fix) => {
  const { code, of } = await examined({ GEMINI_API_KEY: "k", ...env });
  const texts = { summary: expect.stringMatching(summary), fix: expect.stringMatching(fix) };
  expect(of("Time limit")).toMatchObject([{ status: "warning", ...texts }]);
  expect(code).toBe(0);
});

test("limits that a research can keep, and none, are no warning", async () => {
  const fine = await examined({ GEMINI_API_KEY: "k", GEMINI_SEARCH_TIMEOUT: "10000", MAX_WAIT_MS: "0" });
  expect(fine.of("Time limit")).toEqual([]);
});

test("tools that are hidden are told, and by what", async () => {
  const { of } = await examined({ GEMINI_API_KEY: "k", MCP_SERVER_TOOLS: "search,research_result" });
  expect(of("Tools")).toMatchObject([
    { status: "ok", summary: "clients see search, research_result alone (MCP_SERVER_TOOLS)" },
  ]);
  expect((await examined({ GEMINI_API_KEY: "k" })).of("Tools")).toEqual([]);
});

test.each([
  ["the doctor's own", {}, "unknown", /slow at this moment\. A research waits up to 5 min/],
  [
    "a setting's",
    { GEMINI_SEARCH_TIMEOUT: "250" },
    "failed",
    /^That is all that GEMINI_SEARCH_TIMEOUT allows: raise it/,
  ],
])("a live answer that is late says whose limit that was: %s", async (_, env, status, fix) => {
  const GEMINI_CLI_PATH = join(place.home, "gemini");
  await writeFile(GEMINI_CLI_PATH, "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  const { io, out } = fakeIo({ home: place.home, env: { GEMINI_CLI_PATH, GEMINI_API_KEY: "k", ...env } });
  const machine = { nodeVersion: "20.19.0", policyDirs: [], liveLimitMs: 300 };
  const code = await runDoctor({ json: true, live: true }, io, machine);
  const [late] = JSON.parse(out()).checks.filter(({ name }: { name: string }) => name === "Live answer");
  expect(late).toMatchObject({ status, fix: expect.stringMatching(fix) });
  expect(late.summary).toMatch(/^no answer within (?:300|250) ms$/);
  expect(late.fix).not.toContain("narrower");
  expect(JSON.parse(out()).ok).toBe(false);
  expect(code).toBe(1);
  // A person reads no more into it than is known.
  const person = fakeIo({ home: place.home, env: { GEMINI_CLI_PATH, GEMINI_API_KEY: "k", ...env } });
  await runDoctor({ live: true }, person.io, machine);
  expect(person.out().includes("Research cannot run yet.")).toBe(status === "failed");
  expect(person.out().includes("? Live answer")).toBe(status === "unknown");
});

test("--live asks the model one short question", async () => {
  const model = await startModelServer({ scenario: (call) => (call.kind === "main" ? text("ready") : undefined) });
  try {
    const GEMINI_CLI_PATH = new URL("../../../node_modules/@google/gemini-cli/bundle/gemini.js", import.meta.url)
      .pathname;
    const { code, out } = await place.run(["doctor", "--live"], { env: { ...model.env, GEMINI_CLI_PATH } });
    expect(out).toMatch(/✓ Live answer +gemini-\S+ answered in /);
    expect(code).toBe(0);
    expect(model.requests.filter((call) => call.kind === "main")).toHaveLength(1);
  } finally {
    await model.close();
  }
});

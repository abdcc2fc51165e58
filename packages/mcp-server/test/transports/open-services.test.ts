import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Access } from "../../src/access/access.js";
import { addToken } from "../../src/access/token-edits.js";
import { parseConfig } from "../../src/host/config.js";
import { PERSON } from "../../src/jobs/job-record.js";
import type { Page, Viewer } from "../../src/queue/pages.js";
import { openServices } from "../../src/transports/open-services.js";
import { ENGINES } from "../queue/engines.js";
import { accessBy } from "../support/access.js";
import { newPlace, plainGemini } from "../support/place.js";

/** A page of a server, served to somebody; gives the way to ask for it. */
async function served(page: Page | undefined, viewer: Viewer): Promise<() => Promise<string>> {
  const server = createServer((request, response) => void page?.(request, response, viewer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close());
  return async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
}

/** A server over HTTP. */
async function servicesWith(more: Record<string, string>, access?: Pick<Access, "problem">) {
  const place = newPlace();
  onTestFinished(() => place.remove());
  const host = { platform: process.platform, homeDir: place.home, cwd: place.home, pid: process.pid };
  const env = {
    GEMINI_CLI_PATH: plainGemini(place, { success: true, report: "Blue." }),
    GEMINI_SEARCH_CONFIG_DIR: `${place.home}/config`,
    PATH: process.env["PATH"],
    ...more,
  };
  const { config } = parseConfig(env, host);
  const result = await openServices({ config, log: () => {}, io: { env, host }, ...(access && { access }) });
  if (!result.ok) throw new Error(result.problem);
  const { services } = result;
  onTestFinished(() => services.close());
  return result;
}

/** The same; gives the way to ask it something. */
async function opened(more: Record<string, string>) {
  const { services } = await servicesWith(more);
  return async (query: string) => (await services.jobs.of(PERSON).start("search", { query })).job;
}

test("researches begun in a minute are limited without a queue, too", async () => {
  const ask = await opened({ MCP_SERVER_KEY_PER_MINUTE: "1" });
  const first = await ask("why");
  await first.ended();
  expect(first.record.state).toBe("completed");
  const second = await ask("how");
  await Promise.race([second.ended(), pause(1_000)]);
  expect(second.record).toMatchObject({ state: "running", activity: { now: "waiting for its turn" } });
});

test("and not where nothing is said, by one person", async () => {
  const ask = await opened({});
  for (const query of ["why", "how"]) {
    const job = await ask(query);
    await job.ended();
    expect(job.record.state).toBe("completed");
  }
});

test("its numbers tell who waits and runs, and what came of the researches of each", async () => {
  const { services, pages } = await servicesWith({});
  const numbers = await served(pages["/metrics"], { all: true });
  const { job } = await services.jobs.of("tenant:ann").start("search", { query: "why" });
  await job.ended();
  expect(job.record.state).toBe("completed");
  const text = await numbers();
  expect(text).toContain('mcp_server_researches_total{tool="search",outcome="ok",tenant="tenant:ann"} 1\n');
  expect(text).toContain("mcp_server_cli_runs_total 1\n");
  expect(text).toContain("# TYPE mcp_server_jobs gauge\n");
});

/** A program that says it is the Gemini CLI of this version. */
function geminiOf(version: string): string {
  const place = newPlace();
  onTestFinished(() => place.remove());
  writeFileSync(join(place.home, "package.json"), JSON.stringify({ name: "@google/gemini-cli", version }));
  writeFileSync(join(place.home, "gemini.js"), "");
  return join(place.home, "gemini.js");
}

test.each<[string, () => string, string]>([
  ["not there", () => "/srv/tools/gemini", "The Gemini CLI was not found"],
  ["too old", () => geminiOf("0.1.0"), "The Gemini CLI is too old"],
  ["not signed in", () => geminiOf("99.0.0"), "The Gemini CLI is not signed in"],
])("a stranger who asks whether it can work does not learn where its CLI is: %s", async (_, made, short) => {
  const file = made();
  const { pages } = await servicesWith({ GEMINI_CLI_PATH: file });
  const ask = await served(pages["/ready"], { all: false });
  expect(JSON.parse(await ask())).toEqual({ status: "not ready", problems: [short] });
  const watch = await served(pages["/ready"], { all: true });
  if (!short.includes("signed")) expect(await watch()).toContain(file);
});

test("it is not ready while nobody can come in, and says so", async () => {
  const place = newPlace();
  onTestFinished(() => place.remove());
  const tokensFile = join(place.home, "tokens.json");
  await addToken(tokensFile, "ann");
  const access = await accessBy({ tokensFile });
  expect(await access.problem()).toBeUndefined();
  chmodSync(tokensFile, 0o666);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 1_001);
  onTestFinished(() => void vi.restoreAllMocks());
  const { pages } = await servicesWith({}, access);
  const short = "Who may come in cannot be found out";
  const problemsFor = async (viewer: Viewer) => JSON.parse(await (await served(pages["/ready"], viewer))()).problems;
  expect(await problemsFor({ all: false })).toEqual([short]);
  expect(await problemsFor({ all: true })).toEqual([expect.stringContaining(`Others may write to ${tokensFile}`)]);
});

/** Makes a store take no more writes, or take them again. */
async function writesOf(url: string): Promise<(areTaken: boolean) => Promise<void>> {
  if (url.startsWith("redis:")) {
    const client = new Redis(url);
    onTestFinished(() => client.disconnect());
    // It holds more than a byte.
    return async (areTaken) => void (await client.config("SET", "maxmemory", areTaken ? "0" : "1"));
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return async (areTaken) => {
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${areTaken ? "off" : "on"}`);
    await client.query("SELECT pg_reload_conf()");
  };
}

test.each(ENGINES)("with %s it is not ready while its queue takes no writes, and is when it does", async (_, start) => {
  const store = await start();
  onTestFinished(() => store.remove());
  const take = await writesOf(store.url);
  const open = async () => {
    const { pages } = await servicesWith({ MCP_SERVER_QUEUE: store.url });
    const [ask, watch] = [await served(pages["/ready"], { all: false }), await served(pages["/ready"], { all: true })];
    return { ask, watch };
  };
  const ready = (is: boolean) => ({ status: is ? "ready" : "not ready" });
  const before = await open();
  await vi.waitFor(async () => expect(JSON.parse(await before.ask())).toEqual(ready(true)), 30_000);
  await take(false);
  await vi.waitFor(async () => expect(JSON.parse(await before.ask())).toMatchObject(ready(false)), 30_000);
  // One that starts meanwhile waits for it.
  for (const { ask, watch } of [before, await open()]) {
    expect(JSON.parse(await ask()).problems).toEqual(["The queue takes no writes"]);
    const reason = /^The queue takes no writes: .*(?:used memory > 'maxmemory'|read-only transaction).* must /;
    expect(JSON.parse(await watch()).problems).toEqual([expect.stringMatching(reason)]);
  }
  await take(true);
  for (const { ask } of [before, await open()]) {
    await vi.waitFor(async () => expect(JSON.parse(await ask())).toEqual(ready(true)), 30_000);
  }
});

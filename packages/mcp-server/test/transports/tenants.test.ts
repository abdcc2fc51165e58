import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallRate, QUESTIONS } from "../../src/access/call-rate.js";
import type { Principal } from "../../src/access/principal.js";
import { addToken, removeTokens } from "../../src/access/token-edits.js";
import { readTokens, type TokenEntry } from "../../src/access/token-file.js";
import { createJobs, type SharedJobs } from "../../src/jobs/jobs.js";
import { createMemoryRates } from "../../src/jobs/rates.js";
import { Metrics } from "../../src/queue/metrics.js";
import type { Page } from "../../src/queue/pages.js";
import { followTenants } from "../../src/transports/follow-tenants.js";
import { HttpServer } from "../../src/transports/http-server.js";
import { SessionMemory } from "../../src/transports/session-memory.js";
import { accessBy } from "../support/access.js";
import { type FakeResearch, fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { processOf } from "../support/process-of.js";

let folder: string;
let research: FakeResearch;
let jobs: SharedJobs;
let server: HttpServer;
let log: string[];
let metrics: Metrics;
let unfollow: () => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tenants-"));
});
afterEach(async () => {
  unfollow();
  vi.restoreAllMocks();
  await jobs.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A server for these tenants; gives a client of each. */
async function serve<Name extends string>(
  tenants: Record<Name, TokenEntry["limits"]>,
  {
    maxSessions = 100,
    maxRunning = 10,
    memory,
    pages,
  }: { maxSessions?: number; maxRunning?: number; memory?: SessionMemory; pages?: Record<string, Page> } = {},
): Promise<Record<Name, Tenant>> {
  const tokensFile = join(folder, "tokens.json");
  const tokens: [string, string][] = [];
  for (const [name, limits] of Object.entries(tenants) as [Name, TokenEntry["limits"]][]) {
    tokens.push([name, await addToken(tokensFile, name, limits)]);
  }
  log = [];
  const write = (level: string, message: string) => void log.push(`${level} ${message}`);
  research = fakeResearch();
  const files = createMemoryFiles();
  jobs = createJobs({ research: async () => research, files, log: write, own: processOf(1), maxRunning });
  const calls = new CallRate(
    createMemoryRates(() => performance.now()),
    QUESTIONS,
  );
  const partsFor = ({ owner, limits }: Principal, session?: string) => ({
    ...{ jobs: jobs.of(owner, session, limits), log: write, waits: { maxWaitMs: 20_000 } },
    countCall: () => calls.take(owner, limits.perMinute),
  });
  const access = await accessBy({ tokensFile }, (line) => log.push(line));
  metrics = new Metrics();
  const options = { access, partsFor, log: write, maxSessions, memory, metrics, ...(pages !== undefined && { pages }) };
  server = new HttpServer({ http: { host: "127.0.0.1", port: 0 }, ...options });
  await server.listen();
  unfollow = followTenants(access, { server, jobs });
  const clients = tokens.map(([name, token]) => [name, new Tenant(server.url(), token)] as const);
  return Object.fromEntries(clients) as Record<Name, Tenant>;
}

interface Sent {
  /** Default: where MCP is. */
  path?: string;
  method?: string;
  session?: string | undefined;
  body?: object;
  headers?: Record<string, string>;
}

/** One who has a token; sees what is answered to the byte. */
class Tenant {
  readonly url: string;
  readonly token: string;
  session: string | undefined;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  async send({ path = "/mcp", method = "POST", session = this.session, body, headers = {} }: Sent) {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${this.token}`,
        ...(session !== undefined && { "mcp-session-id": session }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async open(protocolVersion = "2025-06-18"): Promise<this> {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const body = { jsonrpc: "2.0", id: 0, method: "initialize", params };
    const { status, headers } = await this.send({ session: undefined, body });
    expect(status).toBe(200);
    this.session = headers.get("mcp-session-id") ?? undefined;
    return this;
  }

  async request(method: string, params: object): Promise<string> {
    return (await this.send({ body: { jsonrpc: "2.0", id: 1, method, params } })).text;
  }

  call(name: string, args: object): Promise<string> {
    return this.request("tools/call", { name, arguments: args, _meta: { progressToken: 1 } });
  }

  /** Asks, and has it answered; gives the id of the job. */
  async ask(query: string): Promise<string> {
    const answer = this.call("search", { query });
    await research.hasAsked(research.asked.length + 1);
    research.finish(searchReport(`Secret of ${query}.`));
    return idIn(await answer);
  }
}

function idIn(text: string): string {
  const [id] = /search-[a-z0-9]{10}/.exec(text) ?? [];
  if (id === undefined) throw new Error(`no job: ${text}`);
  return id;
}

const UNKNOWN = "search-0000000000";
const STATELESS = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "resources/read",
};
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Ways to come at what another has made, by its id. */
const WAYS: readonly [string, (who: Tenant, id: string) => Promise<string>][] = [
  ["research_result", (who, job_id) => who.call("research_result", { job_id })],
  ["research_result that does not wait", (who, job_id) => who.call("research_result", { job_id, wait_seconds: 0 })],
  ["a page of it", (who, job_id) => who.call("research_result", { job_id, page: 2 })],
  ["all of it", (who, job_id) => who.call("research_result", { job_id, detail: "full" })],
  ["a follow-up", (who, id) => who.call("search", { query: "and springs?", follow_up_of: id, wait_seconds: 0 })],
  ["research_cancel", (who, job_id) => who.call("research_cancel", { job_id })],
  ["resources/read", (who, id) => who.request("resources/read", { uri: `report://${id}` })],
  [
    "resources/read without a session",
    async (who, id) => {
      const uri = `report://${id}`;
      const body = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri, _meta: META } };
      const { status, text } = await who.send({ session: undefined, headers: { ...STATELESS, "mcp-name": uri }, body });
      return `${status} ${text}`;
    },
  ],
];

describe.each(["completed", "running"])("another's %s research", (state) => {
  test.each(WAYS)("by %s is answered like one that is not there", async (_, attempt) => {
    const { ada, bob } = await serve({ ada: {}, bob: {} });
    await ada.open();
    await bob.open();
    const running = ada.call("search", { query: "tides" });
    await research.hasAsked(1);
    const [job] = await jobs.of("tenant:ada").list(1);
    const id = job?.id ?? "";
    if (state === "completed") {
      research.finish(searchReport("Secret of tides."));
      await running;
    }
    const theirs = await attempt(bob, id);
    expect(theirs.replaceAll(id, UNKNOWN)).toBe(await attempt(bob, UNKNOWN));
    expect(theirs).not.toContain("Secret");
    // It went on, and is whole.
    if (state === "running") research.finish(searchReport("Secret of tides."));
    expect(await running).toContain("Secret of tides.");
    expect(await attempt(ada, id)).not.toBe((await attempt(ada, UNKNOWN)).replaceAll(UNKNOWN, id));
  });
});

test("the list shows one's own, and an equal question is one's own research", async () => {
  const { ada, bob } = await serve({ ada: {}, bob: {} });
  const [adas, bobs] = [await (await ada.open()).ask("tides"), await (await bob.open()).ask("tides")];
  expect(bobs).not.toBe(adas);
  expect(research.asked).toHaveLength(2);
  expect(await ada.request("resources/list", {})).toContain(adas);
  const list = await bob.request("resources/list", {});
  expect([list.includes(bobs), list.includes(adas)]).toEqual([true, false]);
});

test("an equal question of another that still runs is not joined, and tells nothing of how far it is", async () => {
  const { ada, bob } = await serve({ ada: {}, bob: {} });
  await ada.open();
  await bob.open();
  const first = ada.call("search", { query: "tides" });
  await research.hasAsked(1);
  research.tell({ type: "round-start", round: 7, of: 9 } as never);
  const second = bob.call("search", { query: "tides" });
  await research.hasAsked(2);
  research.finish(searchReport("ada's"));
  expect(await first).toContain("ada's");
  research.finish(searchReport("bob's"));
  expect(await second).toContain("bob's");
  expect(await second).not.toContain("7/9");
});

test.each(["POST", "GET", "DELETE"])(
  "%s with another's session is answered like one that is not there",
  async (method) => {
    const { ada, bob } = await serve({ ada: {}, bob: {} });
    await ada.open();
    await bob.open();
    const body = method === "POST" ? { jsonrpc: "2.0", id: 1, method: "tools/list" } : undefined;
    const attempt = async (session: string | undefined) => {
      const { status, text } = await bob.send({ method, session, ...(body && { body }) });
      return { status, text };
    };
    const theirs = await attempt(ada.session);
    expect(theirs).toEqual(await attempt("00000000-0000-4000-8000-000000000000"));
    expect(theirs.status).toBe(404);
    expect(await ada.request("ping", {})).toContain('"result"');
  },
);

test("another's request is not cancelled by its id", async () => {
  const { ada, bob } = await serve({ ada: {}, bob: {} });
  await ada.open();
  await bob.open();
  const call = ada.call("search", { query: "tides" });
  await research.hasAsked(1);
  await bob.send({ body: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } } });
  research.finish(searchReport("Secret."));
  expect(await call).toContain("Secret.");
});

/** Asks without waiting for the answer. */
const begin = (who: Tenant, query: string) => who.call("search", { query, wait_seconds: 0 });

test("researches a minute: the error says whose limit it is and until when, and another goes on", async () => {
  const { ada, bob } = await serve({ ada: { per_minute: 2 }, bob: {} });
  await ada.open();
  await bob.open();
  for (let i = 0; i < 2; i++) expect(await begin(ada, `${i}`)).toContain('"status":"running"');
  const refused = await begin(ada, "3");
  expect(refused).toMatch(
    /"code":"QUOTA_EXCEEDED".*The limit per_minute of this tenant: 2 questions a minute are allowed\. Ask again in .*`x-research token limits`/,
  );
  expect(refused).toMatch(/"scope":"tenant"/);
  // Whoever goes on is refused before anything is done; what ends a call is heard all the same.
  const params = { name: "search", arguments: { query: "4" } };
  const again = await ada.send({ body: { jsonrpc: "2.0", id: 7, method: "tools/call", params } });
  expect(again.status).toBe(429);
  expect(Number(again.headers.get("retry-after"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 61);
  expect(JSON.parse(again.text)).toMatchObject({
    id: 7,
    error: {
      message: expect.stringMatching(
        /^QUOTA_EXCEEDED: The limit per_minute of this tenant: 2 questions a minute are allowed\. Ask again in/,
      ),
    },
  });
  for (const name of ["search", "=?base64?c2VhcmNo?="]) {
    const headers = { ...STATELESS, "mcp-method": "tools/call", "mcp-name": name };
    expect((await ada.send({ session: undefined, headers })).status).toBe(429);
  }
  expect((await ada.send({ body: { jsonrpc: "2.0", id: 9, method: "ping" } })).status).toBe(200);
  for (let i = 0; i < 5; i++) expect(await begin(bob, `${i}`)).toContain('"status":"running"');
});

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** So many requests, some at once; gives their statuses. */
async function pings(who: Tenant, howMany: number): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < howMany) {
    const some = Math.min(50, howMany - statuses.length);
    const answers = await Promise.all(Array.from({ length: some }, () => who.send({ body: PING })));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

test("so many requests a minute, of whatever kind: those after are refused before anything is done, and another goes on", async () => {
  const shown: unknown[] = [];
  const page: Page = async (_, response, { owner }) => {
    shown.push(owner);
    response.end();
  };
  const { ada, bob } = await serve({ ada: { per_minute: 0 }, bob: {} }, { pages: { "/metrics": page } });
  await ada.open();
  expect(new Set(await pings(ada, 510))).toEqual(new Set([200]));
  expect((await ada.send({ path: "/metrics", method: "GET" })).status).toBe(200);
  const refused = await ada.send({ body: PING });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 61);
  expect(refused.text).toMatch(
    /"QUOTA_EXCEEDED: The limit of this tenant: 512 requests a minute are allowed\. Ask again in \d+ s\."/,
  );
  const stateless = { session: undefined, headers: { ...STATELESS, "mcp-method": "tools/list" }, body: {} };
  for (const sent of [stateless, { method: "GET" }, { path: "/metrics", method: "GET" }, { method: "DELETE" }]) {
    expect((await ada.send(sent)).status).toBe(429);
  }
  await bob.open();
  expect(await pings(bob, 1)).toEqual([200]);
  expect((await bob.send({ path: "/metrics", method: "GET" })).status).toBe(200);
  expect(shown).toEqual(["tenant:ada", "tenant:bob"]);
  const line = "warn ada: refused by a limit: 512 requests a minute are allowed";
  expect(log.filter((each) => each.includes("refused"))).toEqual([line]);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 61_001);
  expect(await pings(ada, 1)).toEqual([200]);
});

test("each message of a batch counts, and one of them reads a report at the most", async () => {
  const { ada, bob } = await serve({ ada: {}, bob: {} });
  const old = "2025-03-26";
  await ada.open(old);
  await bob.open(old);
  const batch = (length: number) => Array.from({ length }, (_, id) => ({ ...PING, id }));
  for (let n = 0; n < 5; n++) expect((await ada.send({ body: batch(100) })).status).toBe(200);
  expect((await ada.send({ body: batch(12) })).status).toBe(429);
  const read = (id: number) => ({ jsonrpc: "2.0", id, method: "resources/read", params: { uri: "report://x" } });
  const several = await bob.send({ body: [read(1), PING, read(2)] });
  expect([several.status, several.text]).toEqual([400, expect.stringContaining("send them one by one")]);
  expect((await bob.send({ body: [read(1), PING] })).status).toBe(200);
});

test("who may ask for no more in this minute may wait for what was asked, and cancel it", async () => {
  const { ada } = await serve({ ada: { per_minute: 2 } });
  await ada.open();
  const [one, two] = [idIn(await begin(ada, "1")), idIn(await begin(ada, "2"))];
  for (let i = 0; i < 3; i++) expect(await begin(ada, "3")).toMatch(/QUOTA_EXCEEDED/);
  const waiting = ada.call("research_result", { job_id: one });
  await research.hasAsked(2);
  research.finish(searchReport("The first answer."));
  expect(await waiting).toContain("The first answer.");
  expect(await ada.call("research_cancel", { job_id: two })).toContain('"status":"cancelled"');
  for (let i = 0; i < 5; i++) expect(await ada.call("research_result", { job_id: one })).toContain("The first answer.");
  const name = "research_result";
  const params = { name, arguments: { job_id: one }, _meta: META };
  const headers = { ...STATELESS, "mcp-method": "tools/call", "mcp-name": name };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  expect((await ada.send({ session: undefined, headers, body })).text).toContain("The first answer.");
});

test("the log names the tenant and the limit that refuses, once a minute, without the question", async () => {
  const { ada } = await serve({ ada: { per_minute: 2, running: 1, queued: 0 } });
  await ada.open();
  for (let i = 0; i < 9; i++) await begin(ada, `secret ${i}`);
  expect(log.filter((line) => line.includes("refused"))).toEqual([
    "warn ada: refused by running and queued: 1 research may run and 0 researches may wait",
    "warn ada: refused by per_minute: 2 questions a minute are allowed",
  ]);
  expect(log.join()).not.toContain("secret");
});

test("refusals are counted by code, limit and tenant, and a tenant sees the tenant's own", async () => {
  const { ada, bob } = await serve({ ada: { per_minute: 2, running: 1, queued: 0 }, bob: {} });
  await ada.open();
  await bob.open();
  for (let i = 0; i < 5; i++) await begin(ada, `${i}`);
  await bob.call("search", { query: "" });
  await bob.call("search", { question: "?" });
  const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("mcp_server_refused_total{"));
  const adas = [
    'mcp_server_refused_total{code="QUOTA_EXCEEDED",limit="running queued",tenant="tenant:ada"} 1',
    'mcp_server_refused_total{code="QUOTA_EXCEEDED",limit="per_minute",tenant="tenant:ada"} 3',
  ];
  const bobs = ['mcp_server_refused_total{code="INVALID_INPUT",limit="",tenant="tenant:bob"} 2'];
  expect(lines(metrics.text())).toEqual([...adas, ...bobs]);
  expect(lines(metrics.text(undefined, "tenant:bob"))).toEqual(bobs);
});

test("who is no tenant any more hears nothing more, and nothing more is begun until the tenant is back", async () => {
  const { ada, bob } = await serve({ ada: { running: 1 }, bob: {} });
  await ada.open();
  await bob.open();
  const first = idIn(await begin(ada, "first"));
  const second = idIn(await begin(ada, "second"));
  const waiting = ada.call("research_result", { job_id: first }).then(
    (text) => text,
    () => "broken off",
  );
  await research.hasAsked(1);
  const tokensFile = join(folder, "tokens.json");
  const before = await readTokens(tokensFile);
  await removeTokens(tokensFile, "ada");
  expect(await waiting).not.toContain('"result"');
  expect((await ada.send({ body: { jsonrpc: "2.0", id: 1, method: "ping" } })).status).toBe(401);
  // What ran ends by itself.
  research.finish(searchReport("too late"));
  await vi.waitFor(async () => expect((await jobs.of("tenant:ada").look(first))?.state).toBe("completed"));
  await bob.ask("of another");
  expect(research.asked).toHaveLength(2);
  writeFileSync(tokensFile, JSON.stringify(before));
  await research.hasAsked(3);
  research.finish(searchReport("after all"));
  await vi.waitFor(async () => expect((await jobs.of("tenant:ada").look(second))?.state).toBe("completed"));
});

test("a limit that is lowered holds in the session that is open", async () => {
  const { ada } = await serve({ ada: {} });
  await ada.open();
  await ada.request("ping", {});
  const tokensFile = join(folder, "tokens.json");
  const [entry] = await readTokens(tokensFile);
  writeFileSync(tokensFile, JSON.stringify([{ ...entry, limits: { per_minute: 1, running: 0 } }]));
  // As if a second had gone by.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 1_001);
  expect(await ada.call("search", { query: "tides", wait_seconds: 0 })).toMatch(/no research may be asked for/);
  expect(await ada.call("search", { query: "tides", wait_seconds: 0 })).toMatch(/1 question a minute is allowed/);
  // And one that is taken away refuses nobody any more.
  writeFileSync(tokensFile, JSON.stringify([{ name: entry?.name, sha256: entry?.sha256 }]));
  vi.mocked(performance.now).mockImplementation(() => now() + 2_002);
  expect(await begin(ada, "tides")).toContain('"status":"running"');
});

test("researches that run and wait: one more is refused, and another's are begun", async () => {
  const { ada, bob } = await serve({ ada: { running: 1, queued: 1 }, bob: {} });
  await ada.open();
  await bob.open();
  expect(await begin(ada, "1")).toContain('"status":"running"');
  expect(await begin(ada, "2")).toContain('"status":"running"');
  const refused = await begin(ada, "3");
  expect(refused).toMatch(/QUOTA_EXCEEDED.*1 research may run and 1 research may wait/);
  // Until when, and nobody knows how long that is.
  expect(refused).toContain("Ask again when one of its researches has ended.");
  expect(refused).not.toMatch(/retry_after_ms|do not retry/);
  expect(refused).toMatch(/"scope":"tenant"/);
  await begin(bob, "4");
  await research.hasAsked(2);
  expect(research.asked.map(({ request }) => request["query"])).toEqual(["1", "4"]);
});

test("one tenant takes a quarter of the sessions; another comes in", async () => {
  const { ada, bob } = await serve({ ada: {}, bob: {} }, { maxSessions: 4 });
  await ada.open();
  const call = ada.call("search", { query: "tides" });
  await research.hasAsked(1);
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const body = { jsonrpc: "2.0", id: 0, method: "initialize", params };
  const second = new Tenant(ada.url, ada.token);
  const { status, headers } = await second.send({ body });
  expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  await bob.open();
  research.finish();
  await call;
});

test("one tenant greets so often a minute where each greeting is kept for other fronts; another comes in", async () => {
  const kept: string[] = [];
  const texts = { remember: async (name: string) => void kept.push(name), recall: async () => undefined };
  const { ada, bob } = await serve({ ada: {}, bob: {} }, { maxSessions: 4, memory: new SessionMemory(texts) });
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const greet = () => ada.send({ session: undefined, body: { jsonrpc: "2.0", id: 5, method: "initialize", params } });
  expect([(await greet()).status, (await greet()).status]).toEqual([200, 200]);
  const refused = await greet();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 61);
  expect(JSON.parse(refused.text)).toMatchObject({
    id: 5,
    error: { message: expect.stringMatching(/2 new sessions a minute/) },
  });
  expect(kept).toHaveLength(2);
  await bob.open();
});

test("the log names the tenant, and neither token nor question", async () => {
  const { ada } = await serve({ ada: {} });
  await ada.open();
  const call = ada.call("search", { query: "tides of the moon" });
  await research.hasAsked(1);
  // A research says what it is about, and a CLI that fails what it was asked.
  research.tell({ type: "log", level: "warn", message: 'Starting research on: "tides of the moon"' });
  research.fail(new Error("The CLI failed: cannot answer tides of the moon"));
  expect(await call).toContain("cannot answer tides of the moon");
  expect(log).toContain('debug ada: Starting research on: "tides of the moon"');
  expect(log).toContain("error ada: search failed: EXECUTION_ERROR");
  const shown = log.filter((line) => !line.startsWith("debug "));
  expect(shown.filter((line) => line.includes("ada: "))).toHaveLength(2);
  expect(shown.join()).not.toMatch(/tides|xr_/);
  expect(log.join()).not.toMatch(/xr_/);
});

import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { type ClientRequest, request as httpRequest } from "node:http";
import { connect as connectTo } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, describe, expect, test } from "vitest";
import type { Principal } from "../../src/access/principal.js";
import { PERSON } from "../../src/jobs/job-record.js";
import { createJobs } from "../../src/jobs/jobs.js";
import { type HttpOptions, HttpServer } from "../../src/transports/http-server.js";
import { accessBy } from "../support/access.js";
import { answerOf } from "../support/connect.js";
import { type FakeResearch, fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { newPlace, plainGemini, processesOf } from "../support/place.js";
import { processOf } from "../support/process-of.js";
import { startServer } from "../support/stdio-server.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(
  options: Partial<Omit<HttpOptions, "http">> & { token?: string; host?: string; maxRunning?: number } = {},
) {
  const { token, host = "127.0.0.1", maxRunning = 50, ...rest } = options;
  const research = fakeResearch();
  const log: string[] = [];
  const write = (level: string, message: string) => void log.push(`${level} ${message}`);
  const files = createMemoryFiles();
  const all = { research: async () => research, files, log: write, own: processOf(1), maxRunning, closedMs: 50 };
  const jobs = createJobs(all);
  const partsFor = ({ owner, limits }: Principal, session?: string) => ({
    jobs: jobs.of(owner, session, limits),
    log: write,
  });
  const access = await accessBy({ token });
  const server = new HttpServer({ http: { host, port: 0 }, access, partsFor, log: write, ...rest });
  await server.listen();
  closing.push(async () => {
    await jobs.close();
    await server.close();
  });
  return { research, jobs: jobs.of(PERSON), url: server.url(), log, sessions: () => server.sessionCount };
}

async function connect(url: string, token?: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }) as Transport,
  );
  closing.push(() => client.close());
  return client;
}

async function ask(client: Client, research: FakeResearch, query: string) {
  const call = client.callTool({ name: "search", arguments: { query } });
  await research.hasAsked(research.asked.length + 1);
  research.finish();
  return answerOf(await call);
}

/** A first request. */
const greeting = (protocolVersion: string) => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } },
  }),
});
const initialize = greeting("2025-06-18");

/** A request of the revision without sessions. */
function stateless(url: string, method: string, uri: string) {
  const request = httpRequest(new URL("/mcp", url), {
    method: "POST",
    headers: {
      ...initialize.headers,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": uri,
    },
  });
  const meta = "io.modelcontextprotocol/";
  const _meta = { [`${meta}protocolVersion`]: "2026-07-28", [`${meta}clientCapabilities`]: {} };
  return request.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { uri, _meta } }));
}

async function statusIn(request: ClientRequest): Promise<number | undefined> {
  const [response] = await once(request, "response");
  response.resume();
  return response.statusCode;
}

/** A request whose Host header the test chooses, which `fetch` does not allow. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const request = httpRequest(new URL("/mcp", url), { method: "POST", headers: { ...initialize.headers, ...headers } });
  return statusIn(request.end(initialize.body));
}

test("clients have sessions of their own and share the jobs", async () => {
  const { research, url } = await listen();
  const one = await connect(url);
  const two = await connect(url);
  const answer = await ask(one, research, "a");
  const { job_id } = answer;
  expect(answerOf(await two.callTool({ name: "research_result", arguments: { job_id } }))).toEqual(answer);
});

test("progress arrives before the answer", async () => {
  const { research, url } = await listen();
  const client = await connect(url);
  const heard: string[] = [];
  const call = client.callTool({ name: "search", arguments: { query: "a" } }, undefined, {
    onprogress: ({ message }) => heard.push(message ?? ""),
  });
  await research.hasAsked(1);
  await expect.poll(() => heard.length).toBe(1);
  research.finish();
  expect(answerOf(await call)).toMatchObject({ success: true });
});

test("a call that its client cancels gives its connection back, and those beside it are answered", async () => {
  const { research, url } = await listen();
  // Of a revision that sends several messages in one body.
  const opened = await fetch(new URL("/mcp", url), greeting("2025-03-26"));
  await opened.text();
  const post = (messages: object) => {
    const headers = { ...initialize.headers, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    return fetch(new URL("/mcp", url), { method: "POST", headers, body: JSON.stringify(messages) });
  };
  const search = (id: number, query: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "search", arguments: { query } },
  });
  const cancel = (requestId: number, more: object = {}) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, ...more },
  });
  const alone = await post(search(2, "alone"));
  const both = await post([search(3, "given up"), search(4, "answered")]);
  await research.hasAsked(3);
  await post(cancel(2));
  expect(await alone.text()).toContain('"id":2,"error":{"code":-32800,"message":"Request cancelled"}');
  await post(cancel(3));
  await expect.poll(() => research.running).toBe(1);
  research.finish();
  expect(await both.text()).toMatch(/"id":3,"error".*"result".*"id":4/s);
  const last = await post(search(5, "goes on"));
  await research.hasAsked(4);
  // Too late, never asked, and no notification: none of them ends anything.
  for (const message of [cancel(2), cancel(99), cancel(5, { reason: null })]) {
    expect((await post(message)).status).toBe(202);
  }
  research.finish();
  expect(await last.text()).toMatch(/"result".*"id":5/s);
});

test("a session that ends takes the work along that nobody else waits for", async () => {
  const { research, url, jobs } = await listen();
  const [one, two] = [await connect(url), await connect(url)];
  const alone = one.callTool({ name: "search", arguments: { query: "alone" } });
  const joined = [one, two].map(
    (client) =>
      new Promise<void>((resolve) => {
        const options = { onprogress: () => resolve() };
        client.callTool({ name: "deep_search", arguments: { query: "shared" } }, undefined, options).catch(() => {});
      }),
  );
  alone.catch(() => {});
  await Promise.all([research.hasAsked(2), ...joined]);
  await (one.transport as StreamableHTTPClientTransport).terminateSession();
  const states = async () => (await jobs.list(9)).map(({ tool, state }) => [tool, state]);
  await expect.poll(states).toContainEqual(["search", "cancelled"]);
  expect(await states()).toContainEqual(["deep_search", "running"]);
});

test("GET /health says that it lives, and more to those alone who have the token", async () => {
  for (const token of [undefined, "right"]) {
    const { url } = await listen(token === undefined ? {} : { token });
    expect(await (await fetch(new URL("/health", url))).json()).toEqual({ status: "ok" });
  }
  const { url } = await listen({ token: "right" });
  const headers = { authorization: "Bearer right" };
  const known = await fetch(new URL("/health", url), { headers });
  expect(await known.json()).toEqual({ status: "ok", version: expect.any(String), sessions: 0 });
  expect((await fetch(new URL("/other", url))).status).toBe(404);
});

test("where the audience is no URL, a client is told the host and the port that it asked at", async () => {
  const oauth = { issuer: "https://id.invalid", audience: "research" };
  const { url } = await listen({ access: await accessBy({ oauth }) });
  const refused = await fetch(new URL("/mcp", url), initialize);
  const [, at = ""] = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
  expect([refused.status, at]).toEqual([401, `${url}/.well-known/oauth-protected-resource/mcp`]);
  expect(await (await fetch(at)).json()).toMatchObject({ resource: "research" });
});

test("a batch is refused, unless the client's revision has them", async () => {
  const { url } = await listen();
  const opened = await fetch(new URL("/mcp", url), initialize);
  await opened.text();
  const headers = { ...initialize.headers, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const body = JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
  const response = await fetch(new URL("/mcp", url), { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    id: null,
    error: { code: -32_600, message: expect.stringContaining("batch") },
  });
});

test("a key that JSON-RPC does not know is passed over, and the request is answered", async () => {
  const { url } = await listen();
  const opened = await fetch(new URL("/mcp", url), initialize);
  await opened.text();
  const headers = { ...initialize.headers, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping", extra: 1 });
  const response = await fetch(new URL("/mcp", url), { method: "POST", headers, body });
  expect(await response.text()).toContain('"result":{},"jsonrpc":"2.0","id":7');
});

test("a target that is no path is not found", async () => {
  const { url } = await listen();
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path: "//", method: "POST" });
  expect(await statusIn(request.end())).toBe(404);
});

describe("who may ask", () => {
  test.each([
    ["a foreign Host", { host: "evil.example" }, 403],
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["an Origin that is none", { origin: "null" }, 403],
    ["a local Origin", { origin: "http://localhost:5173" }, 200],
    ["no Origin", {}, 200],
  ])("%s: %j → %i", async (_, headers, status) => {
    const { url } = await listen();
    expect(await statusOf(url, headers as Record<string, string>)).toBe(status);
  });

  test("the log names each refused Host and Origin once, and not ever more of them", async () => {
    const { url, log } = await listen();
    for (const host of ["proxy.example", "proxy.example", "tab\tbed.example"]) await statusOf(url, { host });
    await statusOf(url, { origin: "https://page.example" });
    expect(log).toEqual([
      "warn HTTP: refused a request. Host is not allowed: proxy.example.",
      "warn HTTP: refused a request. Host is not allowed: tab bed.example.",
      "warn HTTP: refused a request. Origin is not allowed: https://page.example.",
    ]);
    for (let i = 0; i < 40; i++) await statusOf(url, { host: `h${i}.example` });
    expect(log).toHaveLength(20);
    expect(log.at(-1)).toMatch(/Others are not told of any more\.$/);
  });

  test("with a token nobody without it", async () => {
    const { research, url } = await listen({ token: "right" });
    for (const authorization of [undefined, "Bearer wrong", "right", "Bearer right2"]) {
      const headers = { ...initialize.headers, ...(authorization && { authorization }) };
      const response = await fetch(new URL("/mcp", url), { ...initialize, headers });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(await ask(await connect(url, "right"), research, "a")).toMatchObject({ success: true });
  });

  test("an unknown session is not found, and none is needed for a new one alone", async () => {
    const { url } = await listen();
    const headers = { ...initialize.headers, "mcp-session-id": "unknown" };
    expect((await fetch(new URL("/mcp", url), { ...initialize, headers })).status).toBe(404);
    expect((await fetch(new URL("/mcp", url), { headers: initialize.headers })).status).toBe(400);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect((await fetch(new URL("/mcp", url), { ...initialize, body })).status).toBe(400);
  });
});

describe("limits", () => {
  test("a large body is refused", async () => {
    const { url } = await listen();
    const body = `"${"x".repeat(5 * 1024 * 1024)}"`;
    expect((await fetch(new URL("/mcp", url), { ...initialize, body })).status).toBe(413);
  });

  test("too many sessions are refused until one ends", async () => {
    const { url } = await listen({ maxSessions: 1 });
    const first = await connect(url);
    expect((await fetch(new URL("/mcp", url), initialize)).status).toBe(503);
    await (first.transport as StreamableHTTPClientTransport).terminateSession();
    expect((await fetch(new URL("/mcp", url), initialize)).status).toBe(200);
  });

  test("a session that nobody uses yields to a newcomer, one with an open stream does not", async () => {
    const { url, sessions } = await listen({ maxSessions: 2 });
    const first = await fetch(new URL("/mcp", url), initialize);
    await first.text();
    const client = await connect(url);
    const newcomer = await fetch(new URL("/mcp", url), initialize);
    expect(newcomer.status).toBe(200);
    await newcomer.text();
    expect(sessions()).toBe(2);
    const headers = { ...initialize.headers, "mcp-session-id": first.headers.get("mcp-session-id") ?? "" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
    expect((await fetch(new URL("/mcp", url), { method: "POST", headers, body })).status).toBe(404);
    await client.ping();
  });

  test("a client that does not read its answer loses its connection, one that waits for it does not", async () => {
    const { research, url, jobs } = await listen({ maxSessions: 1, stalledMs: 1_500 });
    const { job: long } = await jobs.start("search", { query: "long" });
    await research.hasAsked(1);
    research.finish(searchReport("x".repeat(16 * 2 ** 20)));
    await long.ended();
    const client = await connect(url);
    const silent = client.callTool({ name: "search", arguments: { query: "silent" } });
    await research.hasAsked(2);

    const uri = `report://${long.record.id}`;
    const unread = stateless(url, "resources/read", uri);
    const [answer] = await once(unread, "response");
    await expect.poll(() => statusIn(stateless(url, "resources/read", "report://x"))).toBe(200);
    await expect(text(answer)).rejects.toThrow("aborted");
    research.finish();
    expect(answerOf(await silent)).toMatchObject({ success: true });
  });

  test("a request behind another one on its connection is refused, and nothing of it stays", async () => {
    const { url, sessions } = await listen({ maxSessions: 1 });
    const { hostname, port } = new URL(url);
    const socket = connectTo({ host: hostname, port: Number(port) });
    const headers = Object.entries(initialize.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const start = `POST /mcp HTTP/1.1\r\nhost: ${hostname}\r\n${headers.join("")}`;
    const one = `${start}content-length: ${initialize.body.length}\r\n\r\n${initialize.body}`;
    socket.end(one + one);
    const answers = await text(socket);
    expect(answers.match(/^HTTP.*$/gm)).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request"]);
    expect(sessions()).toBe(1);
  });

  test("a session without a request ends after its time", async () => {
    const { url, sessions } = await listen({ idleSessionMs: 20 });
    const response = await fetch(new URL("/mcp", url), initialize);
    await response.text();
    await expect.poll(sessions).toBe(0);
  });
});

/** The last line of a server that does not start. */
const MORE = /^\[ERROR\] More: https:\S+\/docs\/troubleshooting\.md#http-or-worker-does-not-start\n$/m;

describe("the built server", () => {
  test("answers twenty clients at once and ends on SIGTERM", async () => {
    const place = newPlace();
    const gemini = plainGemini(place, { success: true, report: "Plain.", metadata: {} });
    const server = startServer({ ...place.env, GEMINI_CLI_PATH: gemini, MCP_SERVER_PORT: "0" }, ["http"]);
    await expect.poll(() => server.stderr()).toContain("Listening on");
    const url = /Listening on (http:\S+)\/mcp/.exec(server.stderr())?.[1] as string;
    const clients = await Promise.all(Array.from({ length: 20 }, () => connect(url)));
    const answers = await Promise.all(
      clients.map((client, n) => client.callTool({ name: "search", arguments: { query: `q${n}` } })),
    );
    expect(answers.map(answerOf).every((answer) => answer["success"] === true)).toBe(true);
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    await expect.poll(() => processesOf(place.home)).toEqual([]);
    place.remove();
  });

  test.each([
    [{ MCP_SERVER_HOST: "0.0.0.0" }, 1, /set MCP_SERVER_TOKEN/],
    [{ MCP_SERVER_HOST: "0.0.0.0", MCP_SERVER_TOKEN: "fifteen letters".replace(" ", "-") }, 1, /at least 16/],
    [{ MCP_SERVER_TOKEN: "  " }, 1, /MCP_SERVER_TOKEN is set, but holds no token/],
    [{ MCP_SERVER_TOKEN: "$".concat("{user_config.token}") }, 1, /MCP_SERVER_TOKEN is set, but holds no token/],
    [{ MCP_SERVER_TOKEN: "two words" }, 1, /MCP_SERVER_TOKEN holds a blank/],
    [{ MCP_SERVER_TOKENS: "/nowhere/tokens.json" }, 1, /The tokens in .* cannot be read/],
    [{ MCP_SERVER_OAUTH_ISSUER: "https://id.example" }, 1, /without MCP_SERVER_OAUTH_AUDIENCE/],
    [
      { MCP_SERVER_HOST: "203.0.113.1", MCP_SERVER_TOKEN: "t".repeat(16) },
      1,
      /Cannot listen on .*choose one that it has \(--host or MCP_SERVER_HOST\)/,
    ],
  ])("refuses %j with exit code %i", async (env, code, message) => {
    const place = newPlace();
    const server = startServer({ ...place.env, ...env } as Record<string, string>, ["http"]);
    expect(await server.exited).toBe(code);
    expect(server.stderr()).toMatch(message);
    expect(server.stderr()).toMatch(MORE);
    place.remove();
  });

  test.runIf(process.platform !== "win32")("does not start where others may write to its folder", async () => {
    const place = newPlace();
    mkdirSync(place.configDir);
    chmodSync(place.configDir, 0o777);
    const server = startServer({ ...place.env, MCP_SERVER_PORT: "0" }, ["http"]);
    expect(await server.exited).toBe(1);
    expect(server.stderr()).toContain(`What lies in ${place.configDir} cannot be trusted`);
    expect(server.stderr()).toMatch(MORE);
    place.remove();
  });

  test("takes the tokens that `token add` made, on any address, and says where an issuer's are made", async () => {
    const place = newPlace();
    const tokens = { MCP_SERVER_TOKENS: join(place.home, "tokens.json") };
    const adding = startServer({ ...place.env, ...tokens }, ["token", "add", "ada"]);
    const token = (await text(adding.child.stdout as Readable)).trim();
    const audience = "https://research.example/mcp";
    const oauth = { MCP_SERVER_OAUTH_ISSUER: "https://id.invalid", MCP_SERVER_OAUTH_AUDIENCE: audience };
    const env = { ...place.env, ...tokens, ...oauth, MCP_SERVER_HOST: "0.0.0.0", MCP_SERVER_PORT: "0" };
    const server = startServer(env, ["http"]);
    await expect.poll(() => server.stderr()).toContain("Listening on");
    const url = `http://127.0.0.1:${/:(\d+)\/mcp/.exec(server.stderr())?.[1]}`;
    expect((await (await connect(url, token)).listTools()).tools).not.toEqual([]);
    const refused = await fetch(new URL("/mcp", url), initialize);
    const [, at] = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "") ?? [];
    expect([refused.status, at]).toEqual([401, "https://research.example/.well-known/oauth-protected-resource/mcp"]);
    const metadata = await fetch(new URL(new URL(at ?? "").pathname, url));
    expect(await metadata.json()).toMatchObject({ resource: audience, authorization_servers: ["https://id.invalid"] });
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    place.remove();
  });

  test("--host and --port count before the environment", async () => {
    const place = newPlace();
    const env = { ...place.env, MCP_SERVER_HOST: "203.0.113.1", MCP_SERVER_PORT: "1" };
    const server = startServer(env, ["http", "--host", "localhost", "--port", "0"]);
    await expect.poll(() => server.stderr()).toMatch(/Listening on http:\/\/127\.0\.0\.1:\d+\/mcp/);
    server.child.kill("SIGTERM");
    expect(await server.exited).toBe(0);
    place.remove();
  });

  test("names a port that is taken, and how to choose another", async () => {
    const { url } = await listen();
    const { port } = new URL(url);
    const place = newPlace();
    const server = startServer({ ...place.env, MCP_SERVER_PORT: port }, ["http"]);
    expect(await server.exited).toBe(1);
    expect(server.stderr()).toContain(
      `Cannot listen on 127.0.0.1:${port}: another program listens there; choose another port (--port or MCP_SERVER_PORT)`,
    );
    expect(server.stderr()).toMatch(MORE);
    place.remove();
  });
});

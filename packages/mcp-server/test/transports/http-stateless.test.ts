import { type IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Principal } from "../../src/access/principal.js";
import { PERSON } from "../../src/jobs/job-record.js";
import { createJobs, type Jobs, type SharedJobs } from "../../src/jobs/jobs.js";
import { BodyRoom } from "../../src/transports/http-body.js";
import { HttpServer } from "../../src/transports/http-server.js";
import { answerStateless } from "../../src/transports/http-stateless.js";
import { accessBy } from "../support/access.js";
import { type FakeResearch, fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { processOf } from "../support/process-of.js";

// Over HTTP, the revision without a handshake and without sessions, request by request as it is written.

const VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";

let research: FakeResearch;
let shared: SharedJobs;
let jobs: Jobs;
let server: HttpServer;
beforeEach(async () => {
  research = fakeResearch();
  const log = () => {};
  const files = createMemoryFiles();
  shared = createJobs({ research: async () => research, files, log, own: processOf(1), closedMs: 50 });
  jobs = shared.of(PERSON);
  const http = { host: "127.0.0.1", port: 0 };
  const partsFor = ({ owner }: Principal) => ({ jobs: shared.of(owner), log });
  server = new HttpServer({ http, access: await accessBy(), partsFor, log, maxSessions: 1 });
  await server.listen();
});
afterEach(async () => {
  await shared.close();
  await server.close();
});

type Change = { headers?: Record<string, string>; meta?: object; signal?: AbortSignal };

/** A request with everything that it needs, but for what is changed. */
function send(method: string, params: object = {}, { headers = {}, meta = {}, signal }: Change = {}) {
  const envelope = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: {}, ...meta };
  const { name, uri } = params as { name?: string; uri?: string };
  const named = name ?? uri;
  return fetch(new URL("/mcp", server.url()), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(named !== undefined && { "mcp-name": named }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { ...params, _meta: envelope } }),
    ...(signal && { signal }),
  });
}

/** The messages of a stream of events. */
function eventsOf(text: string) {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

const search = { name: "search", arguments: { query: "why" } };

test("what is not a call of a tool is answered at once, with the server's name", async () => {
  const response = await send("tools/list");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("mcp-session-id")).toBeNull();
  expect(await response.json()).toMatchObject({
    id: 7,
    result: { resultType: "complete", _meta: { [`${META}serverInfo`]: { name: "x-research" } } },
  });
});

test("a call of a tool is answered by events: what happens, then the answer", async () => {
  const call = send("tools/call", search, { meta: { progressToken: "p", [`${META}clientInfo`]: { name: "codex" } } });
  await research.hasAsked(1);
  const response = await call;
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  research.finish();
  const events = eventsOf(await response.text());
  expect(events[0]).toMatchObject({ method: "notifications/progress", params: { progressToken: "p", progress: 1 } });
  expect(events.at(-1)).toMatchObject({ id: 7, result: { structuredContent: { success: true } } });
});

test("who closes the connection cancels the call", async () => {
  const gone = new AbortController();
  const call = send("tools/call", search, { signal: gone.signal });
  await research.hasAsked(1);
  await call;
  gone.abort();
  await expect.poll(async () => (await jobs.list(1))[0]?.state).toBe("cancelled");
});

test("no more at once than there may be sessions", async () => {
  const call = send("tools/call", search);
  await research.hasAsked(1);
  expect((await send("tools/list")).status).toBe(503);
  research.finish();
  await (await call).text();
  await expect.poll(async () => (await send("tools/list")).status).toBe(200);
});

test("an answer that its client is slow to read to the end is left alone", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  // It takes everything but what ends the stream.
  const slow = new Writable({ write: (chunk, _, done) => void (String(chunk).endsWith("0\r\n\r\n") || done()) });
  const body = { jsonrpc: "2.0", id: 7, method: "tools/call" };
  const _meta = { [`${META}protocolVersion`]: VERSION, [`${META}clientCapabilities`]: {} };
  const request = Object.assign(new PassThrough(), {
    method: "POST",
    headers: { "mcp-protocol-version": VERSION, "mcp-method": body.method, "mcp-name": "search" },
  }) as unknown as IncomingMessage;
  const response = new ServerResponse(request);
  response.assignSocket(slow as Socket);
  const errors: Error[] = [];
  response.on("error", (error) => errors.push(error));
  (request as unknown as PassThrough).end(JSON.stringify({ ...body, params: { name: "search", _meta } }));
  await answerStateless(request, response, { jobs, log: () => {} }, new BodyRoom());
  await vi.waitUntil(() => response.writableEnded);
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toEqual([]);
});

test("a name that a header cannot hold is read from its Base64", async () => {
  const uri = "report://größe";
  const headers = { "mcp-name": `=?base64?${Buffer.from(uri).toString("base64")}?=` };
  const response = await send("resources/read", { uri }, { headers });
  expect(await response.json()).toMatchObject({ error: { code: -32_602, message: `There is no report ${uri}` } });
});

describe("refused is", () => {
  test.each<[string, string, object, Change, number, number]>([
    ["a version that nobody knows", "tools/list", {}, versions("2099-01-01", "2099-01-01"), 400, -32_022],
    ["a version that is not the body's", "tools/list", {}, versions(VERSION, "2099-01-01"), 400, -32_020],
    ["a body without a version", "tools/list", {}, versions(VERSION, undefined), 400, -32_602],
    ["a body without capabilities", "tools/list", {}, { meta: { [`${META}clientCapabilities`]: 1 } }, 400, -32_602],
    ["a method that is not the body's", "tools/list", {}, { headers: { "mcp-method": "ping" } }, 400, -32_020],
    ["a tool that is not the body's", "tools/call", search, { headers: { "mcp-name": "deep_search" } }, 400, -32_020],
    ["a method that nobody knows", "tools/guess", {}, {}, 404, -32_601],
    ["a method that is no more", "ping", {}, {}, 404, -32_601],
    ["a handshake", "initialize", {}, {}, 404, -32_601],
  ])("%s", async (_what, method, params, change, status, code) => {
    const response = await send(method, params, change);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: 7, error: { code } });
    expect(research.asked).toEqual([]);
  });

  function versions(header: string, body: string | undefined): Change {
    return { headers: { "mcp-protocol-version": header }, meta: { [`${META}protocolVersion`]: body } };
  }

  test.each<[string, RequestInit, number, number]>([
    ["no JSON", { body: "{" }, 400, -32_700],
    ["no message", { body: "[]" }, 400, -32_600],
    ["an answer", { body: '{"jsonrpc":"2.0","id":1,"result":{}}' }, 400, -32_600],
    [
      "what is too large and does not say so",
      { body: stream(5 * 2 ** 20), duplex: "half" } as RequestInit,
      413,
      -32_600,
    ],
    ["GET", { method: "GET" }, 405, -32_600],
  ])("%s", async (_what, init, status, code) => {
    const headers = { "content-type": "application/json", "mcp-protocol-version": VERSION };
    const response = await fetch(new URL("/mcp", server.url()), { method: "POST", headers, ...init });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code } });
  });

  function stream(bytes: number): ReadableStream {
    return new Blob(["x".repeat(bytes)]).stream();
  }
});

test("a notification is taken, and nothing comes of it", async () => {
  const response = await fetch(new URL("/mcp", server.url()), {
    method: "POST",
    headers: { "content-type": "application/json", "mcp-protocol-version": VERSION },
    body: '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}',
  });
  expect([response.status, await response.text()]).toEqual([202, ""]);
});

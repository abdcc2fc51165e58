import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, expect, test, vi } from "vitest";
import { createJobs } from "../../src/jobs/jobs.js";
import { HttpServer } from "../../src/transports/http-server.js";
import { SessionMemory, type SharedTexts } from "../../src/transports/session-memory.js";
import { fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { processOf } from "../support/process-of.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});

const TOKENS = new Map([
  ["Bearer ann", "ann"],
  ["Bearer eve", "eve"],
]);

/** Fronts that share what clients said first. */
async function fronts(howMany: number, maxSessions?: number, shared: Partial<SharedTexts> = {}): Promise<string[]> {
  const texts = new Map<string, string>();
  const memory = new SessionMemory({
    remember: async (name, text) => void texts.set(name, text),
    recall: async (name) => texts.get(name),
    ...shared,
  });
  const urls: string[] = [];
  for (let n = 0; n < howMany; n++) {
    const research = fakeResearch();
    const all = { research: async () => research, files: createMemoryFiles(), log: () => {}, own: processOf(n) };
    const jobs = createJobs(all);
    const access = {
      isOpen: false,
      hasTenants: true,
      principalOf: async (given?: string) => {
        const owner = TOKENS.get(given ?? "");
        return owner === undefined ? undefined : { owner, limits: {} };
      },
      close: () => {},
    };
    const server = new HttpServer({
      ...{ http: { host: "127.0.0.1", port: 0 }, access: access as never, memory, log: () => {} },
      partsFor: ({ owner }, session) => ({ jobs: jobs.of(owner, session), log: () => {} }),
      ...(maxSessions !== undefined && { maxSessions }),
    });
    await server.listen();
    closing.push(async () => {
      await jobs.close();
      await server.close();
    });
    urls.push(server.url());
  }
  return urls;
}

test("a session that was opened at one front is served by the others, and by none that comes after its end", async () => {
  const [one = "", two = "", three = "", four = ""] = await fronts(4);
  const headers = { authorization: "Bearer ann" };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", one), { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Transport);
  closing.push(() => client.close());
  const ask = (url: string, authorization: string) =>
    fetch(new URL("/mcp", url), {
      method: "POST",
      headers: {
        ...{ authorization, "content-type": "application/json", accept: "application/json, text/event-stream" },
        "mcp-session-id": transport.sessionId ?? "",
      },
      body: '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}',
    });
  const answers = await Promise.all([one, two, two, two, three].map((url) => ask(url, "Bearer ann")));
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("deep_search");
  }
  // Another's looks like one that there is not.
  const strange = await ask(two, "Bearer eve");
  expect([strange.status, await strange.json()]).toMatchObject([404, { error: { message: "Session not found" } }]);
  const end = { method: "DELETE", headers: { ...headers, "mcp-session-id": transport.sessionId ?? "" } };
  expect((await fetch(new URL("/mcp", one), end)).status).toBe(200);
  expect((await ask(four, "Bearer ann")).status).toBe(404);
  expect((await ask(one, "Bearer ann")).status).toBe(404);
});

test("a front that has no place for a session says so, and that it is to come again", async () => {
  const [one = "", two = ""] = await fronts(2, 1);
  const open = async (url: string, authorization: string) => {
    const requestInit = { headers: { authorization } };
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport as Transport);
    closing.push(() => client.close());
    return { client, headers: { authorization, "mcp-session-id": transport.sessionId ?? "" } };
  };
  const ann = await open(one, "Bearer ann");
  const eve = await open(two, "Bearer eve");
  const call = new AbortController();
  const waiting = eve.client.callTool({ name: "search", arguments: { query: "why" } }, undefined, call);
  const list = { method: "POST", body: '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}' };
  const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const ask = () => fetch(new URL("/mcp", two), { ...list, headers: { ...accept, ...ann.headers } });
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
  call.abort();
  await waiting.catch(() => {});
  await eve.client.close();
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 20_000 });
});

const INITIALIZE = {
  ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

function post(url: string, authorization: string, body: object, session?: string): Promise<Response> {
  const headers = { authorization, "content-type": "application/json", accept: "application/json, text/event-stream" };
  const own = session === undefined ? {} : { "mcp-session-id": session };
  return fetch(new URL("/mcp", url), { method: "POST", headers: { ...headers, ...own }, body: JSON.stringify(body) });
}

/** Half an hour, and the time between two times that it is kept. */
const KEEP_MS = 40 * 60_000;
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

test("whoever only greets is remembered for minutes, and for longer with the first request; a long greeting is not", async () => {
  const kept: [text: string, keepMs: number][] = [];
  const [url = ""] = await fronts(1, undefined, {
    remember: async (_, text, keepMs) => void kept.push([text, keepMs]),
  });
  const session = (await post(url, "Bearer ann", INITIALIZE)).headers.get("mcp-session-id") ?? "";
  await post(url, "Bearer ann", { jsonrpc: "2.0", method: "notifications/initialized" }, session);
  expect(kept.map(([, keepMs]) => keepMs)).toEqual([120_000]);
  for (let n = 0; n < 3; n++) expect((await post(url, "Bearer ann", LIST, session)).status).toBe(200);
  expect(kept.map(([, keepMs]) => keepMs)).toEqual([120_000, KEEP_MS]);
  expect(kept[1]?.[0]).toBe(kept[0]?.[0]);
  const long = {
    ...INITIALIZE,
    params: { ...INITIALIZE.params, clientInfo: { name: "t".repeat(4_096), version: "1" } },
  };
  expect((await post(url, "Bearer ann", long)).status).toBe(200);
  expect(kept).toHaveLength(2);
});

test("what is kept of a session is kept for longer while it is used, and no longer afterwards", async () => {
  const kept: number[] = [];
  const [url = ""] = await fronts(1, undefined, { remember: async (_, __, keepMs) => void kept.push(keepMs) });
  const session = (await post(url, "Bearer ann", INITIALIZE)).headers.get("mcp-session-id") ?? "";
  await post(url, "Bearer ann", LIST, session);
  const now = performance.now.bind(performance);
  let laterMs = 9 * 60_000;
  vi.spyOn(performance, "now").mockImplementation(() => now() + laterMs);
  await post(url, "Bearer ann", LIST, session);
  expect(kept).toEqual([120_000, KEEP_MS]);
  laterMs = 10 * 60_000;
  for (let n = 0; n < 3; n++) await post(url, "Bearer ann", LIST, session);
  expect(kept).toEqual([120_000, KEEP_MS, KEEP_MS]);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const headers = { authorization: "Bearer ann", "mcp-session-id": session, accept: "text/event-stream" };
  const stream = await fetch(new URL("/mcp", url), { headers });
  vi.advanceTimersByTime(20 * 60_000);
  await vi.waitFor(() => expect(kept).toEqual([120_000, ...Array(4).fill(KEEP_MS)]));
  await stream.body?.cancel();
  // The server has seen it close when nothing is done at intervals any more.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  vi.advanceTimersByTime(60 * 60_000);
  expect(kept).toHaveLength(5);
});

test("of one owner so many sessions are kept, and the one that was kept longest ago makes way", async () => {
  const texts = new Map<string, string>();
  const memory = new SessionMemory({
    remember: async (name, text, keepMs) => void (keepMs > 1 ? texts.set(name, text) : texts.delete(name)),
    recall: async (name) => texts.get(name),
  });
  const greeting = INITIALIZE as never;
  const ids = Array.from({ length: 502 }, () => randomUUID());
  const keep = (id: string, owner = "ann") => memory.keep({ id, owner, greeting, isUsed: true });
  const [first = "", second = "", third = "", ...others] = ids;
  await keep("of-another", "eve");
  for (const id of [first, second, third]) await keep(id);
  // It is used again.
  await keep(first);
  for (const id of others) await keep(id);
  expect(texts.size).toBe(501);
  const known = await Promise.all(ids.map((id) => memory.greetingOf(id, "ann")));
  expect(known.flatMap((each, at) => (each === undefined ? [ids[at]] : []))).toEqual([second, third]);
});

test("sessions that have ended make none of their owner's make way", async () => {
  const texts = new Map<string, string>();
  const memory = new SessionMemory({
    remember: async (name, text) => void texts.set(name, text),
    recall: async (name) => texts.get(name),
  });
  const keep = async (id: string) => {
    const session = { id, owner: "ann", greeting: INITIALIZE as never, isUsed: true };
    await memory.keep(session);
    return session;
  };
  const { id } = await keep(randomUUID());
  for (let n = 0; n < 600; n++) await memory.forget(await keep(randomUUID()));
  expect(await memory.greetingOf(id, "ann")).toMatchObject({ method: "initialize" });
});

test("a session is not called unknown while the place where they are kept is away", async () => {
  const [one = "", two = ""] = await fronts(2, undefined, { recall: () => Promise.reject(new Error("away")) });
  const session = (await post(one, "Bearer ann", INITIALIZE)).headers.get("mcp-session-id") ?? "";
  const answer = await post(two, "Bearer ann", LIST, session);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
  expect((await post(one, "Bearer ann", LIST, session)).status).toBe(200);
});

test("whose session it is finds it while a stranger asks for it", async () => {
  const texts = new Map<string, string>();
  const recalls: (() => void)[] = [];
  const [one = "", two = ""] = await fronts(2, undefined, {
    remember: async (name, text) => void texts.set(name, text),
    recall: (name) => new Promise((resolve) => recalls.push(() => resolve(texts.get(name)))),
  });
  const session = (await post(one, "Bearer ann", INITIALIZE)).headers.get("mcp-session-id") ?? "";
  const strange = post(two, "Bearer eve", LIST, session);
  await vi.waitFor(() => expect(recalls).toHaveLength(1));
  const own = post(two, "Bearer ann", LIST, session);
  await vi.waitFor(() => expect(recalls).toHaveLength(2));
  for (const recall of recalls) recall();
  expect([(await strange).status, (await own).status]).toEqual([404, 200]);
});

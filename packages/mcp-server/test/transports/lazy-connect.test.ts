import { once } from "node:events";
import { PassThrough } from "node:stream";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { createServer } from "../../src/protocol/server.js";
import { connectLate } from "../../src/transports/lazy-connect.js";
import { LineTransport } from "../../src/transports/line-transport.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

const log = () => {};
const jobs = personsJobs({ research: async () => fakeResearch(), files: createMemoryFiles(), log, own: processOf(1) });

/** A client that speaks JSON-RPC by hand. */
function handClient(load = async () => createServer({ jobs, log })) {
  const [client, server] = InMemoryTransport.createLinkedPair();
  let loads = 0;
  connectLate(server, () => {
    loads += 1;
    return load();
  });
  const received: JSONRPCMessage[] = [];
  client.onmessage = (message) => received.push(message);
  return { received, send: (message: object) => client.send(message as JSONRPCMessage), loads: () => loads };
}

const request = (id: number, method: string, params = {}) => ({ jsonrpc: "2.0", id, method, params });
const initialize = (id: number, protocolVersion: string) =>
  request(id, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "claude-code", version: "1" } });

describe("before the server is loaded", () => {
  test.each([
    ["initialize", initialize(1, "2025-06-18")],
    ["initialize with an unknown version", initialize(1, "2099-01-01")],
    ["ping", request(1, "ping")],
    ["tools/list", request(1, "tools/list")],
    ["prompts/list", request(1, "prompts/list")],
    ["resources/templates/list", request(1, "resources/templates/list")],
    ["server/discover", request(1, "server/discover")],
  ])("%s is answered as the server would", async (_, message) => {
    const early = handClient();
    await early.send(message);
    await expect.poll(() => early.received).toHaveLength(1);
    expect(early.loads()).toBe(0);

    const [client, server] = InMemoryTransport.createLinkedPair();
    const answers: JSONRPCMessage[] = [];
    client.onmessage = (answer) => answers.push(answer);
    await createServer({ jobs, log }).connect(server);
    await client.send(message as JSONRPCMessage);
    await expect.poll(() => answers).toHaveLength(1);
    expect(early.received).toEqual(answers);
  });
});

describe("when there is work", () => {
  test("a call's time counts from when it came, though the server is loaded after that", async () => {
    const research = fakeResearch();
    const own = processOf(1);
    const late = personsJobs({ research: async () => research, files: createMemoryFiles(), log, own });
    const waits: (number | undefined)[] = [];
    const wait: typeof late.wait = async (_, { waitMs }) => {
      waits.push(waitMs);
      return "time";
    };
    let loaded = () => {};
    const loading = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    const { received, send } = handClient(async () => {
      await loading;
      return createServer({ jobs: { ...late, wait }, log, waits: { clientTimeoutMs: 8_000 } });
    });
    await send(initialize(0, "2025-06-18"));
    await send(request(1, "tools/call", { name: "search", arguments: { query: "q" } }));
    const from = performance.now();
    await expect.poll(() => performance.now() - from).toBeGreaterThan(100);
    loaded();
    await expect.poll(() => received).toHaveLength(2);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeLessThanOrEqual(7_100);
    research.finish(searchReport("done"));
  });

  test("the server is loaded once, knows the client, and no answer is lost, doubled or out of order", async () => {
    const { received, send, loads } = handClient();
    await send(initialize(0, "2025-06-18"));
    await send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await send(request(1, "resources/list"));
    await send(request(2, "ping"));
    await send(request(3, "tools/call", { name: "search", arguments: {} }));
    await expect.poll(() => received).toHaveLength(4);
    await send(request(4, "ping"));
    await expect.poll(() => received).toHaveLength(5);
    expect(new Set(received.map((message) => (message as { id?: number }).id))).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(loads()).toBe(1);
  });

  test("a server that cannot be loaded is an error of the request", async () => {
    const { received, send } = handClient(() => Promise.reject(new Error("no memory")));
    await send(request(7, "resources/list"));
    await expect
      .poll(() => received)
      .toEqual([{ jsonrpc: "2.0", id: 7, error: { code: -32_603, message: "no memory" } }]);
  });
});

describe("LineTransport", () => {
  test("puts messages together however they arrive, and names what is none", async () => {
    const input = new PassThrough();
    const invalid: string[] = [];
    const transport = new LineTransport(input, new PassThrough(), (reason) => invalid.push(reason));
    const received: unknown[] = [];
    transport.onmessage = (message) => received.push(message);
    await transport.start();
    const message = { jsonrpc: "2.0", method: "x", params: { text: "ä🌍\u2028" } };
    const bytes = Buffer.from(`${JSON.stringify(message)}\r\n`);
    for (const byte of Buffer.concat([bytes, Buffer.from("nonsense\n"), bytes])) input.write(Buffer.from([byte]));
    input.end();
    await expect.poll(() => received).toEqual([message, message]);
    expect(invalid).toEqual(["a line that is not JSON"]);
  });

  test.each([
    ["a list for params", { id: "a", method: "ping", params: [] }],
    ["a progress token that is none", { id: 1, method: "ping", params: { _meta: { progressToken: {} } } }],
    ["a method that is none", { id: 1, method: 5 }],
  ])("a request with %s is answered with an error", async (_, request) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = new LineTransport(input, output, () => {});
    transport.onmessage = () => expect.unreachable();
    await transport.start();
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`);
    const [answer] = await once(output, "data");
    expect(JSON.parse(String(answer))).toMatchObject({ id: request.id, error: { code: -32_600 } });
  });
});

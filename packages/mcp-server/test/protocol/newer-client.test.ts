import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { grounded, json, search, startModelServer } from "@x/gemini-runner/testing";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { answerOf } from "../support/connect.js";
import { hangingGemini, newPlace, type Place, plainGemini, processesOf } from "../support/place.js";
import { BIN, startServer } from "../support/stdio-server.js";

// The newer SDK's client, which first asks whether the server speaks the stateless protocol.

let place: Place;
let env: Record<string, string>;
beforeEach(() => {
  place = newPlace();
  env = { ...place.env, GEMINI_CLI_PATH: plainGemini(place, { success: true, report: "Plain.", metadata: {} }) };
});
afterEach(() => {
  expect(processesOf(place.home)).toEqual([]);
  place.remove();
});

const PLAIN: object = { success: true, result: "Plain." };

function newClient(mode: "auto" | { pin: string } = "auto", name = "newer"): Client {
  return new Client({ name, version: "1" }, { versionNegotiation: { mode } });
}

const overStdio = () => new StdioClientTransport({ command: process.execPath, args: [BIN], env, stderr: "ignore" });

async function useAll(client: Client, call = { name: "search", arguments: { query: "q" } }, expected = PLAIN) {
  expect((await client.listTools()).tools).toHaveLength(5);
  const messages: string[] = [];
  const onprogress = ({ message = "" }) => void messages.push(message);
  const result = await client.callTool(call, { onprogress });
  expect(result.structuredContent).toMatchObject(expected);
  expect(answerOf(result)).toEqual(result.structuredContent);
  expect(messages.length).toBeGreaterThan(0);
  const failed = await client.callTool({ name: "search", arguments: {} });
  expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: "INVALID_INPUT" } } });
  expect((await client.listResources()).resources).toHaveLength(1);
  expect((await client.listPrompts()).prompts).toHaveLength(2);
  await client.close();
}

test("over stdio in its automatic mode, which finds the stateless protocol", async () => {
  const client = newClient();
  await client.connect(overStdio());
  expect(client.getDiscoverResult()).toMatchObject({ supportedVersions: ["2026-07-28"] });
  await useAll(client);
});

test("over stdio, speaking the stateless protocol alone: limits by the client's name, errors, cancellation", async () => {
  env["GEMINI_CLI_PATH"] = hangingGemini(place);
  const client = newClient({ pin: "2026-07-28" }, "codex-mcp-client");
  await client.connect(overStdio());
  const running = await client.callTool({ name: "search", arguments: { query: "q", wait_seconds: 0 } });
  expect(answerOf(running)).toMatchObject({ metadata: { next: expect.stringContaining("270 s") } });
  const { job_id } = answerOf(running);
  await expect(client.readResource({ uri: "report://none" })).rejects.toMatchObject({ code: -32_602 });
  await expect.poll(() => processesOf(place.configDir)).not.toEqual([]);
  await client.callTool({ name: "research_cancel", arguments: { job_id } });
  await expect.poll(() => processesOf(place.configDir)).toEqual([]);
  const patience = new AbortController();
  const waiting = client.callTool({ name: "search", arguments: { query: "r" } }, { signal: patience.signal });
  await expect.poll(() => processesOf(place.configDir)).not.toEqual([]);
  patience.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect.poll(() => processesOf(place.configDir)).toEqual([]);
  await client.close();
});

test("over stdio, insisting on a version that nobody knows, it is told which are known", async () => {
  const client = newClient({ pin: "2099-01-01" });
  await expect(client.connect(overStdio())).rejects.toThrow("2026-07-28");
});

test("over HTTP in its automatic mode, which finds the stateless protocol there too, with the real CLI: the example of the README is what the server answers", async () => {
  const [call, answer] = [
    ...readFileSync(new URL("../../README.md", import.meta.url), "utf8").matchAll(/```json\n(.*?)```/gs),
  ].map(([, text = ""]) => JSON.parse(text));
  const { sources_visited, search_queries_used } = answer.metadata;
  const model = await startModelServer({
    scenario: ({ kind, turn }) => {
      if (kind === "search") {
        const sources = sources_visited.map((url: string) => ({ url, title: url }));
        return grounded("The tower was built in 1543.", { queries: search_queries_used, sources });
      }
      if (kind !== "main") return undefined;
      return turn === 0
        ? search(search_queries_used[0])
        : json({ success: true, report: answer.result, metadata: { sources_visited, search_queries_used } });
    },
  });
  onTestFinished(() => model.close());
  const server = startServer({ ...place.env, ...model.env, MCP_SERVER_PORT: "0" }, ["http"]);
  await expect.poll(() => server.stderr()).toContain("Listening on");
  const url = /Listening on (http:\S+)/.exec(server.stderr())?.[1] as string;
  const client = newClient();
  const responses: [number, string | null][] = [];
  const noted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    responses.push([response.status, response.headers.get("mcp-session-id")]);
    return response;
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: noted }));
  expect(client.getDiscoverResult()).toMatchObject({ supportedVersions: ["2026-07-28"] });
  await useAll(client, call, {
    ...answer,
    job_id: expect.stringMatching(/^search-\w{10}$/),
    metadata: { ...answer.metadata, duration_ms: expect.any(Number), timestamp: expect.any(String) },
  });
  expect(responses.filter(([status, session]) => status !== 200 || session !== null)).toEqual([]);
  server.child.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

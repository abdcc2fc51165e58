import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, expect, test } from "vitest";
import { textOf } from "./support/connect.js";
import { newPlace, type Place, plainGemini, processesOf } from "./support/place.js";
import { BIN, startServer } from "./support/stdio-server.js";

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

const newClient = () => new Client({ name: "newer", version: "1" }, { versionNegotiation: { mode: "auto" } });

async function useAll(client: Client): Promise<void> {
  expect((await client.listTools()).tools).toHaveLength(5);
  const messages: string[] = [];
  const onprogress = ({ message = "" }) => void messages.push(message);
  const result = await client.callTool({ name: "search", arguments: { query: "q" } }, { onprogress });
  expect(result.structuredContent).toMatchObject({ success: true, result: "Plain." });
  expect(textOf(result)).toEqual(result.structuredContent);
  expect(messages.length).toBeGreaterThan(0);
  const failed = await client.callTool({ name: "search", arguments: {} });
  expect(failed).toMatchObject({ isError: true, structuredContent: { error: { code: "INVALID_INPUT" } } });
  expect((await client.listResources()).resources).toHaveLength(1);
  expect((await client.listPrompts()).prompts).toHaveLength(2);
  await client.close();
}

test("over stdio in its automatic mode", async () => {
  const client = newClient();
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN], env, stderr: "ignore" }));
  await useAll(client);
});

test("over HTTP in its automatic mode", async () => {
  const server = startServer({ ...env, MCP_SERVER_PORT: "0" }, ["http"]);
  await expect.poll(() => server.stderr()).toContain("Listening on");
  const url = /Listening on (http:\S+)/.exec(server.stderr())?.[1] as string;
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await useAll(client);
  server.child.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

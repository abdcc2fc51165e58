import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { TOOL_NAMES } from "../../src/host/settings.js";
import { createServer } from "../../src/protocol/server.js";
import { TOOLS } from "../../src/tools/index.js";
import { connectLate } from "../../src/transports/lazy-connect.js";
import { fakeResearch } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";
import { personsJobs } from "../support/persons-jobs.js";
import { processOf } from "../support/process-of.js";

const log = () => {};
const jobs = personsJobs({ research: async () => fakeResearch(), files: createMemoryFiles(), log, own: processOf(1) });

/** The answers to some requests, each before the next. */
async function answersTo(shown: string[] | undefined, ...requests: [method: string, params: object][]) {
  const [client, server] = InMemoryTransport.createLinkedPair();
  connectLate(server, async () => createServer({ jobs, log, shown }), shown);
  const answers: { result?: { tools: { name: string }[] }; error?: { message: string } }[] = [];
  client.onmessage = (message: JSONRPCMessage) => answers.push(message as never);
  for (const [index, [method, params]] of requests.entries()) {
    await client.send({ jsonrpc: "2.0", id: index + 1, method, params } as JSONRPCMessage);
    await expect.poll(() => answers).toHaveLength(index + 1);
  }
  return answers;
}

test("the names that a setting may have are those of the tools", () => {
  expect(TOOLS.map(({ definition }) => definition.name)).toEqual(TOOL_NAMES);
});

test("what is hidden is neither listed, before the server is loaded and after, nor called", async () => {
  const [before, called, after] = await answersTo(
    ["search", "research_result"],
    ["tools/list", {}],
    ["tools/call", { name: "deep_search", arguments: { query: "why" } }],
    ["tools/list", {}],
  );
  const names = (answer: typeof before) => answer?.result?.tools.map(({ name }) => name);
  expect(names(before)).toEqual(["search", "research_result"]);
  expect(called?.error?.message).toBe('Unknown tool "deep_search"; known are search, research_result');
  expect(names(after)).toEqual(names(before));
});

test("without the setting all are there", async () => {
  const [answer] = await answersTo(undefined, ["tools/list", {}]);
  expect(answer?.result?.tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
});

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { misquoting, PAGE, sentence, startWebsite } from "../../research/test/pages/lake.js";
import { answerOf } from "./support/connect.js";
import { newPlace, processesOf } from "./support/place.js";
import { connectServer, endServer, startServer } from "./support/stdio-server.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** The built server with the real CLI, and a website of the public internet. */
async function reading(more: Record<string, string> = {}) {
  const place = newPlace();
  const { env, site } = await startWebsite();
  const model = await startModelServer({ scenario: misquoting() });
  const server = await connectServer({ ...place.env, ...model.env, ...env, MAX_WAIT_MS: "0", ...more });
  onTestFinished(async () => {
    await endServer(server);
    await model.close();
    await expect.poll(() => processesOf(place.home)).toEqual([]);
    place.remove();
  });
  return { client: server.client, place, site, model };
}

const question = { query: "How large is Lake Vessin?" };

test("deep_search reads pages by itself, corrects a misquoted number, and keeps what proves it", async () => {
  const { client, place, site, model } = await reading();
  const output_schema = { type: "object", properties: { area: { type: ["number", "null"] } }, required: ["area"] };
  const args = { ...question, require_evidence: 100, output_schema };
  const answer = await client.callTool({ name: "deep_search", arguments: args }, undefined, { timeout: 300_000 });
  expect(answerOf(answer)).toMatchObject({
    success: true,
    verified: true,
    data: { area: 212 },
    metadata: {
      data_proof: {
        "/area": { claim: "/metadata/evidence/claims/0", quote: "/metadata/evidence/claims/0/quotes/0" },
      },
      iterations: 2,
      evidence: {
        proven: 1,
        required: 1,
        claims: [{ text: sentence(212), proof: "quoted", quotes: [{ url: PAGE, found: "typography" }] }],
        sources: [{ url: PAGE, status: "quoted", title: "Lake Vessin" }],
      },
    },
  });
  expect(site.asked.filter((path) => path === "/lake")).toHaveLength(1);
  expect(await readdir(join(place.configDir, "pages"))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.gz$/)]);
  // What is asked on from it reads the page that was kept.
  const further = { query: "Is that much?", follow_up_of: answerOf(answer).job_id, output_schema };
  const next = await client.callTool({ name: "search", arguments: further }, undefined, { timeout: 300_000 });
  expect(answerOf(next)).toMatchObject({
    success: true,
    // What it misquotes now carries no value.
    data: { area: null },
    metadata: {
      missing: ["/area"],
      follow_up: { of: further.follow_up_of },
      evidence: { claims: [{ quotes: [{ url: PAGE }] }] },
    },
  });
  const [last] = model.requests.filter(({ kind }) => kind === "main").slice(-1);
  expect(JSON.stringify(last?.toolResults)).toContain("square kilometres");
  expect(site.asked.filter((path) => path === "/lake")).toHaveLength(1);
});

test("GEMINI_RESEARCH_PAGES=google: the runs have Gemini CLI's tools alone", async () => {
  const { client, model, site } = await reading({ GEMINI_RESEARCH_PAGES: "google" });
  model.use((call) => (call.kind === "main" ? misquoting()({ ...call, turn: 2 }) : undefined));
  const answer = await client.callTool({ name: "search", arguments: question }, undefined, { timeout: 300_000 });
  expect(answerOf(answer)).toMatchObject({ success: true, metadata: { evidence: { proven: 0 } } });
  expect(model.requests.find(({ kind }) => kind === "main")?.tools.toSorted()).toEqual([
    "google_web_search",
    "web_fetch",
  ]);
  expect(site.asked).toEqual([]);
});

test("over HTTP, where runs share a process, pages are read too", async () => {
  const place = newPlace();
  const { env } = await startWebsite();
  const model = await startModelServer({ scenario: misquoting() });
  const { child, exited, stderr } = startServer({ ...place.env, ...model.env, ...env }, ["http", "--port", "0"]);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exited;
    await model.close();
    await expect.poll(() => processesOf(place.home)).toEqual([]);
    place.remove();
  });
  await expect.poll(stderr, { timeout: 60_000 }).toContain("Listening on ");
  const [, address = ""] = /Listening on (\S+)/.exec(stderr()) ?? [];
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const args = { ...question, require_evidence: 100 };
  let answer = answerOf(await client.callTool({ name: "deep_search", arguments: args }));
  while (answer["status"] === "running") {
    const { job_id } = answer;
    answer = answerOf(await client.callTool({ name: "research_result", arguments: { job_id } }));
  }
  expect(answer).toMatchObject({
    success: true,
    metadata: { evidence: { proven: 1, claims: [{ text: sentence(212), proof: "quoted", quotes: [{ url: PAGE }] }] } },
  });
});

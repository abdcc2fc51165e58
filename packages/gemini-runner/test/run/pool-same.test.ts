import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { RunEvent, RunnerError, RunRequest, RunResult } from "../../src/index.js";
import {
  callTool,
  empty,
  fetchPage,
  finish,
  grounded,
  httpError,
  huge,
  type ModelCall,
  page,
  type Reply,
  reset,
  type Scenario,
  search,
  silence,
  text,
  thought,
} from "../../src/testing/index.js";
import { startMcpEndpoint } from "../mcp-endpoint.js";
import { test } from "../small-world.js";

/** Which needs no name service. */
const url = "http://93.184.215.14/tides";
const moon = "http://93.184.215.15/moon";
const status = (retrievedUrl: string, end: string) => ({
  retrievedUrl,
  urlRetrievalStatus: `URL_RETRIEVAL_STATUS_${end}`,
});

/** What differs from run to run, of the same kind: processes, times and names of calls. */
const ITS_OWN = new Set(["pid", "durationMs", "queuedMs", "warm", "id"]);

function withoutItsOwn(event: RunEvent): object {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, ITS_OWN.has(name) ? typeof value : value]),
  );
}

/** A kind of run: what the model does in its turns, and what Google answers to a search or a page read. */
interface Kind {
  turns: Reply[];
  search?: Reply;
  fetch?: Reply;
  /** What the kind is about, told and given. */
  expected: object;
}

/** The events of each type, in order: the calls of a turn are made together alone, and one after another in a pool. */
function byType(events: readonly RunEvent[]): Record<string, object[]> {
  const all: Record<string, object[]> = {};
  for (const event of events) all[event.type] = [...(all[event.type] ?? []), withoutItsOwn(event)];
  return all;
}

/** Without its times, and the tokens: the CLI has other words for its model. */
function told({ durationMs, queuedMs, models, ...given }: RunResult, events: readonly RunEvent[]): object {
  return { ...given, models: models.map(({ model, roles }) => ({ model, roles })), ...byType(events) };
}

const FAILED = { ok: false };
const DENIED = { tool: "read_file", message: "Tool execution denied by policy." };
const unknown = (tool: string) => ({ tool, message: `Tool "${tool}" not found.` });

function kindsOf(files: { mine: string; beside: string }): Record<string, Kind> {
  const { mine, beside } = files;
  const READ = callTool("mcp_pages_read_page", { url: `${url}/gone` });
  return {
    "a search, a page and words": {
      turns: [[...text("I search. "), search("tides")], fetchPage(url), text("By the moon.", { chunkLength: 4 })],
      search: grounded("The moon pulls.", { sources: [{ url, title: "Tides" }] }),
      fetch: page("The moon pulls the water.", [status(url, "SUCCESS")]),
      expected: {
        text: "By the moon.",
        queries: ["tides"],
        sources: [{ url, title: "Tides", status: "retrieved" }],
        attributions: [{ text: "The moon pulls.", urls: [url] }],
        "tool-output": [{}, {}],
        "text-delta": [{ text: "I search. " }, {}, {}, {}],
      },
    },
    "a search that the API refuses, one without a query, and a page that cannot be read beside one that can": {
      turns: [search("tides"), callTool("google_web_search", {}), fetchPage(url, moon)],
      search: httpError("bad-request"),
      fetch: page("The moon pulls.", [status(url, "SUCCESS"), status(moon, "ERROR")]),
      expected: {
        queries: [],
        sources: [{ url, status: "retrieved" }],
        "tool-call": [{ query: "tides" }, { tool: "google_web_search" }, { urls: [url, moon] }],
        "tool-result": [FAILED, FAILED, {}],
        failures: [{ query: "tides" }, { tool: "google_web_search" }, { url: moon }],
      },
    },
    "tools that are not there, among others": {
      turns: [
        [
          callTool("goo", { url }),
          search("tides"),
          callTool("google_web_searc", { query: "moon" }),
          search("sea"),
          callTool("run_shell_command", { command: "ls" }),
        ],
        [...text("I try again. "), callTool("nope")],
      ],
      expected: {
        queries: ["tides", "sea"],
        "tool-call": [{ tool: "goo", urls: [url] }, { query: "tides" }, { query: "moon" }, { query: "sea" }, {}, {}],
        "tool-result": [FAILED, { ok: true }, FAILED, { ok: true }, FAILED, { ...FAILED, ...unknown("nope") }],
        failures: ["goo", "google_web_searc", "run_shell_command", "nope"].map(unknown),
      },
    },
    "a file and a page of an MCP server: what may be read, what may not or is not there, and another tool of the server":
      {
        turns: [
          [callTool("read_file", { file_path: mine }), callTool("read_file", { file_path: beside })],
          [READ, callTool("mcp_pages_wipe")],
        ],
        expected: {
          "tool-result": [{ ok: true }, { ...FAILED, ...DENIED }, FAILED, FAILED],
          failures: [
            DENIED,
            {
              tool: "mcp_pages_read_page",
              url: `${url}/gone`,
              message: expect.stringContaining("There is no such page"),
            },
            unknown("mcp_pages_wipe"),
          ],
        },
      },
    "a long answer": { turns: [huge(300_000)], expected: { failures: [] } },
    "an answer in all kinds of characters": {
      turns: [text("  é漢🙂 a\r\nb\tc \u001b[31mred\u001b[0m\u0000 \n", { chunkLength: 30 })],
      expected: { text: "  é漢🙂 a\r\nb\tc red\u0000 \n" },
    },
  };
}

const model = "gemini-2.5-flash";

test("each kind of run tells and gives the same in a pool, refused calls too", { timeout: 240_000 }, async ({
  world,
  temporaryFolder,
  onTestFinished,
}) => {
  const folder = await temporaryFolder("files");
  const files = { mine: path.join(folder, "mine.txt"), beside: path.join(folder, "beside.txt") };
  await Promise.all(Object.values(files).map((file) => writeFile(file, "words")));
  const endpoint = await startMcpEndpoint((page) =>
    page.endsWith("/gone") ? new Error("There is no such page") : "words",
  );
  onTestFinished(() => endpoint.close());
  const mcpServers = { pages: { url: endpoint.url, includeTools: ["read_page"] } };
  const kinds = Object.entries(kindsOf(files));
  const tellAll = async (pool: boolean) => {
    let kind: Kind | undefined;
    const { run } = await world(
      (call) => {
        if (call.kind === "search") return kind?.search;
        if (call.kind === "fetch") return kind?.fetch;
        return call.kind === "main" ? (kind?.turns[call.turn] ?? text("done")) : undefined;
      },
      { pool },
    );
    const all: object[] = [];
    for (const [prompt, each] of kinds) {
      kind = each;
      const { result, events } = await run({ prompt, model, files: [files.mine], mcpServers });
      all.push(told(result, events));
    }
    return all;
  };
  const [alone, pooled] = await Promise.all([tellAll(false), tellAll(true)]);
  for (const [i, [name, { expected }]] of kinds.entries()) {
    expect(alone[i], name).toMatchObject(expected);
    expect(pooled[i], name).toEqual(alone[i]);
  }
});

/** Kinds of runs that fail: what the model does, what the run is asked for beside its prompt, and how often it is tried. */
const FAILURES: Record<string, { main: Scenario; request?: Partial<RunRequest>; expected: object; tries?: number }> = {
  "the day's quota": {
    main: () => httpError("quota-day"),
    expected: { code: "QUOTA_EXCEEDED", scope: "day", retryable: false },
    tries: 1,
  },
  "a minute's quota": {
    main: () => httpError("quota-minute", { retryAfterMs: 17_000 }),
    expected: { code: "QUOTA_EXCEEDED", scope: "minute", retryAfterMs: 17_000, retryable: true },
    tries: 1,
  },
  "a bad key": {
    main: () => httpError("bad-key"),
    expected: { code: "AUTH_REQUIRED", reason: "key-refused", retryable: false },
    tries: 1,
  },
  "no such model": {
    main: () => httpError("not-found"),
    expected: { code: "MODEL_NOT_FOUND", retryable: false },
    tries: 1,
  },
  "a refused request": {
    main: () => httpError("bad-request"),
    expected: { code: "EXECUTION_ERROR", reason: "input", retryable: false },
    tries: 1,
  },
  "a broken connection": {
    main: () => reset(),
    expected: { code: "EXECUTION_ERROR", reason: "network", retryable: true },
    tries: 1,
  },
  "an empty answer": { main: () => empty(), expected: { reason: "empty", retryable: true } },
  blanks: { main: () => text(" \n "), expected: { reason: "empty", retryable: true } },
  "thoughts alone": { main: () => [thought("hm"), finish("STOP")], expected: { reason: "thinking-only" } },
  "a blocked answer": { main: () => finish("SAFETY"), expected: { reason: "blocked" } },
  "a cut-off answer": {
    main: () => [...text("A part"), finish("MAX_TOKENS")],
    expected: { reason: "truncated", text: "A part" },
  },
  "too many calls, all of tools that are not there": {
    main: ({ turn }) => callTool("nope", { turn }),
    request: { maxToolCalls: 2 },
    expected: { reason: "tool-calls" },
  },
  "a time limit in the middle of a call": {
    main: () => search("tides"),
    request: { timeoutMs: 6_000 },
    expected: { reason: "timeout" },
  },
};

/** All that a program goes by. The rest of the message quotes the CLI alone, and the API in a pool. */
function saidBy(error: RunnerError): object {
  const { code, reason, scope, retryAfterMs, retryable, repeated, unbegun, nextStep } = error;
  const message = error.message.split(":")[0];
  return {
    code,
    reason,
    scope,
    retryAfterMs,
    retryable,
    repeated,
    unbegun,
    nextStep,
    model: error.model,
    text: error.text,
    message,
  };
}

test("each kind of failure is the same in a pool", { timeout: 240_000 }, async ({ world }) => {
  const kinds = Object.entries(FAILURES);
  const failAll = async (pool: boolean) => {
    const kindOf = (call: ModelCall) => Number(/kind-(\d+)/.exec(JSON.stringify(call.body))?.[1] ?? -1);
    const { failureOf, server } = await world(
      (call) => (call.kind === "search" ? silence() : kinds[kindOf(call)]?.[1].main(call)),
      { pool },
    );
    const all = kinds.map(([, { request }], i) => failureOf({ prompt: `This is kind-${i}.`, model, ...request }));
    const errors = await Promise.all(all);
    for (const { message } of errors) expect(message).not.toMatch(/it said nothing|undefined/);
    const tries = kinds.map((_, i) => server.requests.filter((call) => kindOf(call) === i).length);
    return errors.map((error, i) => ({ said: saidBy(error), tries: tries[i] }));
  };
  const [alone, pooled] = await Promise.all([failAll(false), failAll(true)]);
  for (const [i, [name, { expected, tries }]] of kinds.entries()) {
    expect(alone[i]?.said, name).toMatchObject(expected);
    expect(pooled[i]?.said, name).toEqual(alone[i]?.said);
    if (tries !== undefined) expect([alone[i]?.tries, pooled[i]?.tries], `tries of ${name}`).toEqual([tries, tries]);
  }
});

import { CallToolResultSchema, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { ResearchError } from "@x/research";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../src/jobs/failure.js";
import { PROTOCOL_VERSIONS } from "../../src/protocol/handshake.js";
import { INSTRUCTIONS } from "../../src/protocol/server-info.js";
import { TOOLS } from "../../src/tools/index.js";
import { answerOf, connect, textOf } from "../support/connect.js";
import { deepReport, searchReport } from "../support/fake-research.js";
import { createMemoryFiles } from "../support/memory-files.js";

const query = "why is the sky blue";

/** Of every argument that a model may leave out: the words that say when it is to be given. */
const WHEN: Readonly<Record<string, string>> = {
  allowed_domains: "if only these sites count",
  blocked_domains: "if these must not be used",
  recency: "if older pages do not count",
  files: "to read own files",
  web: "to read files alone",
  language: "if not the question's",
  model: "if the user names one",
  follow_up_of: "to ask on",
  output_schema: "to get `data`",
  plan_only: "to show queries and cost first",
  plan: "if approved",
  wait_seconds: "to work meanwhile",
  require_evidence: "if proof matters",
  max_iterations: "for more or fewer rounds",
  depth: "if a summary will do",
  page: "if metadata.pages is above 1",
  detail: "for every round, source, cost",
};

describe("the tool list", () => {
  test("takes at most 6,000 characters", () => {
    expect(JSON.stringify(TOOLS.map((tool) => tool.definition)).length).toBeLessThanOrEqual(6_000);
  });
  test("the description of every argument that may be left out says when it is to be given", () => {
    const named = new Set<string>();
    for (const { definition } of TOOLS) {
      const { name: tool, inputSchema } = definition;
      for (const [argument, { description }] of Object.entries(inputSchema.properties)) {
        if (inputSchema.required?.includes(argument)) continue;
        named.add(argument);
        expect(WHEN[argument], argument).toMatch(/^(?:if|to|for) /);
        expect(description?.toLowerCase(), `${tool}.${argument}`).toContain(WHEN[argument]);
      }
    }
    expect([...named].sort()).toEqual(Object.keys(WHEN).sort());
  });
  test("the arguments that are always given say what they hold, a job_id from which answer it comes", () => {
    const required = TOOLS.flatMap(({ definition: { name, inputSchema } }) =>
      (inputSchema.required ?? []).map((argument) => [name, inputSchema.properties[argument]?.description]),
    );
    expect(required).toEqual([
      ["search", "A full question with context, not keywords"],
      ["deep_search", "A full question with context, not keywords"],
      ["deep_research", "What to research, in full sentences"],
      ["research_result", expect.stringMatching(/answer that is running or /)],
      ["research_cancel", expect.stringMatching(/answer that is running/)],
    ]);
  });
  test("a description says what the tool is for in its first 120 characters", () => {
    for (const { definition } of TOOLS)
      expect(/[.:;]/.exec(definition.description)?.index, definition.name).toBeLessThan(120);
  });
  test("the older tool leads to the newer one", () => {
    const older = TOOLS.find(({ definition }) => definition.name === "deep_research");
    expect(older?.definition.description).toMatch(/^Older form; prefer deep_search\./);
  });
  test("a schema of answers names the states, and the fields of metadata and error", () => {
    const all = TOOLS.flatMap(({ definition: { name, outputSchema } }) =>
      outputSchema ? [{ name, outputSchema }] : [],
    );
    expect(all.map(({ name }) => name)).toEqual(["search", "deep_search", "research_result"]);
    const schemas = all.map(({ outputSchema }) => outputSchema);
    const finished = Object.keys(deepReport().metadata);
    const failure: Required<Failure> = {
      ...{ code: "QUOTA_EXCEEDED", message: "", details: "", reason: "" },
      ...{ retry_after_ms: 0, scope: "tenant" },
    };
    for (const [index, schema] of schemas.entries()) {
      expect(schema).toMatchObject({ properties: { status: { enum: ["completed", "running"] } } });
      const { metadata, error } = (schema as { properties: Record<string, { description: string }> }).properties;
      // The third gets what the first two give: it is said with them.
      if (index === 2) {
        expect({ metadata, error }).toEqual({ metadata: { description: "as of a search" }, error: {} });
        continue;
      }
      expect(metadata?.description.split(", ")).toEqual(expect.arrayContaining(["next", "warnings", ...finished]));
      expect(error?.description.split(", ")).toEqual(Object.keys(failure));
    }
  });
  test("each tool that may answer running says what to do then", () => {
    for (const { definition } of TOOLS.filter(({ definition: { outputSchema } }) => outputSchema !== undefined)) {
      expect(definition.description).toMatch(/while status is running|If status is running, call research_result/);
    }
  });
  test("hosts that index tools instead of showing them show two, and are told what a third is found by", () => {
    const hints = TOOLS.map(({ definition: { name, _meta = {} } }) => [name, _meta] as const);
    const withHint = hints.filter(([, meta]) => "anthropic/searchHint" in meta).map(([name]) => name);
    expect(withHint).toEqual(["deep_search"]);
    const loaded = hints.filter(([, meta]) => "anthropic/alwaysLoad" in meta).map(([name]) => name);
    expect(loaded).toEqual(["search", "research_result"]);
  });
  test.each([
    ["a revision before structured content", { protocolVersion: "2025-03-26" }],
    ["a client that shows its model text and structure", { name: "copilot-cli" }],
  ])("for %s promises no structure, and no answer has any", async (_, who) => {
    const { client, research } = await connect(who);
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.finish();
    const result = await call;
    expect(result).not.toHaveProperty("structuredContent");
    expect(JSON.parse(textOf(result))).toMatchObject({ success: true, result: searchReport().result });
    expect(await client.callTool({ name: "research_cancel", arguments: { job_id: "x" } })).toEqual({
      content: [{ type: "text", text: expect.stringContaining('"INVALID_INPUT"') }],
      isError: true,
    });
  });
  test("has the tools of the contract with their required inputs", async () => {
    const { tools } = await (await connect()).client.listTools();
    expect(tools.map((tool) => [tool.name, tool.inputSchema.required])).toEqual([
      ["search", ["query"]],
      ["deep_search", ["query"]],
      ["deep_research", ["topic"]],
      ["research_result", ["job_id"]],
      ["research_cancel", ["job_id"]],
    ]);
    expect(tools.every((tool) => tool.annotations !== undefined)).toBe(true);
  });
  test("instructions and descriptions stay below what hosts cut", () => {
    for (const text of [INSTRUCTIONS, ...TOOLS.map((tool) => tool.definition.description)]) {
      expect(text.length).toBeLessThanOrEqual(1_500);
    }
  });
  test("the protocol versions of the greeting are the SDK's", () => {
    expect(PROTOCOL_VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  });
});

describe("search", () => {
  test("gives the object as structure, and as a text that begins with the report [search/success-format]", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.finish();
    const result = await call;
    expect(result.structuredContent).toEqual({
      ...searchReport(),
      status: "completed",
      job_id: expect.stringMatching(/^search-/),
    });
    const { result: report, ...rest } = answerOf(result);
    expect(textOf(result)).toBe(`${report}\n\n${JSON.stringify(rest)}`);
    expect(result.isError).toBeUndefined();
    expect(research.asked).toEqual([{ tool: "search", request: { query } }]);
  });

  test("passes the optional inputs on in the words of the research", async () => {
    const { client, research } = await connect();
    const call = client.callTool({
      name: "deep_search",
      arguments: { query, max_iterations: "3", model: "flash", allowed_domains: ["who.int"], recency: "week" },
    });
    await research.hasAsked(1);
    research.finish(deepReport());
    expect((await call).structuredContent).toMatchObject({ verified: true, metadata: { iterations: 2 } });
    expect(research.asked[0]?.request).toEqual({
      query,
      model: "flash",
      maxRounds: 3,
      filters: { allowedDomains: ["who.int"], recency: "week" },
    });
  });

  test("an argument that is empty was left out: the same question, however a model fills the others in", async () => {
    const { client, research } = await connect();
    const empty = {
      allowed_domains: [],
      files: [],
      language: "",
      model: " ",
      recency: null,
      output_schema: {},
      plan: {},
    };
    const calls = [{}, empty].map((more) => client.callTool({ name: "search", arguments: { query, ...more } }));
    await research.hasAsked(1);
    research.finish();
    const [one, other] = (await Promise.all(calls)).map(answerOf);
    expect(other?.["job_id"]).toBe(one?.["job_id"]);
    expect(research.asked).toEqual([{ tool: "search", request: { query } }]);
  });

  test("fewer than 2 rounds are no wrong input: they count as 2, and the answer says so", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "deep_search", arguments: { query, max_iterations: 0 } });
    await research.hasAsked(1);
    research.finish(deepReport());
    expect(answerOf(await call)).toMatchObject({
      success: true,
      metadata: { iterations: 2, warnings: ["max_iterations 0 counts as 2."] },
    });
    expect(research.asked[0]?.request).toEqual({ query, maxRounds: 2 });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["no query", {}, /query is missing.*text of 1 to 50000 characters/],
    ["an empty query", { query: "  " }, /query must be a text of 1 to 50000 characters/],
    ["a number", { query: 5 }, /query must be/],
    ["an unknown recency", { query, recency: "hour" }, /recency must be one of day, week, month, year/],
    ["a domain that is none", { query, allowed_domains: ["https://who.int/"] }, /Not a domain: "https:\/\/who.int\/"/],
    ["too many domains", { query, allowed_domains: Array(101).fill("a.example") }, /a list of at most 100 texts/],
    ["a long domain", { query, blocked_domains: ["a".repeat(254)] }, /each of at most 253 characters/],
    ["a long language", { query, language: "e".repeat(1_001) }, /language must be a text of 1 to 1000/],
    ["a long query", { query: "a".repeat(50_001) }, /of 1 to 50000 characters/],
    ["a negative wait", { query, wait_seconds: -1 }, /wait_seconds must be a number, at least 0 and at most 3600/],
  ])("refuses %s with INVALID_INPUT and what was expected", async (_, args, message) => {
    const { client, research, jobs } = await connect();
    const result = await client.callTool({ name: "search", arguments: args });
    expect(await jobs.list(1)).toEqual([]);
    expect(result.isError).toBe(true);
    expect(answerOf(result)).toEqual({
      success: false,
      error: { code: "INVALID_INPUT", message: expect.stringMatching(message) },
    });
    expect(research.asked).toEqual([]);
  });

  test("refuses more rounds than there may be", async () => {
    const { client, research } = await connect();
    const result = await client.callTool({ name: "deep_search", arguments: { query, max_iterations: 21 } });
    const message = expect.stringContaining("max_iterations must be at most 20");
    expect(answerOf(result)).toMatchObject({ success: false, error: { code: "INVALID_INPUT", message } });
    expect(research.asked).toEqual([]);
  });

  test("what is told back of wrong names is short", async () => {
    const { client } = await connect();
    const name = "t".repeat(100_000);
    const error = await client.callTool({ name }).catch((thrown: Error) => thrown);
    expect((error as Error).message.length).toBeLessThan(500);
  });

  test("a key that a host adds is ignored", async () => {
    const { client, research } = await connect();
    const args = { query, wait_for_previous: true, constructor: 1 };
    const call = client.callTool({ name: "search", arguments: args });
    await research.hasAsked(1);
    research.finish();
    expect(answerOf(await call)).toMatchObject({ success: true });
    expect(research.asked[0]?.request).toEqual({ query });
  });

  test.each<[string, RegExp]>([
    ["CLI_NOT_FOUND", /npm install -g @google\/gemini-cli/],
    ["AUTH_REQUIRED", /GEMINI_API_KEY/],
    ["QUOTA_EXCEEDED", /GEMINI_MODEL/],
    ["MODEL_NOT_FOUND", /GEMINI_MODEL/],
  ])("a failure with %s says the next step", async (code, step) => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.fail(Object.assign(new ResearchError("EXECUTION_ERROR", "it happened"), { code }));
    const result = await call;
    expect(result.isError).toBe(true);
    expect(answerOf(result)).toEqual({
      success: false,
      error: { code, message: "it happened", details: expect.stringMatching(step) },
    });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    // A model would ask again and again.
    const forUser = code !== "MODEL_NOT_FOUND";
    expect(
      String((answerOf(result)["error"] as { details: string }).details).endsWith("Tell the user; do not retry."),
    ).toBe(forUser);
  });

  test("a timeout names the setting to raise [search/timeout]", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    const cause = Object.assign(new Error("too long"), { code: "EXECUTION_ERROR", reason: "timeout" });
    research.fail(new ResearchError("EXECUTION_ERROR", "too long", { cause }));
    expect(answerOf(await call)).toMatchObject({
      error: { details: expect.stringContaining("GEMINI_SEARCH_TIMEOUT") },
    });
  });

  test("an error that is none of ours has no stack in its answer [search/error-format]", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.fail(Object.assign(new TypeError("boom"), { code: "ENOENT" }));
    expect(answerOf(await call)).toEqual({ success: false, error: { code: "EXECUTION_ERROR", message: "boom" } });
  });
});

describe("deep_research", () => {
  const report = {
    success: true,
    report: "# Sky",
    metadata: { duration_ms: 1, topic: "sky", depth: "detailed", model: "m", timestamp: "t" },
  };

  test("answers with its envelope as one text and nothing else [design/deep-research-stays]", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "deep_research", arguments: { topic: "sky", unknown: 1 } });
    await research.hasAsked(1);
    research.finish(report);
    expect(await call).toEqual({ content: [{ type: "text", text: JSON.stringify(report, null, 2) }] });
    expect(research.asked[0]?.request).toEqual({ topic: "sky", depth: "detailed" });
  });

  test.each([
    ["CLI_NOT_FOUND", "CLI_NOT_FOUND"],
    ["RESEARCH_FAILED", "RESEARCH_FAILED"],
    ["AUTH_REQUIRED", "EXECUTION_ERROR"],
    ["QUOTA_EXCEEDED", "EXECUTION_ERROR"],
  ])("knows only its own codes: %s → %s", async (thrown, code) => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "deep_research", arguments: { topic: "sky" } });
    await research.hasAsked(1);
    research.fail(Object.assign(new ResearchError("EXECUTION_ERROR", "no"), { code: thrown, reason: "timeout" }));
    const result = await call;
    expect(result.isError).toBe(true);
    expect(answerOf(result)).toEqual({ success: false, error: { code, message: "no", details: expect.any(String) } });
  });
});

describe("a call that would outlive its client", () => {
  test("answers running with what is known, and research_result gives the report", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "deep_search", arguments: { query, wait_seconds: 0.05 } });
    await research.hasAsked(1);
    research.tell(
      { type: "round-start", round: 1, of: 5 },
      { type: "step", round: 1, step: { type: "tool-call", id: "1", tool: "google_web_search", query: "sky blue" } },
      { type: "round-end", round: 1, verified: false, result: "so far" },
      { type: "round-start", round: 2, of: 5 },
    );
    const running = (await call).structuredContent as Record<string, unknown>;
    const { job_id } = running;
    expect(running).toMatchObject({
      success: true,
      status: "running",
      result: "Not finished: round 2/5 · starting the Gemini CLI. So far: so far",
      metadata: { query, round: 2, rounds: 5, searches: 1, next: expect.stringContaining(String(job_id)) },
    });
    expect(textOf(await call)).toMatch(/^Not finished: /);
    const result = client.callTool({ name: "research_result", arguments: { job_id } });
    research.finish(deepReport());
    expect((await result).structuredContent).toEqual({ ...deepReport(), status: "completed", job_id });
  });

  test("MAX_WAIT_MS limits every call, and a call may say otherwise", async () => {
    const { client, research } = await connect({ maxWaitMs: 20, name: "claude-code" });
    const { job_id, status } = answerOf(await client.callTool({ name: "search", arguments: { query } }));
    expect(status).toBe("running");
    const patient = client.callTool({ name: "research_result", arguments: { job_id, wait_seconds: 60 } });
    await research.hasAsked(1);
    research.finish();
    expect(answerOf(await patient)).toMatchObject({ status: "completed", job_id });
  });

  test("the same question joins the running job", async () => {
    const { client, research } = await connect();
    const first = client.callTool({ name: "search", arguments: { query } });
    const second = client.callTool({ name: "search", arguments: { query: ` ${query.replace(" ", "\n")} ` } });
    await research.hasAsked(1);
    research.finish();
    expect((await first).structuredContent).toEqual((await second).structuredContent);
    expect(research.asked).toHaveLength(1);
  });

  test("a job_id that is none is INVALID_INPUT, whatever it is", async () => {
    const { client } = await connect();
    for (const job_id of ["search-0000000000", "../../etc/passwd", "x"]) {
      for (const name of ["research_result", "research_cancel"]) {
        expect(answerOf(await client.callTool({ name, arguments: { job_id } }))).toMatchObject({
          error: { code: "INVALID_INPUT" },
        });
      }
    }
  });

  test("survives a restart: a finished report is still there, an unfinished deep search goes on", async () => {
    const files = createMemoryFiles();
    const before = await connect({ files });
    const done = before.client.callTool({ name: "search", arguments: { query } });
    await before.research.hasAsked(1);
    before.research.finish();
    const finished = answerOf(await done);
    const broken = answerOf(
      await before.client.callTool({ name: "deep_search", arguments: { query, wait_seconds: 0 } }),
    );
    await before.research.hasAsked(2);
    await before.jobs.close();

    const after = await connect({ files, pid: 2 });
    const again = await after.client.callTool({ name: "research_result", arguments: { job_id: finished.job_id } });
    expect(answerOf(again)).toEqual(finished);
    const resumed = after.client.callTool({ name: "research_result", arguments: { job_id: broken.job_id } });
    await after.research.hasAsked(1);
    expect(after.research.asked).toEqual([{ tool: "deep_search", request: { query }, resume: "research-2" }]);
    after.research.finish(deepReport());
    expect(answerOf(await resumed)).toMatchObject({ success: true, status: "completed", job_id: broken.job_id });
  });

  test("a call that its server breaks off says so, and how to go on", async () => {
    const { client, research, jobs } = await connect();
    const call = client.callTool({ name: "deep_search", arguments: { query } });
    await research.hasAsked(1);
    await jobs.close();
    expect(answerOf(await call)).toMatchObject({
      status: "running",
      result: expect.stringContaining("interrupted"),
      metadata: { next: expect.stringContaining("research_result") },
    });
  });

  test.each([
    { failure: [] },
    { failure: {} },
    { failure: undefined },
    { state: "completed", report: { success: true, result: "", metadata: null } },
  ])("a record that is damaged (%j) is none", async (damage) => {
    const files = createMemoryFiles();
    const before = await connect({ files });
    const call = before.client.callTool({ name: "search", arguments: { query } });
    await before.research.hasAsked(1);
    before.research.finish();
    const { job_id } = answerOf(await call);
    files.put(job_id as string, { ...((await files.load(job_id as string)) as object), state: "failed", ...damage });
    const after = await connect({ files, pid: 2 });
    const answer = answerOf(await after.client.callTool({ name: "research_result", arguments: { job_id } }));
    expect(answer).toMatchObject({ success: false, error: { code: "INVALID_INPUT" } });
  });

  test("a job of another live server is not taken over", async () => {
    const files = createMemoryFiles();
    const one = await connect({ files, pid: 1 });
    const { job_id } = answerOf(await one.client.callTool({ name: "search", arguments: { query, wait_seconds: 0 } }));
    await one.research.hasAsked(1);
    const two = await connect({ files, pid: 2, isAlive: () => true });
    const waiting = await two.client.callTool({ name: "research_result", arguments: { job_id, wait_seconds: 0 } });
    expect(answerOf(waiting)).toMatchObject({ status: "running", job_id });
    expect(two.research.asked).toEqual([]);
    one.research.finish();
    const result = await two.client.callTool({ name: "research_result", arguments: { job_id } });
    expect(answerOf(result)).toMatchObject({ status: "completed", result: searchReport().result });
  });
});

test.each([
  [null, "query is missing"],
  [[], "The arguments must be an object."],
  ["why", "The arguments must be an object."],
])("arguments that are no object (%j) are answered by the tool", async (args, words) => {
  const { client } = await connect();
  const params = { name: "deep_search", arguments: args };
  const result = await client.request({ method: "tools/call", params } as never, CallToolResultSchema);
  expect(result.isError).toBe(true);
  expect(answerOf(result)).toMatchObject({ error: { code: "INVALID_INPUT", message: expect.stringContaining(words) } });
});

test.each<[string, object, RegExp]>([
  ["resources/read", { uri: 5 }, /uri must be a text/],
  ["prompts/get", {}, /name must be a text/],
  ["prompts/get", { name: "other" }, /There is no prompt "other"/],
  ["prompts/get", { name: "research", arguments: { question: 5 } }, /arguments must be an object of texts/],
  ["tools/call", { name: 5 }, /Unknown tool 5/],
])("%s with %j is invalid, in words", async (method, params, words) => {
  const { client } = await connect();
  await expect(client.request({ method, params } as never, CallToolResultSchema)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringMatching(words),
  });
});

describe("cancel", () => {
  test("research_cancel ends the job", async () => {
    const { client, research } = await connect();
    const { job_id } = answerOf(await client.callTool({ name: "search", arguments: { query, wait_seconds: 0 } }));
    await research.hasAsked(1);
    const result = await client.callTool({ name: "research_cancel", arguments: { job_id } });
    expect(result.structuredContent).toMatchObject({ success: true, status: "cancelled", job_id });
    expect(answerOf(await client.callTool({ name: "research_result", arguments: { job_id } }))).toMatchObject({
      success: false,
      error: { code: "CANCELLED" },
    });
  });

  test("a job that a restart broke off can be cancelled instead of going on", async () => {
    const files = createMemoryFiles();
    const before = await connect({ files });
    const { job_id } = answerOf(
      await before.client.callTool({ name: "search", arguments: { query, wait_seconds: 0 } }),
    );
    await before.research.hasAsked(1);
    await before.jobs.close();
    const after = await connect({ files, pid: 2 });
    await after.client.callTool({ name: "research_cancel", arguments: { job_id } });
    expect(answerOf(await after.client.callTool({ name: "research_result", arguments: { job_id } }))).toMatchObject({
      error: { code: "CANCELLED" },
    });
    expect(after.research.asked).toEqual([]);
  });

  test("a cancelled call ends its job, unless another call waits for it", async () => {
    const { client, research, jobs } = await connect();
    const gone = new AbortController();
    const first = client.callTool({ name: "deep_search", arguments: { query } }, undefined, { signal: gone.signal });
    const second = client.callTool({ name: "deep_search", arguments: { query } });
    await research.hasAsked(1);
    gone.abort("enough");
    await expect(first).rejects.toThrow("enough");
    research.finish(deepReport());
    expect(answerOf(await second)).toMatchObject({ success: true });

    const alone = new AbortController();
    const third = client.callTool({ name: "search", arguments: { query } }, undefined, { signal: alone.signal });
    await research.hasAsked(2);
    alone.abort("enough");
    await expect(third).rejects.toThrow("enough");
    await expect.poll(async () => (await jobs.list(9)).find((job) => job.tool === "search")?.state).toBe("cancelled");
  });

  test("a wait for a job whose id was given out ends alone when it is cancelled", async () => {
    const { client, research, jobs } = await connect();
    const { job_id } = answerOf(await client.callTool({ name: "deep_search", arguments: { query, wait_seconds: 0 } }));
    await research.hasAsked(1);
    const job = await jobs.find(job_id as string);
    if (job === undefined) throw new Error("the job is gone");
    expect(await jobs.wait(job, { waitMs: undefined, signal: AbortSignal.abort() })).toBe("cancelled");
    research.finish(deepReport());
    const result = await client.callTool({ name: "research_result", arguments: { job_id } });
    expect(answerOf(result)).toMatchObject({ success: true, status: "completed", job_id });
  });

  test("a question that is asked again while its job is being cancelled starts anew", async () => {
    const { research, jobs } = await connect();
    const { job: first } = await jobs.start("search", { query });
    await research.hasAsked(1);
    const cancelled = jobs.cancel(first.record.id);
    const { job: second } = await jobs.start("search", { query });
    expect(second.record.id).not.toBe(first.record.id);
    await cancelled;
    await research.hasAsked(2);
    research.finish();
    await second.ended();
    expect(second.record.state).toBe("completed");
  });
});

describe("progress", () => {
  test("comes at once, rises, has content, and never after the answer", async () => {
    const { client, research } = await connect();
    const heard: { progress: number; message?: string | undefined }[] = [];
    let answered = false;
    const call = client
      .callTool({ name: "deep_search", arguments: { query } }, undefined, {
        onprogress: (progress) => {
          expect(answered).toBe(false);
          heard.push(progress);
        },
      })
      .then((result) => {
        answered = true;
        return result;
      });
    await expect.poll(() => heard.length).toBe(1);
    research.tell(
      { type: "round-start", round: 2, of: 5 },
      {
        type: "step",
        round: 2,
        step: { type: "tool-call", id: "1", tool: "web_fetch", urls: ["https://example.org/a"] },
      },
    );
    await expect.poll(() => heard.length).toBe(2);
    expect(heard[1]?.message).toMatch(/^round 2\/5 · reading 1 of 1 · example\.org · \d+ s · deep-search-/);
    research.finish(deepReport());
    await call;
    expect(heard.map(({ progress }) => progress)).toEqual([1, 2]);
  });
});

describe("long reports", () => {
  const paragraph = `${'A "quoted" sentence with an umlaut ä and an emoji 🌍. '.repeat(10)}\n`;
  const long = paragraph.repeat(60);

  test("come whole where the client takes them", async () => {
    const { client, research } = await connect({ name: "claude-code" });
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.finish(searchReport(long));
    expect((await call).structuredContent).toMatchObject({ result: long });
  });

  test("come in pages of at most 8,000 characters where the client cuts, and the pages hold everything", async () => {
    const { client, research } = await connect({ name: "codex-mcp-client" });
    const call = client.callTool({ name: "deep_search", arguments: { query } });
    await research.hasAsked(1);
    research.finish(deepReport(long));
    let answer = await call;
    let text = "";
    for (let page = 1; ; page++) {
      const { job_id, result, metadata } = answerOf(answer) as {
        job_id: string;
        result: string;
        metadata: { page: number; pages: number };
      };
      expect(JSON.stringify(answer.structuredContent, null, 2).length).toBeLessThanOrEqual(8_000);
      expect(metadata.page).toBe(page);
      text += result;
      if (page === metadata.pages) break;
      answer = await client.callTool({ name: "research_result", arguments: { job_id, page: page + 1 } });
    }
    expect(text.startsWith(long.trimEnd())).toBe(true);
    for (const part of ["https://example.org/sky", "sky blue cause", "intermediate_result_summary", "verified: true"]) {
      expect(text).toContain(part);
    }
  });

  test("a first page says what to be careful about, and has room for the longest words beside it", async () => {
    const { client, research } = await connect({ name: "codex-mcp-client" });
    const asked = '"'.repeat(1_000);
    const call = client.callTool({ name: "deep_search", arguments: { query: asked } });
    await research.hasAsked(1);
    const report = deepReport(long);
    const evidence = { status: "available", citation_accuracy: 0.5, independent_hosts: 3, sources: [], claims: [] };
    const warnings = ['Cited, and excluded: "a"', "w".repeat(1_000), "One too many."];
    const sources_visited = Array.from({ length: 100 }, (_, at) => `https://${at}.example/`);
    const more = { query: asked, note: "n".repeat(1_000), search_queries_used: Array(300).fill('"'), sources_visited };
    research.finish({ ...report, metadata: { ...report.metadata, ...more, warnings, evidence } });
    const answer = await call;
    expect(JSON.stringify(answer.structuredContent, null, 2).length).toBeLessThanOrEqual(8_000);
    expect(answerOf(answer)).toMatchObject({
      verified: true,
      metadata: {
        warnings: ['Cited, and excluded: "a"', `${"w".repeat(299)}…`, "One too many."],
        evidence: { status: "available", citation_accuracy: 0.5, independent_hosts: 3 },
        left_out: expect.stringMatching(/^\d+ of 100 sources_visited, 300 search_queries_used, rounds:/),
      },
    });
    const { sources_visited: shown } = answerOf(answer)["metadata"] as { sources_visited: string[] };
    expect(sources_visited.slice(0, shown.length)).toEqual(shown);
  });

  test("of the older tool come in pages too where the client cuts, in its own envelope", async () => {
    const { client, research } = await connect({ name: "codex-mcp-client" });
    const call = client.callTool({ name: "deep_research", arguments: { topic: "sky" } });
    await research.hasAsked(1);
    const metadata = { duration_ms: 1, topic: "sky", depth: "detailed", model: "m", timestamp: "t" };
    research.finish({ success: true, report: long, metadata });
    const answer = await call;
    expect(answer).toEqual({ content: [expect.anything()] });
    expect(JSON.stringify(answerOf(answer), null, 2).length).toBeLessThanOrEqual(8_000);
    const first = answerOf(answer) as { report: string; metadata: { pages: number; next: string } };
    expect(Object.keys(first)).toEqual(["success", "report", "metadata"]);
    expect(first.metadata).toMatchObject(metadata);
    let text = first.report;
    const { job_id } = JSON.parse(/\{.*\}/.exec(first.metadata.next)?.[0] ?? "");
    for (let page = 2; page <= first.metadata.pages; page++) {
      text += answerOf(await client.callTool({ name: "research_result", arguments: { job_id, page } }))["result"];
    }
    expect(text.startsWith(long.trimEnd())).toBe(true);
  });

  test.each([
    ["structure too", { name: "@cline/core" }],
    ["text alone", { name: "copilot-cli" }],
  ])("what a page is and where the next one is stand before its text, for %s", async (_, who) => {
    const { client, research } = await connect(who);
    const call = client.callTool({ name: "deep_search", arguments: { query } });
    await research.hasAsked(1);
    research.finish(deepReport(long));
    const first = await call;
    const { job_id } = answerOf(first);
    const second = await client.callTool({ name: "research_result", arguments: { job_id, page: 2 } });
    for (const [at, page] of [first, second].entries()) {
      const [head = ""] = textOf(page).split("sentence with an umlaut");
      for (const part of [
        `"job_id": *"${job_id}"`,
        `"page": *${at + 1}`,
        `"pages": *\\d`,
        '"next": *"Call research_result',
      ])
        expect(head).toMatch(new RegExp(part));
      if (page.structuredContent === undefined) continue;
      const structure = JSON.stringify(page.structuredContent);
      expect(structure.indexOf('"next"')).toBeLessThan(structure.indexOf('"result"'));
    }
  });

  test("a page that is not there is INVALID_INPUT", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.finish();
    const { job_id } = answerOf(await call);
    expect(answerOf(await client.callTool({ name: "research_result", arguments: { job_id, page: 9 } }))).toEqual({
      success: false,
      error: { code: "INVALID_INPUT", message: "There is no page 9: the report has 1." },
    });
  });
});

describe("resources and prompts", () => {
  test("a finished report is a Markdown resource", async () => {
    const { client, research } = await connect();
    const call = client.callTool({ name: "search", arguments: { query } });
    await research.hasAsked(1);
    research.finish();
    const { job_id } = answerOf(await call);
    const uri = `report://${job_id}`;
    expect((await client.listResources()).resources).toMatchObject([{ uri, title: query, mimeType: "text/markdown" }]);
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      { uri, mimeType: "text/markdown", text: expect.stringContaining("Rayleigh scattering [1].") },
    ]);
    await expect(client.readResource({ uri: "report://../../etc/passwd" })).rejects.toMatchObject({ code: -32_002 });
  });

  test("the prompts fill in their arguments and name a missing one", async () => {
    const { client } = await connect();
    expect((await client.listPrompts()).prompts.map((prompt) => prompt.name)).toEqual(["research", "compare"]);
    const { messages } = await client.getPrompt({ name: "compare", arguments: { items: "a, b", criteria: "$&" } });
    expect(messages[0]?.content).toMatchObject({ text: expect.stringMatching(/compare: a, b\nWhat matters: \$&/) });
    await expect(client.getPrompt({ name: "research" })).rejects.toThrow("question is missing");
  });
});

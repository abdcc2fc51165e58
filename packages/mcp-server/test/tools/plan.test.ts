import { expect, test } from "vitest";
import { answerOf, connect, textOf } from "../support/connect.js";
import { deepReport, searchReport } from "../support/fake-research.js";

const query = "Which heat pump is the quietest?";
const plan = { aspects: ["How loud"], queries: ["quietest heat pump", "heat pump noise complaints"] };
const usage = { runs: 3, input_tokens: 0, output_tokens: 0, total_tokens: 60_000, duration_ms: 90_000 };
const planReport = () => {
  const { metadata } = searchReport();
  return { success: true, result: "## What would be searched first", plan, metadata: { ...metadata, usage } };
};

test("plan_only gives the plan and says how to go on; passed back, it reaches the research", async () => {
  const { client, research } = await connect();
  const planning = client.callTool({ name: "deep_search", arguments: { query, plan_only: true } });
  await research.hasAsked(1);
  expect(research.asked[0]).toMatchObject({ tool: "deep_search", request: { query, planOnly: true } });
  research.finish(planReport());
  const answer = answerOf(await planning);
  expect(answer).toMatchObject({ success: true, status: "completed", plan });
  expect(answer).toHaveProperty(
    ["metadata", "next"],
    `Show the plan to the user. To research by it, call deep_search with the same query and ${JSON.stringify({ plan })}, as it is or as the user changes it, without plan_only.`,
  );
  const changed = { queries: ["one query of my own"] };
  const asking = client.callTool({ name: "deep_search", arguments: { query, plan: JSON.stringify(changed) } });
  await research.hasAsked(2);
  expect(research.asked[1]?.request).toEqual({ query, plan: changed });
  research.finish(deepReport());
  expect(answerOf(await asking)).toMatchObject({ success: true, verified: true });
});

test("a plan is told what earlier researches of its kind cost, and no plan counts among them", async () => {
  const { client, research, jobs } = await connect();
  const ask = async (name: string, more: object, report: object, at: number) => {
    const asking = client.callTool({ name, arguments: { query: `${query} ${at}`, ...more } });
    await research.hasAsked(at);
    research.finish(report);
    return answerOf(await asking);
  };
  const { metadata, ...deep } = deepReport();
  await ask("deep_search", {}, { ...deep, metadata: { ...metadata, usage } }, 1);
  await ask("search", {}, { ...searchReport(), metadata: { ...searchReport().metadata, usage } }, 2);
  await ask("deep_search", { plan_only: true }, planReport(), 3);
  const past = [{ rounds: 2, runs: 3, total_tokens: 60_000, duration_ms: 90_000 }];
  expect(research.asked[2]?.request).toMatchObject({ planOnly: true, past });
  await ask("deep_search", { plan_only: true }, planReport(), 4);
  expect(research.asked[3]?.request).toMatchObject({ past });
  expect((await jobs.list(9)).map(({ isPlan = false }) => isPlan)).toEqual([true, true, false, false]);
});

test("asked again after a time-out the same plan is joined, whatever was researched meanwhile", async () => {
  const { client, research } = await connect();
  const args = { name: "deep_search", arguments: { query, plan_only: true, wait_seconds: 0 } };
  const { job_id } = answerOf(await client.callTool(args));
  const other = client.callTool({ name: "deep_search", arguments: { query: "Something else?", wait_seconds: 0 } });
  expect(answerOf(await other)).toMatchObject({ status: "running" });
  expect(answerOf(await client.callTool(args))).toMatchObject({ job_id });
  await research.hasAsked(2);
  expect(research.asked).toHaveLength(2);
});

test("a plan has no report to ask on from", async () => {
  const { client, research } = await connect();
  const planning = client.callTool({ name: "search", arguments: { query, plan_only: true } });
  await research.hasAsked(1);
  research.finish(planReport());
  const { job_id } = answerOf(await planning);
  const result = await client.callTool({ name: "search", arguments: { query: "And?", follow_up_of: job_id } });
  expect(answerOf(result)).toMatchObject({
    success: false,
    error: {
      code: "INVALID_INPUT",
      message: `${job_id} is a plan, which has no report to ask on from. Research by it first.`,
    },
  });
});

test("a client that gets pages has the plan on the first", async () => {
  const { client, research } = await connect({ name: "codex-mcp-client" });
  const planning = client.callTool({ name: "deep_search", arguments: { query, plan_only: true } });
  await research.hasAsked(1);
  research.finish({ ...planReport(), result: "Long. ".repeat(3_000) });
  const result = await planning;
  expect(JSON.parse(textOf(result).split("\n\n")[0] ?? "")).toMatchObject({ plan, metadata: { page: 1 } });
});

test.each([
  ["deep_search", { plan_only: true, plan }, /A plan is asked for, and one is given/],
  ["search", { plan }, /A search makes one search, and its plan has 2 queries/],
  ["deep_search", { plan: { queries: ["a", 5] } }, /plan\.queries\[1\] is 5\. Expected one line/],
  ["deep_search", { plan: ["a"] }, /plan must be an object/],
  ["deep_search", { plan: { query: "a" } }, /it has "query"\. Expected \{ aspects\?, queries \}/],
  ["deep_search", { web: false }, /Without the web there is nothing to research in/],
])("%s with %j is refused before there is a job", async (name, more, message) => {
  const { client, jobs } = await connect();
  const result = await client.callTool({ name, arguments: { query, ...more } });
  expect(answerOf(result)).toMatchObject({
    success: false,
    error: { code: "INVALID_INPUT", message: expect.stringMatching(message) },
  });
  expect(await jobs.list(1)).toEqual([]);
});

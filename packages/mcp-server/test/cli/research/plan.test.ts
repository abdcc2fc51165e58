import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainGemini, promptsOf } from "../../support/place.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

const QUESTION = "How large is Lake Vessin?";
const PLAN = { success: true, aspects: ["Its area"], queries: ["Lake Vessin area km²", "Lake Vessin size history"] };
const ANSWER = { success: true, verified: true, report: "212 km².", metadata: { sources_visited: [] } };

const run = (answer: object, ...argv: string[]) =>
  place.run(argv, { env: { GEMINI_CLI_PATH: plainGemini(place, answer) } });
const planJson = (value: unknown) => writeFileSync(join(place.home, "plan.json"), JSON.stringify(value));

test("--plan shows plan and cost and how to go on; again researches by it, --plan-file by a changed one", async () => {
  const { code, out, err } = await run(PLAN, "deep-search", QUESTION, "--plan", "--require-verified");
  expect(code).toBe(0);
  expect(out).toMatch(
    /## What the answer must cover\n\n- Its area\n\n## What would be searched first\n\n1\. Lake Vessin area km²\n2\. /,
  );
  expect(out).toContain("2 to 5 runs");
  const [, id = ""] = /again (\w{10})\n/.exec(err) ?? [];
  expect((await place.run(["list"])).out).toMatch(/plan.*How large/);

  const again = await run(ANSWER, "again", id, "--json", "--quiet");
  expect(JSON.parse(again.out)).toMatchObject({ result: "212 km².", metadata: { plan: { queries: PLAN.queries } } });
  expect(promptsOf(place).at(-1)).toContain("- Lake Vessin size history");

  const shown = JSON.parse((await place.run(["show", id, "--json"])).out);
  expect(shown.plan).toEqual({ aspects: PLAN.aspects, queries: PLAN.queries });
  shown.plan.queries = ["a query of my own"];
  planJson(shown);
  const changed = await run(ANSWER, "again", id, "--plan-file", "plan.json", "--json", "--quiet");
  expect(JSON.parse(changed.out)).toMatchObject({ metadata: { plan: { queries: ["a query of my own"] } } });
  expect(promptsOf(place).at(-1)).not.toContain("Lake Vessin size history");
});

test("the estimate is made of what was researched before, and again with --plan plans anew", async () => {
  await run(ANSWER, "deep-search", QUESTION, "--quiet");
  const { out } = await run(PLAN, "again", "--last", "--plan", "--quiet");
  expect(out).toContain("By what the last deep search cost a round.");
  const research = await run(ANSWER, "again", "--last", "--json", "--quiet");
  expect(JSON.parse(research.out)).toHaveProperty(["metadata", "plan"]);
  const anew = await run(PLAN, "again", "--last", "--plan", "--json", "--quiet");
  expect(JSON.parse(anew.out)).toMatchObject({ plan: { queries: PLAN.queries } });
});

test("a plan alone in a file serves as well, --json prints nothing else", async () => {
  planJson({ queries: ["just this"] });
  const { code, out } = await run(ANSWER, "search", QUESTION, "--plan-file", "plan.json", "--json", "--quiet");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ metadata: { plan: { queries: ["just this"] } } });
});

test.each<[string, unknown, string[], RegExp]>([
  ["no JSON", undefined, [], /--plan-file plan\.json: it is no JSON: /],
  ["a list", ["a"], [], /plan is \["a"\]\. Expected \{ aspects\?, queries \}/],
  ["a misspelt name", { querys: ["a"] }, [], /it has "querys"/],
  ["a plan without queries, in its answer", { plan: { aspects: ["a"] } }, [], /it has no queries/],
  ["an answer without a plan", { success: true, plan: null }, [], /plan is null/],
  ["two queries for a search", { queries: ["a", "b"] }, [], /its plan has 2 queries/],
  ["good, beside --plan", { queries: ["a"] }, ["--plan"], /A plan is asked for, and one is given/],
])("a plan file that is %s: wrong usage, said before anything is asked", async (_, value, more, message) => {
  if (value === undefined) writeFileSync(join(place.home, "plan.json"), "{queries");
  else planJson(value);
  const { code, err } = await run(ANSWER, "search", QUESTION, "--plan-file", "plan.json", ...more);
  expect(code).toBe(2);
  expect(err).toMatch(message);
  expect(promptsOf(place)).toEqual([]);
});

test("a plan cannot be asked on from", async () => {
  await run(PLAN, "search", QUESTION, "--plan", "--quiet");
  const { code, err } = await run(ANSWER, "ask", "--last", "And its depth?");
  expect(code).toBe(2);
  expect(err).toContain("is a plan, which has no report to ask on from.");
});

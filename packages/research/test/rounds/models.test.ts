import { expect, test } from "vitest";
import { deepSearch, type ResearchDeps, search } from "../../src/index.js";
import { createTempFiles } from "../../src/node/index.js";
import {
  answer,
  draft,
  drain,
  drainFailing,
  failure,
  final,
  recorded,
  type Turn,
  temporaryFolder,
  world,
} from "../world.js";

const BROKEN = "no JSON";

/** Which model each run of a search with one correction, and of a deep search with two rounds, is asked to use. */
async function modelsAsked(more: Partial<ResearchDeps>) {
  const tempFiles = createTempFiles({ directory: await temporaryFolder() });
  const asked = async (turns: Turn[], run: typeof search | typeof deepSearch) => {
    const { deps, requests } = world(turns, { tempFiles, ...more });
    await drain(run({ query: "q" }, deps) as ReturnType<typeof search>);
    return requests.map((request) => ("model" in request ? request.model : "no model"));
  };
  return {
    search: await asked([BROKEN, answer("one")], search),
    deepSearch: await asked([BROKEN, draft("one"), final("two")], deepSearch),
  };
}

test.each([
  ["without a setting, the CLI chooses [search/no-model] [deep-search/no-model]", {}, "no model", null],
  ["a main model is for main runs [search/main-model] [deep-search/main-model]", { model: "pro" }, "pro", null],
  [
    "a correction model is for corrections [search/correction-model] [deep-search/correction-model]",
    { correctionModel: "flash-lite" },
    "no model",
    "flash-lite",
  ],
  [
    "[search/both-models] [deep-search/both-models]",
    { model: "pro", correctionModel: "flash-lite" },
    "pro",
    "flash-lite",
  ],
])("rounds and corrections ask for the model of their own setting: %s", async (_, settings, main, correction) => {
  expect(await modelsAsked(settings)).toEqual({ search: [main, correction], deepSearch: [main, correction, main] });
});

test.each([
  [
    "the configured one [search/model-configured] [deep-search/model-configured]",
    "pro",
    "gemini-3.1-pro-preview",
    "pro",
  ],
  [
    "metadata.model is the one that the CLI reports [search/model-detected] [deep-search/model-detected]",
    undefined,
    "gemini-3.8-flash",
    "gemini-3.8-flash",
  ],
  [
    "metadata.model is auto-detected [search/model-unknown] [deep-search/model-unknown]",
    undefined,
    undefined,
    "auto-detected",
  ],
])("%s", async (_, model, detected, shown) => {
  const turn = (text: string) => ({ text, ...(detected !== undefined && { model: detected }) });
  const settings = model === undefined ? {} : { model };
  const one = await drain(search({ query: "q" }, world([turn(answer("one"))], settings).deps));
  const two = await drain(deepSearch({ query: "q" }, world([turn(draft("one")), turn(final("two"))], settings).deps));
  expect(one.report.metadata.model).toBe(shown);
  expect(two.report.metadata.model).toBe(shown);
});

test("the model of the call wins over the setting", async () => {
  const { deps, requests } = world([answer("one")], { model: "pro" });
  const { report } = await drain(search({ query: "q", model: "flash" }, deps));
  expect(requests[0]?.model).toBe("flash");
  expect(report.metadata.model).toBe("flash");
});

test.each([failure("QUOTA_EXCEEDED", "slow down", { scope: "minute" }), failure("MODEL_NOT_FOUND", "no such model")])(
  "a model that cannot answer now is replaced by the next of the list, for the rounds after it too: %s",
  async (error) => {
    const { deps, requests } = world([error, error, { text: draft("one"), model: "gemini-3.8-flash" }, final("two")]);
    const request = { query: "q", model: "pro", fallbackModels: ["pro", "flash", "flash-lite"] };
    const { report, events, logs } = await drain(deepSearch(request, deps));
    expect(requests.map(({ model }) => model)).toEqual(["pro", "flash", "flash-lite", "flash-lite"]);
    expect(events).toContainEqual({
      type: "model-fallback",
      round: 1,
      from: "pro",
      to: "flash",
      reason: error.message,
    });
    expect(logs[1]).toBe(`[WARN] ${error.message}. Asking flash instead.`);
    expect(report.metadata).toMatchObject({
      model: "flash-lite",
      models: { asked: "pro", answered: ["gemini-3.8-flash"] },
      iterations: 2,
    });
  },
);

test("without a list, and on a day's quota, the error stands", async () => {
  const minute = failure("QUOTA_EXCEEDED", "slow down", { scope: "minute" });
  const alone = world([minute]);
  expect((await drainFailing(search({ query: "q" }, alone.deps))).error).toMatchObject({
    code: "QUOTA_EXCEEDED",
    scope: "minute",
  });
  const day = world([failure("QUOTA_EXCEEDED", "the day is over", { scope: "day" })]);
  const { error } = await drainFailing(search({ query: "q", fallbackModels: ["flash"] }, day.deps));
  expect(error).toMatchObject({ code: "QUOTA_EXCEEDED", scope: "day" });
  expect(day.requests).toHaveLength(1);
});

test("tokens and runs are counted", async () => {
  const models = [
    { model: "a", roles: ["main"], inputTokens: 100, outputTokens: 20, totalTokens: 150 },
    { model: "b", roles: ["utility_tool"], inputTokens: 10, outputTokens: 2, totalTokens: 12 },
  ];
  const { deps } = world([
    { ...recorded(draft("one")), models },
    { ...recorded(final("two")), models },
  ]);
  const { report } = await drain(deepSearch({ query: "q" }, deps));
  expect(report.metadata.usage).toEqual({
    runs: 2,
    input_tokens: 220,
    output_tokens: 44,
    total_tokens: 324,
    duration_ms: 0,
  });
});

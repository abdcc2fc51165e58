import { expect, test } from "vitest";
import { builtInPrompts, checkRequest, deepResearch, deepSearch, type ResearchDeps, search } from "../src/index.js";
import { drainFailing, world } from "./world.js";

type Checked = Parameters<typeof checkRequest>[0];

test.each<[unknown, string]>([
  [undefined, "The request is missing"],
  [{}, "The query is missing"],
  [{ query: null }, "query is null"],
  [{ query: 5 }, "query is 5"],
  [{ query: "q", maxRounds: "5" }, 'maxRounds is "5"'],
  [{ query: "q", maxRounds: Number.NaN }, "maxRounds is NaN"],
  [{ query: "q", maxRounds: Number.POSITIVE_INFINITY }, "maxRounds is Infinity"],
  [{ resume: 5 }, "resume is 5"],
  [{ topic: 5 }, "The topic is missing"],
  [{ topic: "t", depth: "deep" }, "The depth is unknown"],
  [{ query: "q", budget: { maxRuns: "2" } }, 'maxRuns is "2"'],
])("what cannot be asked is told by its name: %j", (request, said) => {
  expect(() => checkRequest(request as Checked)).toThrow(
    expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(said) }),
  );
});

test.each<Checked>([{ query: "q" }, { query: "q", maxRounds: 1 }, { resume: "id" }, { topic: "t", depth: "concise" }])(
  "what can be asked passes: %j",
  (request) => {
    expect(checkRequest(request)).toBeUndefined();
  },
);

const { runner } = world([]).deps;

test.each<[unknown, string]>([
  [undefined, "runner is missing"],
  [{ prompts: builtInPrompts }, "runner is missing"],
  [{ runner: {}, prompts: builtInPrompts }, "runner is missing"],
  [{ runner }, "prompts is missing"],
  [{ runner, prompts: { ...builtInPrompts, verify: undefined } }, "prompts.verify is missing"],
])("a dependency that is missing is named: %j", async (given, said) => {
  const deps = given as ResearchDeps;
  for (const run of [
    search({ query: "q" }, deps),
    deepSearch({ query: "q" }, deps),
    deepResearch({ topic: "t" }, deps),
  ]) {
    const { error } = await drainFailing(run);
    expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining(said) });
  }
});

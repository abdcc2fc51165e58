import { runnerContract } from "@x/research/testing";
import { afterAll, describe, test } from "vitest";
import { geminiCli, PooledGeminiCli, scripted } from "../seam/harnesses.js";

const pooledGeminiCli = new PooledGeminiCli();
afterAll(() => pooledGeminiCli.close());

describe.each([
  ["Gemini CLI", geminiCli],
  ["Gemini CLI, one process for all runs", pooledGeminiCli],
  ["a scripted one", scripted],
])("the runner's contract: %s", (_, harness) => {
  test.each(runnerContract.map(({ title, check }) => [title, check] as const))("%s", async (_title, check) => {
    await check(harness);
  });
});

import { runnerContract } from "@x/research/testing";
import { describe, test } from "vitest";
import { geminiCli, pooledGeminiCli, scripted } from "../seam/harnesses.js";

describe.each([
  ["Gemini CLI", geminiCli],
  ["Gemini CLI, one process for all runs", pooledGeminiCli],
  ["a scripted one", scripted],
])("the runner's contract: %s", (_, harness) => {
  test.each(runnerContract.map(({ title, check }) => [title, check] as const))("%s", async (_title, check) => {
    await check(harness);
  });
});

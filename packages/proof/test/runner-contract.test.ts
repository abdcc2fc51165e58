import { describe, test } from "vitest";
import { geminiCli, pooledGeminiCli, scripted } from "../seam/harnesses.js";
import { RUNNER_CONTRACT } from "../seam/runner-contract.js";

describe.each([
  ["Gemini CLI", geminiCli],
  ["Gemini CLI, one process for all runs", pooledGeminiCli],
  ["a scripted one", scripted],
])("the runner's contract: %s", (_, harness) => {
  test.each(RUNNER_CONTRACT.map(({ title, check }) => [title, check] as const))("%s", async (_title, check) => {
    await check(harness);
  });
});

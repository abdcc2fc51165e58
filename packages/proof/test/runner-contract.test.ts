import { describe, test } from "vitest";
import { geminiCli, scripted } from "../seam/harnesses.js";
import { RUNNER_CONTRACT } from "../seam/runner-contract.js";

describe.each([
  ["Gemini CLI", geminiCli],
  ["a scripted one", scripted],
])("the runner's contract: %s", (_, harness) => {
  test.each(RUNNER_CONTRACT.map(({ title, check }) => [title, check] as const))("%s", async (_title, check) => {
    await check(harness);
  });
});

import { expect, test } from "vitest";
import { limitsOf } from "../../src/protocol/client-limits.js";
import { waitMsOf } from "../../src/tools/await-job.js";

test.each([
  ["claude-code", undefined, 0],
  ["codex-mcp-client", undefined, 270_000],
  ["gemini-cli-mcp-client", undefined, 540_000],
  ["Visual Studio Code", undefined, 280_000],
  ["Visual Studio Code - Insiders", undefined, 280_000],
  ["something else", undefined, 50_000],
  [undefined, undefined, 50_000],
  ["codex-mcp-client", 1_000, 1_000],
  ["codex-mcp-client", 0, 0],
])("%s with MAX_WAIT_MS %s waits %i ms (0: to the end)", (name, maxWaitMs, waitMs) => {
  expect(limitsOf(name, maxWaitMs).waitMs).toBe(waitMs);
});

test("only Codex cuts answers", () => {
  expect(limitsOf("codex-mcp-client").maxChars).toBe(8_000);
  expect(limitsOf("gemini-cli-mcp-client").maxChars).toBeLessThan(40_000);
  expect(limitsOf("claude-code").maxChars).toBeUndefined();
});

test.each([
  ["codex-mcp-client", undefined, 3_600, 270_000],
  ["codex-mcp-client", undefined, 10, 10_000],
  ["codex-mcp-client", 1_000, 3_600, 3_600_000],
  ["claude-code", undefined, 3_600, 3_600_000],
  ["something else", undefined, 3_600, 3_600_000],
  ["something else", undefined, undefined, 50_000],
  ["claude-code", undefined, undefined, undefined],
])("%s with MAX_WAIT_MS %s and wait_seconds %s waits %s ms", (name, maxWaitMs, seconds, waitMs) => {
  const input = seconds === undefined ? {} : { wait_seconds: seconds };
  expect(waitMsOf(input, limitsOf(name, maxWaitMs))).toBe(waitMs);
});

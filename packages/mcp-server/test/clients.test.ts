import { expect, test } from "vitest";
import { limitsOf } from "../src/clients.js";

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

import { describe, expect, test } from "vitest";
import { limitsOf } from "../../src/clients/client-limits.js";
import { Patience } from "../../src/clients/patience.js";
import { waitMsOf } from "../../src/tools/await-job.js";

describe("how long a call waits", () => {
  test.each([
    ["claude-code", {}, 0],
    ["codex-mcp-client", {}, 270_000],
    ["gemini-cli-mcp-client", {}, 540_000],
    ["Visual Studio Code", {}, 280_000],
    ["Visual Studio Code - Insiders", {}, 280_000],
    ["opencode", {}, 280_000],
    ["qwen-cli-mcp-client-research", {}, 280_000],
    ["copilot-cli", {}, 280_000],
    ["@cline/core", {}, 50_000],
    ["something else", {}, 50_000],
    [undefined, {}, 50_000],
    ["codex-mcp-client", { maxWaitMs: 1_000 }, 1_000],
    ["codex-mcp-client", { maxWaitMs: 0 }, 0],
    // The client's own limit beats what is known of it, and what the person set.
    ["claude-code", { clientTimeoutMs: 20_000 }, 18_000],
    ["claude-code", { clientTimeoutMs: 1_800_000 }, 1_790_000],
    ["something else", { clientTimeoutMs: 1_800_000 }, 50_000],
    ["claude-code", { clientTimeoutMs: 20_000, maxWaitMs: 0 }, 18_000],
    ["claude-code", { clientTimeoutMs: 400 }, 1],
    // Node would take a longer timer for one of 1 ms.
    ["claude-code", { clientTimeoutMs: 1e15 }, 2_147_473_647],
  ])("%s with %j: %i ms (0: to the end)", (name, settings, waitMs) => {
    expect(limitsOf({ name }, settings).waitMs).toBe(waitMs);
  });

  test.each([
    ["codex-mcp-client", undefined, 3_600, 270_000],
    ["codex-mcp-client", undefined, 10, 10_000],
    ["codex-mcp-client", 1_000, 3_600, 3_600_000],
    ["claude-code", undefined, 3_600, 3_600_000],
    ["@cline/core", undefined, 3_600, 50_000],
    ["something else", undefined, 3_600, 50_000],
    ["something else", 0, 3_600, 3_600_000],
    ["something else", undefined, undefined, 50_000],
    ["claude-code", undefined, undefined, undefined],
  ])("%s with MAX_WAIT_MS %s and wait_seconds %s: %s ms", (name, maxWaitMs, seconds, waitMs) => {
    const input = seconds === undefined ? {} : { wait_seconds: seconds };
    expect(waitMsOf(input, limitsOf({ name }, { maxWaitMs }))).toBe(waitMs);
  });
});

describe("what a connection has shown of its client's patience", () => {
  const after = (name: string, ...calls: Parameters<Patience["learn"]>[]) => {
    const patience = new Patience();
    for (const call of calls) patience.learn(...call);
    return patience.limits(limitsOf({ name }));
  };

  test("a client that gave up after 20 s is answered within 18 s, whatever is known of such clients", () => {
    expect(after("claude-code", [20_000, "timed-out"])).toMatchObject({ waitMs: 18_000, longestWaitMs: 18_000 });
    expect(after("unknown", [20_000, "timed-out"], [60_000, "timed-out"]).longestWaitMs).toBe(18_000);
  });
  test("an unknown client that held a call for 200 s may be asked to do so again", () => {
    expect(after("unknown", [200_000, undefined])).toMatchObject({ waitMs: 50_000, longestWaitMs: 200_000 });
  });
  test("a call that the person cancelled shows neither", () => {
    expect(after("unknown", [200_000, "cancelled"], [5_000, "closed"])).toEqual(limitsOf({ name: "unknown" }));
  });
});

test("of two calls that are cancelled after the same time, the second has timed out", () => {
  const patience = new Patience();
  expect([5_004, 9_000, 5_090].map((tookMs) => patience.endOf(tookMs, "cancelled"))).toEqual([
    "cancelled",
    "cancelled",
    "timed-out",
  ]);
  expect([1_000, 1_000].map((tookMs) => patience.endOf(tookMs, "cancelled"))).toEqual(["cancelled", "cancelled"]);
  expect(patience.endOf(20_000, "closed")).toBe("closed");
});

test("answers are as long as each client shows them whole to its model", () => {
  const maxChars = (name: string) => limitsOf({ name }).maxChars;
  expect(maxChars("codex-mcp-client")).toBe(8_000);
  expect(maxChars("gemini-cli-mcp-client")).toBeLessThan(40_000);
  expect(maxChars("claude-code")).toBeLessThan(100_000);
  expect(maxChars("opencode")).toBe(40_000);
  expect(maxChars("qwen-cli-mcp-client-research")).toBe(22_000);
  expect(maxChars("copilot-cli")).toBe(16_000);
  expect(maxChars("@cline/core")).toBe(7_000);
  expect(maxChars("something else")).toBe(16_000);
  expect(maxChars("Visual Studio Code")).toBeUndefined();
});

test.each([
  ["something else", "2025-11-25", true],
  ["something else", "2026-07-28", true],
  ["something else", "2025-06-18", true],
  ["something else", "2025-03-26", false],
  ["@cline/core", "2024-11-05", false],
  ["qwen-cli-mcp-client-research", "2025-11-25", false],
  ["copilot-cli", "2026-07-28", false],
  [undefined, undefined, true],
])("%s that speaks %s gets structured content: %s", (name, protocolVersion, structured) => {
  expect(limitsOf({ name, protocolVersion }).structured).toBe(structured);
});

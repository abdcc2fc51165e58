import { expect, test } from "vitest";
import { deepResearch } from "../src/index.js";
import { answer, drain, drainFailing, failure, type Turn, world } from "./world.js";

/** The contract of the older tool, value for value: what its clients read must not move. */

test("the answer has the old keys in the old order, and nothing else [design/deep-research-stays]", async () => {
  const metadata = {
    sources_visited: ["https://a.org", 7],
    search_queries_used: [],
    iterations: 3,
    model: "invented",
    confidence: "high",
  };
  const { deps, prompts } = world([answer("Two moons.", { metadata })], { model: "gemini-2.5-flash" });
  const { report } = await drain(deepResearch({ topic: "Mars", depth: "concise" }, deps));
  expect(JSON.stringify(report, null, 2)).toBe(`{
  "success": true,
  "report": "Two moons.",
  "metadata": {
    "duration_ms": 0,
    "topic": "Mars",
    "depth": "concise",
    "model": "gemini-2.5-flash",
    "timestamp": "2026-11-20T12:00:00.000Z",
    "sources_visited": [
      "https://a.org",
      7
    ],
    "search_queries_used": [],
    "iterations": 3
  }
}`);
  expect(prompts()).toEqual(["RESEARCH Mars concise gemini-2.5-flash"]);
});

test("optional metadata of another kind is left out, the depth is detailed, and an empty topic is a topic", async () => {
  const metadata = { sources_visited: "https://a.org", search_queries_used: { 0: "q" }, iterations: "3" };
  const { report } = await drain(deepResearch({ topic: "" }, world([answer("Two.", { metadata })]).deps));
  expect(report.metadata).toEqual({
    duration_ms: 0,
    topic: "",
    depth: "detailed",
    model: "auto-detected",
    timestamp: "2026-11-20T12:00:00.000Z",
  });
  const odd = await drain(deepResearch({ topic: "x" }, world([answer("Two.", { metadata: "none" })]).deps));
  expect(Object.keys(odd.report.metadata)).toHaveLength(5);
});

test.each([
  [
    "the CLI is missing",
    failure("CLI_NOT_FOUND", "Gemini CLI is not on PATH", { nextStep: "Install it." }),
    "CLI_NOT_FOUND",
    "Gemini CLI is not installed or not in PATH",
    "Gemini CLI is not on PATH",
  ],
  [
    "the model failed",
    '{"success": false, "report": "no access"}',
    "RESEARCH_FAILED",
    "Research task completed but returned failure status",
    "no access",
  ],
  [
    "the model failed without a word",
    '{"success": false}',
    "RESEARCH_FAILED",
    "Research task completed but returned failure status",
    "No details provided",
  ],
  [
    "it took too long",
    failure("EXECUTION_ERROR", "The run took longer than 1500 ms", { reason: "timeout" }),
    "EXECUTION_ERROR",
    "Research task exceeded timeout of 1500ms",
    "",
  ],
  [
    "the process could not start",
    failure("EXECUTION_ERROR", "EACCES", { reason: "spawn" }),
    "EXECUTION_ERROR",
    "Failed to spawn gemini process: EACCES",
    "",
  ],
  [
    "it exited",
    failure("EXECUTION_ERROR", "ended", { reason: "crash", exitCode: 127, stderr: "gemini: not found" }),
    "EXECUTION_ERROR",
    "Gemini CLI exited with code 127. Command not found Details: gemini: not found",
    "",
  ],
  [
    "it exited oddly",
    failure("EXECUTION_ERROR", "ended", { reason: "crash", exitCode: 99 }),
    "EXECUTION_ERROR",
    "Gemini CLI exited with code 99. Unknown error code 99",
    "",
  ],
  [
    "nobody is signed in",
    failure("AUTH_REQUIRED", "Gemini CLI is not signed in"),
    "EXECUTION_ERROR",
    "Gemini CLI is not signed in",
    "",
  ],
  ["there is a bug", new TypeError("x is not a function"), "UNEXPECTED_ERROR", "x is not a function", ""],
] as [string, Turn, string, string, string][])("when %s: %s", async (_, turn, code, message, details) => {
  const { deps, requests } = world([turn], { timeoutMs: 1_500 });
  const { error } = await drainFailing(deepResearch({ topic: "Mars" }, deps));
  expect(error).toMatchObject({ code, message });
  expect(error.details ?? "").toContain(details);
  expect(requests).toHaveLength(1);
});

test("an answer that cannot be read is asked for three times, with waits of 1 s and 2 s", async () => {
  const { deps, requests, slept } = world(["no", "no", "no"]);
  const { error } = await drainFailing(deepResearch({ topic: "Mars" }, deps));
  expect(error).toMatchObject({
    code: "EXECUTION_ERROR",
    message:
      "JSON validation failed. All retry and correction attempts were exhausted: no readable answer in 3 attempts.",
  });
  expect(error.details).toContain("The last answer began: no");
  expect(requests.map(({ prompt }) => prompt)).toEqual(Array(3).fill("RESEARCH Mars detailed auto-detected"));
  expect(slept).toEqual([1_000, 2_000]);
});

test("its log lines are the old ones", async () => {
  const { logs } = await drain(deepResearch({ topic: "Mars" }, world([answer("Two.")]).deps));
  expect(logs).toEqual(['[INFO] Starting research on: "Mars" (depth: detailed)', "[INFO] Research completed in 0ms"]);
});

test("a template of one's own has single braces, filled in one pass", async () => {
  const { deps, requests } = world([answer("Two.")], {
    researchTemplate: "On {topic} ({depth}) by {model}: {topic} {other} {{depth}} {}",
    model: "pro",
  });
  await drain(deepResearch({ topic: "$& {depth}" }, deps));
  expect(requests[0]?.prompt).toBe("On $& {depth} (detailed) by pro: $& {depth} {other} detailed {}");
});

test.each([
  [{ topic: 7 as unknown as string }, "The topic is missing"],
  [{ topic: "x", depth: "deep" as "detailed" }, "The depth is unknown"],
])("what cannot be asked is refused: %j", async (request, said) => {
  const { error } = await drainFailing(deepResearch(request, world([]).deps));
  expect(error).toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining(said) });
});

test("a cancelled one says so", async () => {
  const { error } = await drainFailing(deepResearch({ topic: "x", signal: AbortSignal.abort() }, world([]).deps));
  expect(error).toMatchObject({ code: "CANCELLED" });
});

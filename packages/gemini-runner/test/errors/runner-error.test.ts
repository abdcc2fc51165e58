import { inspect } from "node:util";
import { expect, test } from "vitest";
import { RunnerError } from "../../src/index.js";

test("a console shows an error without its long parts, which are there", () => {
  const error = new RunnerError("EXECUTION_ERROR", "It broke", {
    reason: "crash",
    stderr: "a\n".repeat(500),
    text: "words",
  });
  expect(inspect(error)).toMatch(/RunnerError: It broke/);
  expect(inspect(error)).not.toMatch(/stderr|words/);
  expect(error).toMatchObject({ reason: "crash", stderr: "a\n".repeat(500), text: "words" });
});

test.for([
  [{ code: "QUOTA_EXCEEDED" }, /another model/],
  [{ code: "MODEL_NOT_FOUND" }, /another model/],
  [{ code: "EXECUTION_ERROR", reason: "network" }, /HTTPS_PROXY/],
  [{ code: "EXECUTION_ERROR", reason: "blocked" }, /other words/],
  [{ code: "EXECUTION_ERROR", reason: "truncated" }, /less/],
  [{ code: "EXECUTION_ERROR", reason: "too-long" }, /files/],
  [{ code: "EXECUTION_ERROR", reason: "workspace" }, /cwd/],
  [{ code: "EXECUTION_ERROR", reason: "closed" }, /new runner/],
] as const)("what there is to do is said: %j", ([{ code, ...options }, nextStep]) => {
  expect(new RunnerError(code, "It broke", options).nextStep).toMatch(nextStep);
  expect(new RunnerError(code, "It broke", { ...options, nextStep: "Do this." }).nextStep).toBe("Do this.");
});

test("where nothing is known to do, nothing is said", () => {
  expect(new RunnerError("CANCELLED", "It was cancelled")).not.toHaveProperty("nextStep");
});

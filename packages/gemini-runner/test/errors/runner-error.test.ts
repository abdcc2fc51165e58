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

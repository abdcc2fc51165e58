import { expect, test } from "vitest";
import { jsonProblem } from "../../src/transports/json-wall.js";

test.each([
  ["a list in a list", `${"[".repeat(101)}${"]".repeat(101)}`, "nested deeper than 100 levels"],
  ["lists that never end", "[".repeat(1_000_000), "nested deeper than 100 levels"],
  ["an object in an object", '{"a":'.repeat(101), "nested deeper than 100 levels"],
  ["a long list", `[${"1,".repeat(50_001)}1]`, "more than 50000 values"],
  ["brackets and commas in a text", JSON.stringify({ a: `${"[{,".repeat(100_000)}\\"` }), undefined],
  ["a text that ends in a backslash", JSON.stringify(["\\", "[".repeat(200)]), undefined],
  ["a hundred levels", `${"[".repeat(100)}${"]".repeat(100)}`, undefined],
  ["what is no JSON", '"never ends \\', undefined],
])("%s", (_, text, problem) => {
  expect(jsonProblem(text)).toBe(problem);
});

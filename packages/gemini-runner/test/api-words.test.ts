import { expect, test } from "vitest";
import { withApiWords } from "../src/api-words.js";

const SAID = "API key not valid. Please pass a valid API key.";
const error = (message: string) => JSON.stringify({ error: { code: 400, message, status: "INVALID_ARGUMENT" } });

test.each([
  ["an answer of the API", `[API Error: ${error(SAID)}]`, SAID],
  ["one inside another", `[API Error: ${error(error(SAID))}]`, SAID],
  [
    "one behind other words",
    `Error when talking to Gemini API _ApiError: ${error(SAID)}`,
    `Error when talking to Gemini API _ApiError: ${SAID}`,
  ],
  ["words alone", "[API Error: models/x is not found]", "models/x is not found"],
  ["no message", '[API Error: {"error":{"code":500}}]', '{"error":{"code":500}}'],
  ["a cut-off one", '{"error":{"message":"a', '{"error":{"message":"a'],
  ["what is none", 'a {"b":1}', 'a {"b":1}'],
])("%s", (_, text, expected) => {
  expect(withApiWords(text)).toBe(expected);
});

test("of many nested ones the outer are opened", () => {
  let text = "deep";
  for (let depth = 0; depth < 6; depth++) text = error(text);
  expect(withApiWords(text)).toContain("error");
});

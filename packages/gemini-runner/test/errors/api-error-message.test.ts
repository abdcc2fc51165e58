import { expect, test } from "vitest";
import { unwrapApiError } from "../../src/errors/api-error-message.js";

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
  ["several lines", "[API Error: a\n* b\n]c]\nTry again.", "a\n* b\n]c\nTry again."],
  ["indented JSON", `[API Error: ${JSON.stringify({ error: { code: 400, message: SAID } }, null, 2)}]`, SAID],
  ["no message", '[API Error: {"error":{"code":500}}]', '{"error":{"code":500}}'],
  ["an empty message", '{"error":{"code":500,"message":""}}', '{"error":{"code":500,"message":""}}'],
  ["a cut-off one", '{"error":{"message":"a', '{"error":{"message":"a'],
  ["what is none", 'a {"b":1}', 'a {"b":1}'],
])("%s", (_, text, expected) => {
  expect(unwrapApiError(text)).toBe(expected);
});

test("what a reader can act on is kept of the details, unless the message says it", () => {
  const details = [
    { "@type": "ErrorInfo", reason: "SERVICE_DISABLED", metadata: { activationUrl: "https://example.com/on" } },
    {
      "@type": "Help",
      links: [{ description: "on", url: "https://example.com/on" }, { url: "https://example.com/help" }],
    },
    { "@type": "BadRequest", fieldViolations: [{ field: "a", description: "a is too long" }, null] },
    7,
  ];
  const text = JSON.stringify({ error: { message: "Off. See https://example.com/help", details } });
  expect(unwrapApiError(text)).toBe("Off. See https://example.com/help https://example.com/on a is too long");
});

test("of many nested ones the outer three are opened", () => {
  const nest = (text: string, depth: number): string => (depth === 0 ? text : nest(error(text), depth - 1));
  expect(unwrapApiError(nest("deep", 6))).toBe(nest("deep", 3));
});

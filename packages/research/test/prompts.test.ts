import { expect, test } from "vitest";
import { renderPrompt } from "../src/index.js";

test("a value is never read as a template", () => {
  expect(renderPrompt("ask: {{query}} / {{other}}", { query: "$& {{other}} $'", other: "x" })).toBe(
    "ask: $& {{other}} $' / x",
  );
});

test("a placeholder without a value stays", () => {
  expect(renderPrompt("{{constructor}} {{a}}", { a: "1" })).toBe("{{constructor}} 1");
});

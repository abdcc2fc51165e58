import { expect, test } from "vitest";
import { jsonText } from "../../src/text/json-text.js";

test("nothing in it steers a terminal, and it says the same", () => {
  const value = { page: "a\u001b[2J\u009b2J\u007f\u202eb\u2028c é \u{e0041}\u061c\u2060\ufeff\u200b\u{e0101}" };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll("\n", "")).toMatch(/^[ -~é]+$/);
});

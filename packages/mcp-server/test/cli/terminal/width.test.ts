import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { widthOf, widthOfCharacter } from "../../../src/cli/terminal/width.js";

test.each([
  ["nothing", ""],
  ["words", "The tide, 3.1 m"],
  ["letters with accents", "e\u0301te\u0301 ü ñ"],
  ["Chinese, Japanese, Korean", "潮汐 しお 조석 ｶﾅ ＡＢ"],
  ["Arabic and Hindi", "المد ज्वार"],
  ["signs", "– “ ” … │ • ☑ ✓ ⌚ \u00a0"],
  ["pictures", "🙂 👩‍🚀 👍🏽 🇨🇭 1️⃣ ☺️"],
  ["a link and a colour", "\u001b]8;;https://a.b/\u001b\\a\u001b]8;;\u001b\\ \u001b[31mb\u001b[39m"],
])("%s are as wide as a terminal shows them", (_, text) => {
  expect(widthOf(text)).toBe(stringWidth(text));
});

test("a text that is broken into lines anyhow is as wide as its characters", () => {
  expect(widthOf("👩‍🚀".repeat(5_000))).toBe(5_000 * [..."👩‍🚀"].reduce((sum, one) => sum + widthOfCharacter(one), 0));
  expect(widthOf("e\u0301".repeat(50_000))).toBe(50_000);
});

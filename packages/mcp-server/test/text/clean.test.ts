import { expect, test } from "vitest";
import { withTexts } from "../../src/text/clean.js";
import { plainLine, plainText, shortLine } from "../../src/text/plain-text.js";

test.each([
  ["colours and cursors", "a\u001b[31mb\u001b[2Jc\u009b1md", "abcd"],
  ["a title or a link, with its text", "a\u001b]0;owned\u0007b\u001b]8;;https://x/\u001b\\c\u001b]8;;\u001b\\", "abc"],
  ["a sequence that does not end", "a\u001b]0;owned\nb\u001b[", "a0;owned\nb"],
  ["control characters", "a\u0000b\u0008c\u007fd\u0085e\u009ff", "abcd\nef"],
  ["line ends of any kind", "a\r\nb\rc\u2028d\u000be", "a\nb\nc\nd\ne"],
  ["text that is turned around", "\u202eabc\u2066def\u061c", "abcdef"],
  ["a message in Unicode tags", "hi\u{e0049}\u{e0067}\u{e006e}", "hi"],
  ["marks that nobody sees", "a\u2060b\ufeffc\u2064d", "abcd"],
  ["a message in selectors", "x\u{e0101}\u{e0155}y\ufe01\u2764\ufe0f\ufe01\ufe02.", "xy\u2764\ufe0f."],
  ["blanks and joiners that nobody sees", "a\u200bb\u200cc\u200dd\u00ade\u3164f\u034fg", "abcdefg"],
  [
    "what belongs to words",
    "naïve 👩‍👩‍👧 ❤️‍🔥 1️⃣ क्‍ष می‌خواهم 葛\u{e0100} a\tb",
    "naïve 👩‍👩‍👧 ❤️‍🔥 1️⃣ क्‍ष می‌خواهم 葛\u{e0100} a\tb",
  ],
])("plain text is without %s", (_what, text, plain) => {
  expect(plainText(text)).toBe(plain);
  expect(plainText(plain)).toBe(plain);
});

test("one line, and one that is cut between words", () => {
  expect(plainLine(" a\n\n b\tc ")).toBe("a b c");
  expect(shortLine("one two three", 9)).toBe("one two…");
  expect(shortLine(`${"x".repeat(40)}😀😀`, 42)).toBe(`${"x".repeat(40)}…`);
});

test("every text of a value is cleaned, names of members too; nothing else changes", () => {
  const value = JSON.parse(
    '{"a\\u0007":["x\\u001b[31m",{"__proto__":"\\u202ey"}],"n":1,"t":true,"z":null,"same":{"deep":["as it was"]}}',
  );
  const clean = withTexts(value, plainText) as Record<string, unknown>;
  expect(JSON.stringify(clean)).toBe(
    '{"a":["x",{"__proto__":"y"}],"n":1,"t":true,"z":null,"same":{"deep":["as it was"]}}',
  );
  expect(clean["same"]).toBe(value.same);
  expect(withTexts(clean, plainText)).toBe(clean);
});

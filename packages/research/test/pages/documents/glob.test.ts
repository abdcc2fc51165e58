import { expect, test } from "vitest";
import { Match, matchesName, parseGlob } from "../../../src/pages/documents/glob.js";

const matches = (path: string, glob: string) =>
  path.split("/").reduce((match, name) => match.step(name), Match.of(parseGlob(glob))).isWhole;

test.each([
  ["a.md", "*.md", true],
  ["docs/a.md", "*.md", false],
  ["docs/deep/a.md", "**/*.md", true],
  ["a.md", "**/*.md", true],
  ["docs/deep/a.md", "docs", true],
  ["docs/deep/a.md", "docs/**", true],
  ["docs/deep/a.md", "docs/*", true],
  ["other/a.md", "docs/**", false],
  ["a.txt", "*.{md,txt}", true],
  ["a.pdf", "*.{md,txt}", false],
  ["a1.md", "a?.md", true],
  ["a.md", "a?.md", false],
  ["docs/a.md", "./docs//a.md", true],
  ["x/docs/y/a.md", "**/docs/**/a.md", true],
  [".env", "**", false],
  [".git/config", "**/*", false],
  ["node_modules/p/readme.md", "**/*.md", false],
  [".github/ci.yml", ".github/*.yml", true],
  ["a{1}.md", "a{1}.md", false],
])("%s against %s: %s", (path, glob, expected) => {
  expect(matches(path, glob)).toBe(expected);
});

test("folders that nothing below can match are not gone into", () => {
  const match = Match.of(parseGlob("docs/*.md"));
  expect([match.step("docs").goesOn, match.step("src").goesOn, match.step("docs").step("deep").goesOn]).toEqual([
    true,
    false,
    false,
  ]);
});

test("no pattern takes more than the name's length times its own", () => {
  // A regular expression made of it would try more ways than can be tried.
  expect(matchesName("a".repeat(250), `${"*a".repeat(100)}b`)).toBe(false);
  expect(matches(Array(60).fill("a").join("/"), `${"**/a/".repeat(40)}b`)).toBe(false);
  expect(parseGlob("{a,b}".repeat(40)).length).toBeLessThanOrEqual(64);
});

import { expect, test } from "vitest";
import { withNamedDocuments } from "../../src/report/documents.js";

const FILE = "file:///home/me/my%20notes/hall%203.md";

test.each([
  ["a citation", `It was replaced [1](${FILE}).`, "It was replaced [1] (`hall 3.md`)."],
  ["one in angles", `[a](<${FILE}>) b`, "[a] (`hall 3.md`) b"],
  [
    "several, in a table",
    `| a |\n|---|\n| [1](${FILE}) [2](FILE:///x/b.csv) |`,
    "| a |\n|---|\n| [1] (`hall 3.md`) [2] (`b.csv`) |",
  ],
  ["a list and a quotation", `- [1](${FILE})\n\n> [1](${FILE})`, "- [1] (`hall 3.md`)\n\n> [1] (`hall 3.md`)"],
  [
    "one behind code",
    '```js title="a"\n[1](file:///x/y.md)\n```\n[1](file:///x/y.md)',
    '```js title="a"\n[1](file:///x/y.md)\n```\n[1] (`y.md`)',
  ],
])("%s is named, not linked", (_, text, expected) => {
  expect(withNamedDocuments(text)).toBe(expected);
});

test.each([
  "[1](https://a.example/file:///x)",
  "`[1](file:///x/y.md)` is how it is written",
  "```\n[1](file:///x/y.md)\n```",
  '```js title="a"\n[1](file:///x/y.md)\n```\n\n~~~ js \n[1](file:///x/y.md)',
  "- a\n\n  ```js\n  [1](file:///x/y.md)\n  ```",
  "no link: file:///x/y.md",
])("%j stays as it is", (text) => {
  expect(withNamedDocuments(text)).toBe(text);
});

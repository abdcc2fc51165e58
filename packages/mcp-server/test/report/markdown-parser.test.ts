import { expect, test } from "vitest";
import { parseMarkdown } from "../../src/report/markdown-parser.js";

const BYTES = 5_000_000;
const filled = (piece: string) => piece.repeat(Math.floor(BYTES / piece.length));

test.each([
  ["addresses", "https://a.b/c "],
  ["marks and addresses", "[1] https://a.b/c "],
  ["references", "1. http://a/\n"],
  ["short items", "- abcdefgh\n"],
])("5 MB of %s are one block as they stand: to read them would take many seconds", (_, piece) => {
  const text = filled(piece);
  const blocks = parseMarkdown(text);
  expect(blocks.map(({ type }) => type)).toEqual(["code"]);
  expect(blocks[0]).toHaveProperty("text", text);
});

test("5 MB of lines with an address and a mark in each are read as Markdown", () => {
  const blocks = parseMarkdown(filled("The tide turns twice a day, says [1] and https://example.org/tides.\n"));
  expect(blocks.map(({ type }) => type)).toEqual(["paragraph"]);
});

import { expect, test } from "vitest";
import { parseInline, parseMarkdown } from "../../src/report/markdown-parser.js";
import type { Block } from "../../src/report/markdown-tree.js";

const filled = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length));
const NOTE = "From here on the report stands as it was written: it has too much markup to show.";

/** The text that stands as it was written, and the blocks before the note that says so. */
function split(blocks: Block[]): { read: Block[]; note: Block | undefined; rest: string } {
  const last = blocks.at(-1);
  return { read: blocks.slice(0, -2), note: blocks.at(-2), rest: last?.type === "code" ? last.text : "" };
}

test.each([
  ["addresses in one line", "https://a.b/c ", 0],
  ["marks and addresses in one line", "[1] https://a.b/c ", 0],
  ["references", "1. http://a/\n", 1],
  ["short items", "- abcdefgh\n", 1],
  ["rows of a table", "|a|\n", 1],
  ["sentences with an address", "The tide turns twice a day, says [1] and https://example.org/tides.\n", 1],
])(
  "of much more than any report has of %s the rest stands as it was written, below a line that says so",
  (_, piece, blocks) => {
    const text = filled(piece, 5_000_000);
    const { read, note, rest } = split(parseMarkdown(text));
    expect(read).toHaveLength(blocks);
    expect(note).toMatchObject({ type: "paragraph", content: [{ type: "em", content: [{ text: NOTE }] }] });
    expect(text.endsWith(rest)).toBe(true);
    const before = text.slice(0, text.length - rest.length);
    expect(before === "" || before.endsWith("\n")).toBe(true);
    // As text: whoever compares 50,000 items one by one takes longer than the parser.
    expect(JSON.stringify(parseMarkdown(before)) === JSON.stringify(read)).toBe(true);
  },
);

test.each([
  ["prose with marks", "The *tide* turns **twice** a day [1], says <https://example.org/tides>.\n\n", 300_000],
  ["items with links", "- [Tides of the sea](https://example.org/tides): what they are\n", 500_000],
  ["rows of a table", "| Genoa | 3.1 m | 2026-11-22 | [1] |\n", 300_000],
])("%s are read whole as far as any report goes", (_, piece, length) => {
  const { rest } = split(parseMarkdown(filled(piece, length)));
  expect(rest).toBe("");
});

test("a line with more marks than any report has is text", () => {
  const line = filled("*a* ", 1_000_000);
  expect(parseInline(line)).toEqual([{ type: "text", text: line }]);
});

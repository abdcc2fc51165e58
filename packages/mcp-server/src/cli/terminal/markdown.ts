import { httpUrl } from "../../report/citations.js";
import type { Block, Inline, List } from "../../report/markdown-tree.js";
import { headingLook } from "./heading.js";
import { layOut, NO_BREAK, type Piece, type Style } from "./layout.js";
import type { Screen } from "./paint.js";
import { tableLines } from "./table.js";

/** Lines longer than this are hard to read, however wide the window is. */
const READABLE_COLUMNS = 100;
/** The fewest cells for nested text. */
const LEAST_COLUMNS = 20;

/** A screen that knows the sources of a text. */
export interface MarkdownScreen extends Screen {
  /** Where a citation leads. */
  urlOf?(number: number): string | undefined;
}

/** Markdown blocks as text for a terminal. The text must be free of control characters (`plainText`). */
export function markdownToTerminal(blocks: readonly Block[], screen: MarkdownScreen): string {
  return blockLines(blocks, { ...screen, columns: Math.min(screen.columns, READABLE_COLUMNS) }).join("\n");
}

function blockLines(blocks: readonly Block[], screen: MarkdownScreen): string[] {
  const lines: string[] = [];
  for (const block of blocks) {
    const more = linesOf(block, screen);
    if (more.length > 0 && lines.length > 0) lines.push("");
    for (const line of more) lines.push(line);
  }
  return lines;
}

function linesOf(block: Block, screen: MarkdownScreen): string[] {
  const { paint, columns } = screen;
  switch (block.type) {
    case "heading":
      return headingLines(block, screen);
    case "paragraph":
      return layOut(piecesOf(block.content, screen), screen);
    case "list":
      return listLines(block, screen);
    case "quote": {
      const bar = paint.dim("│ ");
      return blockLines(block.blocks, narrowed(screen, 2)).map((line) => bar + line);
    }
    case "code":
      return block.text.split("\n").map((line) => (line === "" ? line : `  ${paint.yellow(line)}`));
    case "table":
      return tableLines(block, (cell) => piecesOf(cell, screen), screen);
    case "rule":
      return [paint.dim("─".repeat(Math.min(columns, 40)))];
    case "definition":
      return [];
  }
}

function headingLines(
  { depth, content }: { depth: number; content: readonly Inline[] },
  screen: MarkdownScreen,
): string[] {
  const { first, style } = headingLook(depth, screen);
  return layOut(piecesOf(content, screen, style), { ...screen, first });
}

function listLines(list: List, screen: MarkdownScreen): string[] {
  const { start, items, loose } = list;
  const width = start === undefined ? 2 : String(start + items.length - 1).length + 2;
  const lines: string[] = [];
  const inside = narrowed(screen, width);
  for (const [index, { checked, blocks }] of items.entries()) {
    const bullet = checked !== undefined ? (checked ? "☑" : "☐") : start === undefined ? "•" : `${start + index}.`;
    const inner = blockLines(blocks, inside);
    const first = screen.paint.dim(bullet.padEnd(width));
    lines.push(`${first}${inner[0] ?? ""}`);
    for (const line of inner.slice(1)) {
      // A list inside an item follows its text at once, unless the author left blank lines.
      if (line !== "" || loose) lines.push(`${" ".repeat(width)}${line}`.trimEnd());
    }
  }
  return lines;
}

function narrowed(screen: MarkdownScreen, by: number): MarkdownScreen {
  return { ...screen, columns: Math.max(LEAST_COLUMNS, screen.columns - by) };
}

const asItIs: Style = (text) => text;

/** A line of Markdown as pieces of a terminal's line. */
function piecesOf(content: readonly Inline[], screen: MarkdownScreen, style: Style = asItIs): Piece[] {
  return content.flatMap((node, index) => piecesOfNode(node, { isFirst: index === 0, screen, style }));
}

function piecesOfNode(
  node: Inline,
  { isFirst, screen, style }: { isFirst: boolean; screen: MarkdownScreen; style: Style },
): Piece[] {
  const { paint } = screen;
  const inside = (nodes: readonly Inline[], more: Style) => piecesOf(nodes, screen, (text) => style(more(text)));
  switch (node.type) {
    case "text":
      return [{ text: node.text, style }];
    case "strong":
      return inside(node.content, paint.bold);
    case "em":
      return inside(node.content, paint.italic);
    case "del":
      return inside(node.content, paint.strikethrough);
    case "code":
      return [{ text: node.text, style: (text) => style(paint.yellow(text)) }];
    case "break":
      return [node.hard ? "\n" : " "];
    case "link": {
      const url = httpUrl(node.url);
      if (url === undefined) return inside(node.content, asItIs);
      const linked = screen.link(url.href);
      return inside(node.content, (text) => linked(paint.underline(text)));
    }
    case "image":
      return [`${node.text} `, { text: `<${node.url}>`, style: paint.dim }];
    case "citation":
      return citation(node.numbers, isFirst, screen);
  }
}

/** `[1, 2]`, on the line of the word that it stands behind; each number leads to its source. */
function citation(numbers: readonly number[], isFirst: boolean, { paint, link, urlOf }: MarkdownScreen): Piece[] {
  const pieces = numbers.flatMap((number, index): Piece[] => {
    const linked = link(urlOf?.(number) ?? "");
    const shown = { text: String(number), style: (text: string) => linked(paint.cyan(text)) };
    return index === 0 ? [shown] : [{ text: `,${NO_BREAK}`, style: paint.cyan }, shown];
  });
  const open = { text: `${isFirst ? "" : NO_BREAK}[`, style: paint.cyan };
  return [open, ...pieces, { text: "]", style: paint.cyan }];
}

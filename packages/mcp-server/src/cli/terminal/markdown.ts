import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";
import type { Token, Tokens } from "marked";
import type { CitationToken } from "../../report/citations.js";
import { decodeEntities } from "../../text/escape.js";
import type { Screen } from "./paint.js";

/** Lines longer than this are hard to read, however wide the window is. */
const READABLE_COLUMNS = 100;

/** Keeps a number on the line of the word that it stands behind. */
const NO_BREAK = "\u00a0";

/** Markdown blocks as text for a terminal. The text must be free of control characters (`plainText`). */
export function markdownToTerminal(blocks: readonly Token[], { paint, columns }: Screen): string {
  return blockLines(blocks, Math.min(columns, READABLE_COLUMNS), paint).join("\n");
}

/** Wraps one paragraph; every line but the first is indented by `indent`, the first by `first`. */
export function wrapped(text: string, columns: number, first = "", indent = " ".repeat(stringWidth(first))): string[] {
  const lines = wrapAnsi(text, Math.max(10, columns - stringWidth(indent)), { hard: true }).split("\n");
  return lines.map((line, index) => `${index === 0 ? first : indent}${line.replaceAll(NO_BREAK, " ").trimEnd()}`);
}

function blockLines(blocks: readonly Token[], columns: number, paint: Screen["paint"]): string[] {
  const parts = blocks.map((block) => linesOf(block, columns, paint)).filter((lines) => lines.length > 0);
  return parts.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function linesOf(token: Token, columns: number, paint: Screen["paint"]): string[] {
  const inline = (tokens: readonly Token[]) => inlineText(tokens, paint);
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      const text = inline(tokens);
      return wrapped(depth <= 2 ? paint.bold(paint.cyan(text)) : paint.bold(text), columns);
    }
    case "paragraph":
    case "text":
      return wrapped(inline((token as Tokens.Paragraph).tokens ?? [token]), columns);
    case "list":
      return listLines(token as Tokens.List, columns, paint);
    case "blockquote": {
      const bar = paint.dim("│ ");
      return blockLines((token as Tokens.Blockquote).tokens, columns - 2, paint).map((line) => bar + line);
    }
    case "code":
      return (token as Tokens.Code).text.split("\n").map((line) => `  ${paint.yellow(line)}`);
    case "table":
      return tableLines(token as Tokens.Table, columns, paint);
    case "hr":
      return [paint.dim("─".repeat(Math.min(columns, 40)))];
    case "html":
      return wrapped((token as Tokens.HTML).text.trim(), columns);
    default:
      return [];
  }
}

function listLines(list: Tokens.List, columns: number, paint: Screen["paint"]): string[] {
  const start = Number(list.start) || 1;
  const width = list.ordered ? String(start + list.items.length - 1).length + 2 : 2;
  return list.items.flatMap((item, index) => {
    const bullet = item.task ? (item.checked ? "☑" : "☐") : list.ordered ? `${start + index}.` : "•";
    const inner = blockLines(
      item.tokens.filter((token) => token.type !== "checkbox"),
      columns - width,
      paint,
    );
    // A list inside an item follows its text at once, unless the author left blank lines.
    const lines = item.loose ? inner : inner.filter((line) => line !== "");
    const indented = lines.map((line, row) => (row === 0 ? line : `${" ".repeat(width)}${line}`.trimEnd()));
    return [`${paint.dim(bullet.padEnd(width))}${indented[0] ?? ""}`, ...indented.slice(1)];
  });
}

function tableLines(table: Tokens.Table, columns: number, paint: Screen["paint"]): string[] {
  const rows = [table.header, ...table.rows].map((row) => row.map((cell) => inlineText(cell.tokens, paint)));
  const gap = 2;
  const natural = table.header.map((_, column) => Math.max(1, ...rows.map((row) => stringWidth(row[column] ?? ""))));
  const widths = fitted(natural, columns - gap * (natural.length - 1));
  const lines = rows.flatMap((row, index) => {
    const cells = widths.map((width, column) => wrapped(row[column] ?? "", width));
    const height = Math.max(...cells.map((cell) => cell.length));
    const printed = Array.from({ length: height }, (_, line) =>
      cells
        .map((cell, column) => aligned(cell[line] ?? "", widths[column] ?? 1, table.align[column]))
        .join(" ".repeat(gap))
        .trimEnd(),
    );
    const rule = paint.dim(widths.map((width) => "─".repeat(width)).join(" ".repeat(gap)));
    return index === 0 ? [...printed.map((line) => paint.bold(line)), rule] : printed;
  });
  return lines;
}

/** Narrows the widest columns until the row fits. */
function fitted(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, width) => sum + width, 0);
  while (total() > columns) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 6) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function aligned(text: string, width: number, align: Tokens.Table["align"][number] | undefined): string {
  const room = Math.max(0, width - stringWidth(text));
  if (align === "right") return " ".repeat(room) + text;
  const left = align === "center" ? Math.floor(room / 2) : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}

function inlineText(tokens: readonly Token[], paint: Screen["paint"]): string {
  return tokens
    .map((token, index) => {
      switch (token.type) {
        case "strong":
          return paint.bold(inlineText((token as Tokens.Strong).tokens, paint));
        case "em":
          return paint.italic(inlineText((token as Tokens.Em).tokens, paint));
        case "del":
          return paint.strikethrough(inlineText((token as Tokens.Del).tokens, paint));
        case "codespan":
          return paint.yellow((token as Tokens.Codespan).text);
        case "br":
          return "\n";
        case "link":
          return paint.underline(inlineText((token as Tokens.Link).tokens, paint));
        case "image":
          return `${(token as Tokens.Image).text} ${paint.dim(`<${(token as Tokens.Image).href}>`)}`.trim();
        case "citation":
          return (index === 0 ? "" : NO_BREAK) + paint.cyan(`[${(token as CitationToken).numbers.join(", ")}]`);
        case "checkbox":
          return "";
        default:
          return "tokens" in token && token.tokens
            ? inlineText(token.tokens, paint)
            : decodeEntities("text" in token ? token.text : "").replace(/\s*\n\s*/g, " ");
      }
    })
    .join("");
}

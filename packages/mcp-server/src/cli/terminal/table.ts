import type { Inline, Table } from "../../report/markdown-tree.js";
import { layOut, layOutLines, type Piece, type PrintedLine } from "./layout.js";
import type { Screen } from "./paint.js";
import { widthOf } from "./width.js";

const GAP = 2;
/** A column is not made narrower than its longest word, or than this: narrower ones are hard to read. */
const LEAST_WIDTH = 14;

type Pieces = (cell: Inline[]) => Piece[];

/**
 * A table of aligned columns, narrowed to the screen. Where the words of its cells would have to be broken for that, or
 * its columns become so narrow that it would take more lines, each row becomes a record: a line for each cell, with the
 * column's name before it.
 */
export function tableLines({ align, header, rows }: Table, piecesOf: Pieces, screen: Screen): string[] {
  const cells = [header, ...rows].map((row) => row.map(piecesOf));
  const natural = widest(cells, header.length, widthOfCell);
  const least = widest(cells, header.length, (cell) => Math.min(LEAST_WIDTH, longestWord(cell)));
  const widths = fitted(natural, least, screen.columns - GAP * (header.length - 1));
  const names = widthOfNames(cells[0] ?? [], screen);
  return widths === undefined || isShorterAsRecords(cells, { widths, values: screen.columns - names - GAP })
    ? recordLines(cells, names, screen)
    : columnLines(cells, { widths, align }, screen);
}

/** Whether records take fewer lines than columns, as far as the lengths of the cells tell. */
function isShorterAsRecords(
  [, ...rows]: readonly Piece[][][],
  { widths, values }: { widths: readonly number[]; values: number },
): boolean {
  let more = 0;
  for (const row of rows) {
    const lengths = row.map(widthOfCell);
    const ofColumns = lengths.reduce((most, length, at) => Math.max(most, Math.ceil(length / (widths[at] ?? 1))), 1);
    const ofRecord = lengths.reduce((sum, length) => sum + Math.max(1, Math.ceil(length / values)), 1);
    more += ofColumns - ofRecord;
  }
  return more > 0;
}

/** The largest number of each column. */
function widest(rows: readonly Piece[][][], columns: number, measure: (cell: Piece[]) => number): number[] {
  const most = new Array<number>(columns).fill(1);
  for (const row of rows) {
    for (const [column, cell] of row.entries()) most[column] = Math.max(most[column] ?? 1, measure(cell));
  }
  return most;
}

const textIn = (piece: Piece) => (typeof piece === "string" ? piece : piece.text);

function widthOfCell(cell: readonly Piece[]): number {
  return cell.reduce((sum, piece) => sum + widthOf(textIn(piece)), 0);
}

function longestWord(cell: readonly Piece[]): number {
  const words = cell.map(textIn).join("").split(/[ \n]/);
  return words.reduce((most, word) => Math.max(most, widthOf(word)), 0);
}

/**
 * The widths of columns that together take `room`: none is wider than its content, none narrower than its least, and
 * those in between are equally wide. `undefined`: there is not enough room.
 */
function fitted(natural: readonly number[], least: readonly number[], room: number): number[] | undefined {
  const widthsAt = (limit: number) =>
    natural.map((width, column) => Math.min(width, Math.max(limit, least[column] ?? 1)));
  const total = (limit: number) => widthsAt(limit).reduce((sum, width) => sum + width, 0);
  if (total(0) > room) return undefined;
  let [fits, tooWide] = [0, room + 1];
  while (tooWide - fits > 1) {
    const limit = Math.floor((fits + tooWide) / 2);
    if (total(limit) <= room) fits = limit;
    else tooWide = limit;
  }
  return widthsAt(fits);
}

function columnLines(
  rows: readonly Piece[][][],
  { widths, align }: { widths: readonly number[]; align: Table["align"] },
  { paint }: Screen,
): string[] {
  const gap = " ".repeat(GAP);
  const lines: string[] = [];
  for (const [index, row] of rows.entries()) {
    const cells = widths.map((width, column) => layOutLines(row[column] ?? "", { columns: Math.max(width, 1) }));
    const height = cells.reduce((most, cell) => Math.max(most, cell.length), 1);
    for (let line = 0; line < height; line += 1) {
      const parts = cells.map((cell, column) => aligned(cell[line] ?? BLANK, widths[column] ?? 1, align[column]));
      const printed = parts.join(gap).trimEnd();
      lines.push(index === 0 ? paint.bold(printed) : printed);
    }
    if (index === 0) lines.push(paint.dim(widths.map((width) => "─".repeat(width)).join(gap)));
  }
  return lines;
}

const BLANK: PrintedLine = { text: "", width: 0 };

function aligned({ text, width: taken }: PrintedLine, width: number, align: Table["align"][number]): string {
  const room = Math.max(0, width - taken);
  if (align === "right") return " ".repeat(room) + text;
  const left = align === "center" ? Math.floor(room / 2) : 0;
  return " ".repeat(left) + text + " ".repeat(room - left);
}

/** Names of columns take about this part of a record's line, and more only for a long word. */
const NAMES_SHARE = 1 / 3;
const MOST_OF_NAMES = 1 / 2;

function widthOfNames(header: readonly Piece[][], { columns }: Screen): number {
  const natural = header.reduce((most, cell) => Math.max(most, widthOfCell(cell)), 0);
  const word = header.reduce((most, cell) => Math.max(most, longestWord(cell)), 0);
  const wanted = Math.max(word, Math.min(natural, Math.floor(columns * NAMES_SHARE)));
  return Math.min(wanted, Math.floor(columns * MOST_OF_NAMES));
}

function recordLines([header = [], ...rows]: readonly Piece[][][], width: number, screen: Screen): string[] {
  const { paint, columns } = screen;
  const rule = paint.dim("─".repeat(Math.min(columns, 40)));
  const namesOf = header.map((cell) =>
    layOutLines(cell, { columns: width }).map((line) => paint.bold(aligned(line, width, "left"))),
  );
  const noName = paint.bold(aligned(BLANK, width, "left"));
  const gap = " ".repeat(GAP);
  const lines: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0) lines.push(rule);
    for (const [column, cell] of row.entries()) {
      const names = namesOf[column] ?? [];
      const values = layOut(cell, { columns: columns - width - GAP });
      for (let line = 0; line < Math.max(names.length, values.length); line += 1) {
        lines.push(`${names[line] ?? noName}${gap}${values[line] ?? ""}`.trimEnd());
      }
    }
  }
  return lines.length > 0 ? lines : header.flatMap((cell) => layOut(cell, { columns }));
}

import type { MarkdownWriter } from "./markdown-writer.js";

interface Table {
  /** Cells of the row that is being read. */
  row: string[];
  rows: number;
  isHead: boolean;
  /** It arranges parts of the page: its cells are blocks. */
  isLayout: boolean;
}

/** Writes tables of HTML: cells apart, and as blocks where they only arrange the page. */
export class TableWriter {
  readonly #writer: MarkdownWriter;
  readonly #open: Table[] = [];

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  enter(): void {
    this.#open.push({ row: [], rows: 0, isHead: true, isLayout: false });
  }

  leave(): void {
    this.#open.pop();
    this.#writer.endBlock();
  }

  openRow(): void {
    const table = this.#open.at(-1);
    if (table !== undefined) [table.row, table.isHead] = [[], true];
  }

  openCell(name: string): void {
    const table = this.#open.at(-1);
    if (table === undefined || table.isLayout) {
      this.#writer.endBlock();
      return;
    }
    if (name === "td") table.isHead = false;
    this.#writer.beginCell();
  }

  closeCell(): void {
    const table = this.#open.at(-1);
    if (table === undefined || table.isLayout || !this.#writer.isInCell) this.#writer.endBlock();
    else table.row.push(this.#writer.endCell().replaceAll("|", "\\|"));
  }

  closeRow(): void {
    const table = this.#open.at(-1);
    if (table === undefined || table.isLayout || this.#writer.isInCell) {
      this.#writer.endLine();
      return;
    }
    const { row, isHead } = table;
    if (row.every((cell) => cell === "")) return;
    if (row.length === 1) this.#writer.line(row[0] as string);
    else this.#writer.line(`| ${row.join(" | ")} |`);
    if (isHead && row.length > 1 && table.rows === 0) this.#writer.line(`|${row.map(() => "---|").join("")}`);
    table.rows++;
    table.row = [];
  }

  /** What is inside of a cell needs blocks: the tables around it only arrange the page. */
  leaveCells(): void {
    // Around one that arranges the page all do.
    const first = this.#open.findLastIndex(({ isLayout }) => isLayout) + 1;
    for (const table of this.#open.slice(first)) {
      table.isLayout = true;
      for (const cell of table.row.splice(0)) this.#block(cell);
    }
    while (this.#writer.isInCell) this.#block(this.#writer.endCell());
  }

  #block(text: string): void {
    this.#writer.text(text);
    this.#writer.endBlock();
  }
}

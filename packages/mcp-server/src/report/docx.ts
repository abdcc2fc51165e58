import type * as Docx from "docx";
import { httpUrl } from "./citations.js";
import { parseMarkdown } from "./markdown-parser.js";
import { type Block, type Inline, type List, type Table, textOf } from "./markdown-tree.js";

/** The package `docx`, which only those need who want such a file. */
export type DocxPackage = typeof Docx;

interface Style {
  bold?: boolean;
  italics?: boolean;
  strike?: boolean;
  font?: string;
}

const CODE: Style = { font: "Consolas" };
/** A level of a list, or of a quotation, in twentieths of a point. */
const INDENT = 360;
/** A document has no more levels of lists. */
const DEEPEST = 8;

/** A text in Markdown as a document of Word: headings, lists, tables and links are real ones. */
export async function markdownToDocx(markdown: string, title: string, docx: DocxPackage): Promise<Uint8Array> {
  const writer = new Writer(docx);
  const children = writer.blocks(parseMarkdown(markdown.replaceAll(/\p{Cs}/gu, "\ufffd")));
  const document = new docx.Document({
    title,
    creator: "x-research",
    numbering: { config: writer.numbering },
    sections: [{ children }],
  });
  return docx.Packer.toBuffer(document);
}

/** Where a block stands. */
interface Place {
  indent: number;
  /** Levels of lists around it. */
  depth: number;
}

class Writer {
  readonly numbering: { reference: string; levels: Docx.ILevelsOptions[] }[] = [];
  readonly #docx: DocxPackage;

  constructor(docx: DocxPackage) {
    this.#docx = docx;
  }

  blocks(blocks: readonly Block[], place: Place = { indent: 0, depth: 0 }): (Docx.Paragraph | Docx.Table)[] {
    return blocks.flatMap((block) => this.#block(block, place));
  }

  #block(block: Block, place: Place): (Docx.Paragraph | Docx.Table)[] {
    const { Paragraph, TextRun } = this.#docx;
    const indent = place.indent > 0 ? { indent: { left: place.indent } } : {};
    switch (block.type) {
      case "heading":
        return [new Paragraph({ heading: this.#heading(block.depth), children: this.#line(block.content) })];
      case "paragraph":
        return [new Paragraph({ ...indent, spacing: { after: 160 }, children: this.#line(block.content) })];
      case "list":
        return this.#list(block, place);
      case "quote":
        return this.blocks(block.blocks, { ...place, indent: place.indent + INDENT });
      case "code": {
        const lines = block.text.split("\n").map((text, at) => new TextRun({ ...CODE, text, break: at === 0 ? 0 : 1 }));
        return [new Paragraph({ ...indent, spacing: { after: 160 }, children: lines })];
      }
      case "table":
        return [this.#table(block), new Paragraph({})];
      case "rule":
        return [new Paragraph({ thematicBreak: true })];
      case "definition":
        return [];
    }
  }

  #heading(depth: number): (typeof Docx.HeadingLevel)[keyof typeof Docx.HeadingLevel] {
    const levels = ["HEADING_1", "HEADING_2", "HEADING_3", "HEADING_4", "HEADING_5", "HEADING_6"] as const;
    return this.#docx.HeadingLevel[levels[Math.min(depth, 6) - 1] ?? "HEADING_6"];
  }

  #list({ start, items }: List, { indent, depth }: Place): (Docx.Paragraph | Docx.Table)[] {
    const { Paragraph } = this.#docx;
    const level = Math.min(depth, DEEPEST);
    const reference = start === undefined ? undefined : this.#numbered(start, level);
    return items.flatMap(({ blocks, checked }) => {
      const [first, ...rest] = blocks;
      const mark: Docx.IParagraphOptions =
        reference === undefined ? { bullet: { level } } : { numbering: { reference, level } };
      const said = first?.type === "paragraph" ? this.#line(first.content) : [];
      const task = checked === undefined ? [] : [new this.#docx.TextRun(checked ? "☑ " : "☐ ")];
      const below = first?.type === "paragraph" ? rest : blocks;
      const inside = { indent: indent + INDENT * 2, depth: depth + 1 };
      return [new Paragraph({ ...mark, children: [...task, ...said] }), ...this.blocks(below, inside)];
    });
  }

  /** Each list counts by itself. */
  #numbered(start: number, level: number): string {
    const reference = `list-${this.numbering.length}`;
    const left = INDENT * 2 * (level + 1);
    const style = { paragraph: { indent: { left, hanging: INDENT } } };
    const format = this.#docx.LevelFormat.DECIMAL;
    this.numbering.push({ reference, levels: [{ level, start, format, text: `%${level + 1}.`, style }] });
    return reference;
  }

  #table({ header, rows }: Table): Docx.Table {
    const { Paragraph, Table, TableCell, TableRow, WidthType } = this.#docx;
    const row = (cells: readonly Inline[][], style: Style = {}) =>
      new TableRow({
        tableHeader: style.bold === true,
        children: cells.map(
          (cell) => new TableCell({ children: [new Paragraph({ children: this.#line(cell, style) })] }),
        ),
      });
    return new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      rows: [row(header, { bold: true }), ...rows.map((cells) => row(cells))],
    });
  }

  #line(content: readonly Inline[], style: Style = {}): Docx.ParagraphChild[] {
    return content.flatMap((node) => this.#inline(node, style));
  }

  #inline(node: Inline, style: Style): Docx.ParagraphChild[] {
    const { ExternalHyperlink, TextRun } = this.#docx;
    switch (node.type) {
      case "text":
        return [new TextRun({ ...style, text: node.text })];
      case "code":
        return [new TextRun({ ...style, ...CODE, text: node.text })];
      case "strong":
        return this.#line(node.content, { ...style, bold: true });
      case "em":
        return this.#line(node.content, { ...style, italics: true });
      case "del":
        return this.#line(node.content, { ...style, strike: true });
      case "break":
        return [node.hard ? new TextRun({ break: 1 }) : new TextRun(" ")];
      case "citation":
        return [new TextRun({ ...style, text: `[${node.numbers.join(", ")}]` })];
      case "image":
      case "link": {
        const link = httpUrl(node.url)?.href;
        const text = (node.type === "image" ? node.text : textOf(node.content)) || node.url;
        if (link === undefined) return [new TextRun({ ...style, text })];
        return [new ExternalHyperlink({ link, children: [new TextRun({ ...style, text, style: "Hyperlink" })] })];
      }
    }
  }
}

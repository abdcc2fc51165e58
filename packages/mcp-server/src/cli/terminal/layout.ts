import { widthOf, widthOfCharacter } from "./width.js";

/** Makes a part of a line look as it should: colours, a link. It gets no line ends. */
export type Style = (text: string) => string;

/** A part of a text that looks the same from its first character to its last. Without control characters but `\n`. */
export type Piece = string | { text: string; style: Style };

/** A no-break space keeps what stands at its sides on one line; it is printed as a space. */
export const NO_BREAK = "\u00a0";

/** Where lines end, and how they begin. */
export interface Layout {
  /** Cells of a line, what stands before it included. */
  columns: number;
  /** What stands before the first line, as it is printed. */
  first?: string;
  /** What stands before every other line. Default: blanks as wide as `first`. */
  indent?: string;
  /**
   * Leaves a word as it is, such as a path that is to be copied: one that is wider than a line is broken by the terminal, and
   * a no-break space in it is printed as one.
   */
  wholeWords?: boolean;
}

/** A line as it is printed, and the cells that it takes. */
export interface PrintedLine {
  text: string;
  width: number;
}

/**
 * Breaks a text into lines between its words; a word that is wider than a line is broken where the line ends. `\n` in
 * the text ends a line. Gives at least one line.
 */
export function layOut(content: Piece | readonly Piece[], layout: Layout): string[] {
  return layOutLines(content, layout).map(({ text }) => text);
}

/** The same, each line with its width. */
export function layOutLines(content: Piece | readonly Piece[], layout: Layout): PrintedLine[] {
  const { columns, first = "", indent, wholeWords = false } = layout;
  const width = widthOf(first);
  const before = indent ?? " ".repeat(width);
  const widthBefore = indent === undefined ? width : widthOf(indent);
  const lines = new Lines(Math.max(1, columns - widthBefore), wholeWords);
  for (const piece of typeof content === "string" || "text" in content ? [content] : content) {
    const { text, style } = typeof piece === "string" ? { text: piece, style: asItIs } : piece;
    for (const [part] of text.matchAll(PARTS)) {
      if (part === "\n") lines.end();
      else if (part.startsWith(" ") || part.startsWith("\t")) lines.blank(part, style);
      else lines.word(part, style);
    }
  }
  return lines.all().map((line, index) => {
    const whole = `${index === 0 ? first : before}${line.text}`;
    const text = whole.trimEnd();
    return { text, width: (index === 0 ? width : widthBefore) + line.width - (whole.length - text.length) };
  });
}

const PARTS = /\n|[ \t]+|[^ \t\n]+/g;

const asItIs: Style = (text) => text;

interface Run {
  text: string;
  style: Style;
}

interface Line {
  runs: Run[];
  width: number;
}

/** Of a word. */
interface Part extends Run {
  width: number;
}

/** Lines as they fill. A word may come in several parts that look different: it is kept back until it ends. */
class Lines {
  readonly #columns: number;
  readonly #wholeWords: boolean;
  #line: Line = { runs: [], width: 0 };
  readonly #lines = [this.#line];
  #word: Part[] = [];
  #wordWidth = 0;
  /** Before the word. */
  #blank: Run | undefined;

  constructor(columns: number, wholeWords: boolean) {
    this.#columns = columns;
    this.#wholeWords = wholeWords;
  }

  word(text: string, style: Style): void {
    const width = widthOf(text);
    this.#word.push({ text, style, width });
    this.#wordWidth += width;
  }

  blank(text: string, style: Style): void {
    this.#place();
    this.#blank = { text: (this.#blank?.text ?? "") + text.replaceAll("\t", " "), style };
  }

  end(): void {
    this.#place();
    this.#newLine();
  }

  all(): PrintedLine[] {
    this.#place();
    return this.#lines.map(({ runs, width }) => ({ text: printed(runs, this.#wholeWords), width }));
  }

  #newLine(): void {
    this.#line = { runs: [], width: 0 };
    this.#lines.push(this.#line);
    this.#blank = undefined;
  }

  #place(): void {
    if (this.#word.length === 0) return;
    const gap = this.#line.width > 0 ? (this.#blank?.text.length ?? 0) : 0;
    const isTooWide = this.#wordWidth > this.#columns;
    // What has no blanks by nature, as Chinese, goes on in the line.
    const goesOn = isTooWide && this.#word.some(({ text, width }) => width > text.length);
    if (this.#line.width > 0 && this.#line.width + gap + (goesOn ? 2 : this.#wordWidth) > this.#columns)
      this.#newLine();
    else if (gap > 0 && this.#blank) this.#add(this.#blank.text, this.#blank.style, gap);
    const isBroken = isTooWide && (goesOn || !this.#wholeWords);
    let left = this.#wordWidth;
    for (const { text, style, width } of this.#word) {
      if (isBroken && text.startsWith(NO_BREAK) && left <= this.#columns && this.#line.width + left > this.#columns) {
        // What hangs on a word that is broken all the same goes on the next line whole.
        this.#newLine();
        this.#add(text.slice(NO_BREAK.length), style, width - 1);
      } else if (isBroken) this.#addBroken(text, style);
      else this.#add(text, style, 0);
      left -= width;
    }
    if (!isBroken) this.#line.width += this.#wordWidth;
    this.#word = [];
    this.#wordWidth = 0;
    this.#blank = undefined;
  }

  #add(text: string, style: Style, width: number): void {
    const { runs } = this.#line;
    const last = runs.at(-1);
    if (last?.style === style) last.text += text;
    else runs.push({ text, style });
    this.#line.width += width;
  }

  #addBroken(text: string, style: Style): void {
    let from = 0;
    let at = 0;
    let width = 0;
    for (const character of text) {
      const wide = widthOfCharacter(character);
      if (this.#line.width + width + wide > this.#columns && this.#line.width + width > 0 && !joins(text, at)) {
        this.#add(text.slice(from, at), style, width);
        this.#newLine();
        from = at;
        width = 0;
      }
      width += wide;
      at += character.length;
    }
    this.#add(text.slice(from), style, width);
  }
}

/** Whether what begins here is one character with what stands before it. */
function joins(text: string, at: number): boolean {
  return /^(?:\p{M}|\u200d)/u.test(text.slice(at, at + 2)) || text.charAt(at - 1) === "\u200d";
}

function printed(runs: readonly Run[], wholeWords: boolean): string {
  return runs.map(({ text, style }) => style(wholeWords ? text : text.replaceAll(NO_BREAK, " "))).join("");
}

/** A text of one line that takes at most `columns` cells; one that is cut ends in `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (widthOf(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

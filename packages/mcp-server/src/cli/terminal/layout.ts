import stringWidth from "fast-string-width";

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
}

/**
 * Breaks a text into lines between its words; a word that is wider than a line is broken where the line ends. `\n` in
 * the text ends a line. Gives at least one line.
 */
export function layOut(content: Piece | readonly Piece[], { columns, first = "", indent }: Layout): string[] {
  const before = indent ?? " ".repeat(stringWidth(first));
  const lines = new Lines(Math.max(1, columns - stringWidth(before)));
  for (const piece of typeof content === "string" || "text" in content ? [content] : content) {
    const { text, style } = typeof piece === "string" ? { text: piece, style: asItIs } : piece;
    for (const [part] of text.matchAll(/\n|[ \t]+|[^ \t\n]+/g)) {
      if (part === "\n") lines.end();
      else if (part.startsWith(" ") || part.startsWith("\t")) lines.blank(part, style);
      else lines.word(part, style);
    }
  }
  return lines.all().map((line, index) => `${index === 0 ? first : before}${line}`.trimEnd());
}

const asItIs: Style = (text) => text;

interface Run {
  text: string;
  style: Style;
}

/** Lines as they fill. A word may come in several parts that look different: it is kept back until it ends. */
class Lines {
  readonly #columns: number;
  readonly #lines: Run[][] = [[]];
  #width = 0;
  #word: Run[] = [];
  #wordWidth = 0;
  /** Before the word. */
  #blank: Run | undefined;

  constructor(columns: number) {
    this.#columns = columns;
  }

  word(text: string, style: Style): void {
    this.#word.push({ text, style });
    this.#wordWidth += stringWidth(text);
  }

  blank(text: string, style: Style): void {
    this.#place();
    this.#blank = { text: (this.#blank?.text ?? "") + text.replaceAll("\t", " "), style };
  }

  end(): void {
    this.#place();
    this.#newLine();
  }

  all(): string[] {
    this.#place();
    return this.#lines.map(printed);
  }

  #newLine(): void {
    this.#lines.push([]);
    this.#width = 0;
    this.#blank = undefined;
  }

  #place(): void {
    if (this.#word.length === 0) return;
    const gap = this.#width > 0 ? (this.#blank?.text.length ?? 0) : 0;
    const isTooWide = this.#wordWidth > this.#columns;
    // What has no blanks by nature, as Chinese, goes on in the line.
    const goesOn = isTooWide && this.#word.some(({ text }) => stringWidth(text) > text.length);
    if (this.#width > 0 && this.#width + gap + (goesOn ? 2 : this.#wordWidth) > this.#columns) this.#newLine();
    else if (gap > 0 && this.#blank) this.#add(this.#blank.text, this.#blank.style, gap);
    for (const { text, style } of this.#word) {
      if (isTooWide) this.#addBroken(text, style);
      else this.#add(text, style, 0);
    }
    if (!isTooWide) this.#width += this.#wordWidth;
    this.#word = [];
    this.#wordWidth = 0;
    this.#blank = undefined;
  }

  #add(text: string, style: Style, width: number): void {
    const line = this.#lines.at(-1) as Run[];
    const last = line.at(-1);
    if (last?.style === style) last.text += text;
    else line.push({ text, style });
    this.#width += width;
  }

  #addBroken(text: string, style: Style): void {
    let from = 0;
    let at = 0;
    let width = 0;
    for (const character of text) {
      const wide = stringWidth(character);
      if (this.#width + width + wide > this.#columns && this.#width + width > 0 && !joins(text, at)) {
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

function printed(line: readonly Run[]): string {
  return line.map(({ text, style }) => style(text.replaceAll(NO_BREAK, " "))).join("");
}

/** A text of one line that takes at most `columns` cells; one that is cut ends in `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let cut = "";
  for (const character of text) {
    if (stringWidth(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

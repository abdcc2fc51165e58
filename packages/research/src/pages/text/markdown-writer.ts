import { withoutUnseen } from "./unseen.js";

/** What stands before the lines of a list item or a quotation. */
interface Prefix {
  first: string;
  rest: string;
  used: boolean;
}

/** Text that is being written: a line of a block, or a cell of a table. */
interface Target {
  pieces: string[];
  endsInBlank: boolean;
  isCell: boolean;
  /** Counts the lines that were ended. */
  line: number;
  /** How many pieces there were when an element inside of the line ended last. */
  ended: number;
  /** How many there were when one began where another had ended. */
  seam: number;
}

/** A place in a line or a cell. */
export interface Place {
  target: Target;
  line: number;
  at: number;
}

/** Between the elements of most pages stands nothing else. */
const LINE_END = "\n";
/** Blanks that are not one blank: most are, and a text of many words is written at once. */
const WHITE = /[\t\n\f\r ]{2,}|[\t\n\f\r]/g;
/** Lists and quotations in each other whose marks are written; what stands deeper has these alone. */
const MAX_PREFIXES = 20;
const EMPTY_HEADING = /^#{1,6}$/;

/** Writes Markdown block by block: blanks are joined as a browser joins them, and no two blocks run together. */
export class MarkdownWriter {
  readonly #lines: string[] = [];
  readonly #prefixes: Prefix[] = [];
  /** Those around the one that is being written. */
  readonly #targets: Target[] = [];
  #target = newTarget(false);
  readonly #maxCharacters: number;
  #length = 0;
  /** An empty line belongs before the next one. */
  #gap = false;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Whether there is as much as there may be: what comes is not written. */
  get isFull(): boolean {
    return this.#length >= this.#maxCharacters;
  }

  /** Whether a cell of a table is being written. */
  get isInCell(): boolean {
    return this.#target.isCell;
  }

  /** Adds text whose blanks are those of HTML. */
  text(raw: string): void {
    const target = this.#target;
    if (raw === LINE_END && target.endsInBlank) return;
    let text = withoutUnseen(raw).replace(WHITE, " ");
    if (target.endsInBlank && text.startsWith(" ")) text = text.slice(1);
    if (text === "" || this.isFull) return;
    // A reference to a character is a piece of its own.
    if (target.seam === target.pieces.length && areApart(target.pieces.slice(-3).join(""), text)) text = ` ${text}`;
    target.pieces.push(text);
    target.endsInBlank = text.endsWith(" ");
    this.#length += text.length;
  }

  /** An element inside of the line ends. */
  endInline(): void {
    this.#target.ended = this.#target.pieces.length;
  }

  /** An element inside of the line begins. */
  beginInline(): void {
    const target = this.#target;
    if (target.ended === target.pieces.length) target.seam = target.ended;
  }

  /** Adds a mark, as it is; gives its place, for {@link cutFrom}. */
  mark(mark: string): Place {
    const target = this.#target;
    if (mark !== "") target.endsInBlank = mark.endsWith("[") && target.endsInBlank;
    return { target, line: target.line, at: target.pieces.push(mark) - 1 };
  }

  /** Takes back what was written since a place, and gives it; nothing when that line or cell has ended. */
  cutFrom({ target, line, at }: Place): string {
    if (target !== this.#target || line !== target.line) return "";
    const text = target.pieces.splice(at).join("");
    target.endsInBlank = target.pieces.length === 0 || (target.pieces.at(-1) ?? "").endsWith(" ");
    return text;
  }

  /** Takes back a mark and leaves what follows. */
  unmark({ target, line, at }: Place): void {
    if (line === target.line && at < target.pieces.length) target.pieces[at] = "";
  }

  /** Ends the line; in a cell it is a blank. */
  endLine(): void {
    const target = this.#target;
    if (target.isCell) {
      if (!target.endsInBlank) target.pieces.push(" ");
      target.endsInBlank = true;
      return;
    }
    const line = target.pieces.join("").trim();
    target.pieces = [];
    target.endsInBlank = true;
    target.ended = target.seam = -1;
    target.line++;
    if (line !== "" && !EMPTY_HEADING.test(line)) this.line(line);
  }

  /** Ends the line, and leaves an empty one before the next. */
  endBlock(): void {
    this.endLine();
    if (!this.isInCell) this.#gap = true;
  }

  /** Writes one line as it is. */
  line(line: string): void {
    const gap = this.#gap && this.#lines.length > 0 ? `${this.#prefix(true).trimEnd()}\n` : "";
    this.#gap = false;
    const before = `${gap}${this.#prefix(false)}`;
    this.#length += before.length;
    this.#lines.push(`${before}${line}`);
  }

  #prefix(isGap: boolean): string {
    if (this.#prefixes.length === 0) return "";
    return this.#prefixes
      .slice(0, MAX_PREFIXES)
      .map((prefix) => {
        if (isGap || prefix.used) return prefix.used ? prefix.rest : "";
        prefix.used = true;
        return prefix.first;
      })
      .join("");
  }

  /** Puts marks before the lines that come, until {@link leave}. */
  enter(first: string, rest: string): void {
    this.endLine();
    this.#prefixes.push({ first, rest, used: false });
  }

  leave(): void {
    this.endLine();
    this.#prefixes.pop();
  }

  beginCell(): void {
    this.#targets.push(this.#target);
    this.#target = newTarget(true);
  }

  /** Ends the cell and gives its text. */
  endCell(): string {
    const around = this.#targets.pop();
    if (around === undefined) return "";
    const cell = this.#target;
    this.#target = around;
    return cell.pieces.join("").trim();
  }

  /** Gives all that was written. */
  done(): string {
    while (this.isInCell) this.text(` ${this.endCell()}`);
    this.endLine();
    return this.#lines.join("\n").trim();
  }
}

function newTarget(isCell: boolean): Target {
  return { pieces: [], endsInBlank: true, isCell, line: 0, ended: 0, seam: 0 };
}

/** A word, or a number with its unit. */
const WORD_ENDS = /(?:\p{Ll}{3}|\p{Nd}[\s\u00a0]?(?:\p{L}{1,3}|[%°]))$/u;
const WORD_BEGINS = /^\p{L}{3}/u;

/** Whether the texts of two elements beside each other are a name and its value, which style alone keeps apart. */
function areApart(before: string, after: string): boolean {
  if (WORD_ENDS.test(before)) return /^[\p{Nd}\p{Lu}]/u.test(after);
  return /\p{Nd}$/u.test(before) && WORD_BEGINS.test(after);
}

/** Lines of a Markdown text that follow each other. */
export interface Stretch {
  /** Of what is fenced code for every reader, its fences included. What has none may be code for some. */
  code?: FencedCode;
  lines: string[];
}

/**
 * The lines of a Markdown text, in order, told apart by what every reader of Markdown takes for code. Readers disagree on
 * what continues an item, on what a definition reaches over, and on what opens and closes a fence: a fence counts at the
 * start of a line, or at the indentation of a plain item of a list, when one plain word at most stands behind it, and when
 * the first line that could close it holds nothing else.
 */
export function stretchesOf(text: string): Stretch[] {
  const lines = text.split("\n");
  const stretches: Stretch[] = [];
  const context = new Context();
  let done = 0;
  const put = (to: number, code?: FencedCode) => {
    if (to > done) stretches.push({ ...(code && { code }), lines: lines.slice(done, to) });
    done = to;
  };
  for (let at = 0; at < lines.length; ) {
    const fence = fenceAt(lines[at] ?? "");
    const end = fence === undefined ? at + 1 : endOfFence(lines, at, fence);
    // From here on a fence may open for one reader and close for another.
    if (end === undefined || (fence !== undefined && context.isLabelOpen)) break;
    if (fence !== undefined && context.holds(fence)) {
      put(at);
      put(end, { ...fence, isClosed: end <= lines.length });
      context.passCode(fence);
    } else for (const line of lines.slice(at, end)) context.read(line);
    at = end;
  }
  put(lines.length);
  return stretches;
}

/** Fenced code with its fences as all readers know them, the second one also where the text ends without it. */
export function writtenPlainly({ before, marks, info, isClosed }: FencedCode, lines: readonly string[]): string[] {
  const written = [`${before}${marks}${info.trim()}`, ...lines.slice(1)];
  const isBeforeLast = isClosed || written.at(-1) === "";
  written.splice(isBeforeLast ? -1 : written.length, isClosed ? 1 : 0, `${before}${marks}`);
  return written;
}

/** Whether a line may begin a fence with a quotation mark behind it. */
export function isQuotedFence(line: string): boolean {
  return line.includes('"') && fenceAt(line) !== undefined;
}

interface Fence {
  /** What stands before it in its line: blanks, and the marks of quotes and items. */
  before: string;
  marks: string;
  info: string;
}

interface FencedCode extends Fence {
  /** Whether a fence ends it, not the text. */
  isClosed: boolean;
}

const FENCE = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)*)(`{3,}(?=[^`]*$)|~{3,})/;

function fenceAt(line: string): Fence | undefined {
  const [whole, before, marks] = FENCE.exec(line) ?? [];
  return before === undefined || marks === undefined ? undefined : { before, marks, info: line.slice(whole?.length) };
}

/** Behind a fence: for some readers, one with more is none. */
const PLAIN_INFO = /^[\w#.+-]*$/;
/** What closes a fence for some reader: one of them takes both kinds of marks together, others whatever stands behind them. */
const CLOSING = /^ {0,3}([`~]{3,})/;
const ONE_KIND = /^(?:`+|~+) *$/;

/** The line behind a fence's end, as if one stood behind a text that ends without it. None when readers may disagree on it. */
function endOfFence(lines: readonly string[], from: number, { before, marks, info }: Fence): number | undefined {
  if (!PLAIN_INFO.test(info.trim())) return undefined;
  const inside = before.replace(/[^\s>]/g, " ");
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!line.startsWith(inside)) {
      if (line.trimEnd() !== inside.trimEnd()) return undefined;
      continue;
    }
    const written = line.slice(inside.length);
    const closing = CLOSING.exec(written)?.[1] ?? "";
    if (closing.startsWith(marks)) {
      return written.startsWith(marks) && ONE_KIND.test(written) ? at + 1 : undefined;
    }
    // For a reader to whom this is no fence yet, it would open one.
    if (inside !== "" && fenceAt(written) !== undefined) return undefined;
  }
  return before === "" ? lines.length + 1 : undefined;
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)]) (?=(?:\*\*)?["'(“]?\p{L})/u;
/** An item that may follow the text of a paragraph. */
const INTERRUPTS = /^(?:[-*+]|1[.)]) /;

/** What is open before a line. */
class Context {
  /** Whether a bracket may have opened the label of a definition, which for some readers reaches over everything. */
  isLabelOpen = false;
  /** Of the plain item of a list that is open, the column of its text. */
  #item = 0;
  /** Whether an item may begin for every reader. */
  #isFresh = true;
  #isAfterText = false;

  read(line: string): void {
    this.isLabelOpen = leavesLabelOpen(line, this.isLabelOpen);
    if (isBlank(line)) {
      this.#isFresh = true;
      return;
    }
    const [item = ""] = ITEM.exec(line) ?? [];
    const begins = this.#isFresh || this.#item > 0 || (this.#isAfterText && INTERRUPTS.test(line));
    if (item !== "") this.#item = begins ? item.length : 0;
    else if (!line.startsWith(" ".repeat(this.#item)) || beginsLabel(line)) this.#item = 0;
    this.#isFresh = /^#{1,6} /.test(line);
    this.#isAfterText = /^\S/.test(line);
  }

  holds({ before }: Fence): boolean {
    return before === " ".repeat(before === "" ? 0 : this.#item);
  }

  passCode({ before }: Fence): void {
    if (before === "") this.#item = 0;
    this.#isFresh = before === "";
    this.#isAfterText = false;
  }
}

/** Whether every reader takes a line for a blank one: one of them takes a tab for text. */
export function isBlank(line: string): boolean {
  return /^ *$/.test(line);
}

/** What may stand before a definition, but for the brackets of a task or a footnote. */
const BEFORE_LABEL = " \t>*+-.):0123456789";

/** Whether text of a line is more than what may stand before a definition. */
export function isProse(character: string): boolean {
  return !BEFORE_LABEL.includes(character);
}

function beginsLabel(line: string): boolean {
  const bracket = line.indexOf("[");
  return bracket >= 0 && ![...line.slice(0, bracket)].some(isProse);
}

function leavesLabelOpen(line: string, wasOpen: boolean): boolean {
  let last = wasOpen ? 0 : -1;
  let closed = !wasOpen;
  for (const { 0: mark, index } of line.matchAll(/\\.|[[\]]/g)) {
    if (mark.startsWith("\\")) continue;
    closed = mark === "]";
    last = index;
  }
  if (closed || last < 0) return false;
  return last === 0 || ![...line.slice(0, last).replace(/\[[^[\]]*\]/g, "")].some(isProse);
}

/** `[1]`, `[1, 2]`, `[^1]`, `[2-4]`. Longer lists cite nothing, and without a bound they would be too much for the stack. */
const MARK = /\[\^?(\d{1,3}(?:\s{0,9}[,;–-]\s{0,9}\^?\d{1,3}){0,200})\]/g;

/** Where a number in brackets leads, when it is a link: `(https://example.org/a_(b) "A title")`. */
const TARGET = /\([^\s()"]{1,2000}(?:\([^\s()"]{0,200}\)[^\s()"]{0,200}){0,3}(?:\s"[^"\n]{0,500}")?\)/y;

/** Numbers that a range such as `[1-30]` stands for at most. */
const LONGEST_RANGE = 20;

/** One `[1, 2]` of a text. */
export interface CitationMark {
  /** Where it begins and ends in the text. */
  from: number;
  to: number;
  numbers: number[];
}

/** The numbers in brackets of a text, in order. */
export function* citationMarks(text: string): Generator<CitationMark, void> {
  if (!text.includes("[")) return;
  for (const { 0: mark, 1: list = "", index } of text.matchAll(MARK)) {
    yield { from: index, to: index + mark.length, numbers: spelledOut(list) };
  }
}

/** All numbers in brackets of a text. */
export function numbersIn(text: string): number[] {
  return [...citationMarks(text)].flatMap(({ numbers }) => numbers);
}

/** The text without its numbers in brackets, where they lead, and the blanks before them. */
export function withoutMarks(text: string): string {
  let kept = "";
  let end = 0;
  for (const { from, to } of citationMarks(text)) {
    kept += text.slice(end, from).trimEnd();
    end = targetEnd(text, to);
  }
  return kept + text.slice(end);
}

/** Where the target that begins here ends; the same place when none does. */
function targetEnd(text: string, from: number): number {
  TARGET.lastIndex = from;
  return TARGET.test(text) ? TARGET.lastIndex : from;
}

function spelledOut(list: string): number[] {
  return list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map((text) => Number(text.trim().replace("^", "")));
    return Array.from({ length: Math.min(Math.max(to - from + 1, 0), LONGEST_RANGE) }, (_, index) => from + index);
  });
}

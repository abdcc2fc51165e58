import { isShown } from "./announced.js";
import { type Candidate, isEmpty } from "./candidate.js";

/** What the text around a value says against it. */

/** What stands before a value that was commented out. */
const IN_LINE_COMMENT = /(?:^|\n)[ \t]*\/\/[^\n]*$/;
/** Or struck out. */
const STRUCK_OUT = ["<del>", "<s>", "<strike>"];

function isCommentedOut(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  const bare = before.trimEnd();
  const isStruckOut = STRUCK_OUT.some((tag) => bare.endsWith(tag)) || (bare.endsWith("~~") && !bare.endsWith("~~~"));
  return isStruckOut || IN_LINE_COMMENT.test(before) || before.lastIndexOf("<!--") > before.lastIndexOf("-->");
}

/** Whether a value is commented out, or the text says right around it that it is an example, or what failed. */
export function isSpokenAgainst({ start }: Candidate, text: string): boolean {
  return isCommentedOut(text, start) || isShown(text, start);
}

/** A longer list of numbers is not looked at. */
const MAX_CITATION = 1_000;
/** Also `[[1]]`. */
const NUMBERS = /^\[{1,3}[\d\s.,eE+-]*\]{1,3}$/;

/** Nobody cites `[3, 1, 4]`, `[0.5, 2, 7]` or `[1, 2, ...]`: citations are whole numbers that rise. */
function areNoCitations(numbers: unknown[], edits: Candidate["edits"]): boolean {
  if (numbers.length < 3) return false;
  const rise = numbers.every(
    (one, i) => Number.isInteger(one) && (one as number) > ((numbers[i - 1] as number | undefined) ?? 0),
  );
  return !rise || edits.some(({ kind }) => kind === "ellipsis");
}

/** `[1]`, `[ ]`, `{}` in the middle of a sentence: a citation, a box to tick, a pair of brackets. */
export function isProse(candidate: Candidate, text: string): boolean {
  const { start, end } = candidate;
  // As text, most need not be parsed for it.
  const short = end - start < 40 && candidate.edits.length === 0;
  if (!short || !NUMBERS.test(text.slice(start, end))) {
    const { value } = candidate;
    const list = Array.isArray(value);
    const numbers = list && value.every((one) => typeof one === "number" || one === null);
    if (!numbers && !isEmpty(value)) return list && value.length === 1 && text[end] === "(";
  }
  if (end - start < MAX_CITATION && Array.isArray(candidate.value) && areNoCitations(candidate.value, candidate.edits))
    return false;
  const before = text.slice(Math.max(0, start - 80), start);
  const after = text.slice(end, end + 80);
  const startsLine = /(?:^|[\n`>])[ \t]*$/.test(before) || start === 0;
  const endsLine = /^[ \t.;)}\]]*(?:$|[\n`<])/.test(after);
  if (startsLine && endsLine) return false;
  // `let none = {};`
  if (isEmpty(candidate.value) && /^[ \t]*;/.test(after)) return true;
  const introduced = /[:=(]\s*$/.test(before);
  if (introduced && endsLine) return false;
  return !introduced || isEmpty(candidate.value) || (candidate.value as unknown[]).length < 2;
}

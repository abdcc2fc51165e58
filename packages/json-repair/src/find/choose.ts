import type { ExtractOptions } from "../result.js";
import { isShown } from "./announced.js";
import { type Answer, before, behind, type Candidate, isEmpty, isListOfOne } from "./answer.js";

/** The values of a text, and which of them fit what is asked for. */
export interface Found<T> {
  text: string;
  candidates: readonly Candidate[];
  fitting: readonly Answer<T>[];
}

type Test<T> = (one: Answer<T>, found: Found<T>) => boolean;

/** Languages of fences that hold programs: a value in one is a part of the program. */
const CODE =
  /^(?:[jt]sx?|javascript|typescript|py(?:thon)?|java|c|cpp|csharp|cs|go|rust|ruby|rb|php|kotlin|swift|sh|bash|sql|css|html)$/i;

/** What speaks against a value, the gravest first: each counts for more than all behind it together. */
const AGAINST: readonly Test<unknown>[] = [
  ({ candidate }) => candidate.thought,
  ({ value }) => isTemplate(value),
  ({ candidate }, { text }) => isSpokenAgainst(candidate, text),
  ({ candidate }) => !candidate.complete,
  ({ candidate }) => CODE.test(candidate.fence ?? ""),
];
/** Also, where any value will do: what stands within a sentence is an example beside one that has its lines for itself. */
const AGAINST_ANY: readonly Test<unknown>[] = [...AGAINST, ({ candidate }, { text }) => isInWords(candidate, text)];

/** The value that is meant: of those that least speaks against, the one that is preferred. */
export function choose<T>(found: Found<T>, { schema, prefer }: ExtractOptions<T>): Answer<T> | undefined {
  const { text, fitting } = found;
  const asked = prefer ?? (schema && "last");
  // A mark of a source is no list of the texts that were asked for, and no value if nothing is asked for.
  let pool = fitting.filter((one) => (schema && one.coerced.length === 0) || !isProse(one.candidate, text));
  for (const isAgainst of asked ? AGAINST : AGAINST_ANY) {
    if (pool.length < 2) return pool[0];
    const others = pool.filter((one) => !isAgainst(one, found));
    if (others.length > 0) pool = others;
  }
  if (asked === "first") return pool[0];
  if (asked === "last") return pool.at(-1);
  const size = ({ candidate }: Answer<T>) => candidate.end - candidate.start;
  const largest = pool.reduce((best, one) => (size(one) >= size(best) ? one : best));
  // Of several with the same keys, the last one corrects the others.
  return asked ? largest : pool.findLast((one) => shapeOf(one.value) === shapeOf(largest.value));
}

/** What stands before a value that is commented out or struck out. */
const TAKEN_BACK = /(?:^|\n)[ \t]*\/\/[^\n]*$|<(?:del|s|strike)>\s*$|(?<!~)~~\s*$|<!--(?!.*-->).*$/s;

/** Whether a value is commented out, or the text says right around it that it is an example, or what failed. */
export function isSpokenAgainst({ start }: Candidate, text: string): boolean {
  return TAKEN_BACK.test(text.slice(Math.max(0, start - 200), start)) || isShown(text, start);
}

/** `[1]`, `[ ]`, `{}` in the middle of a sentence: a citation, a box to tick, a pair of brackets. */
function isProse({ start, end, value, edits }: Candidate, text: string): boolean {
  const list: unknown[] = Array.isArray(value) ? value : [];
  // Also `[[1]]`.
  const inner: unknown[] = list.length === 1 && Array.isArray(list[0]) ? list[0] : list;
  const numbers = inner.every((one) => typeof one === "number" || one === null) ? (inner as number[]) : [];
  if (numbers.length === 0 && !isEmpty(value)) return list.length === 1 && text[end] === "(";
  // Nobody cites `[3, 1, 4]`, `[0.5, 2, 7]` or `[1, 2, ...]`: citations are whole numbers that rise.
  const rise = numbers.every((one, i) => Number.isInteger(one) && one > (numbers[i - 1] ?? 0));
  if (numbers.length > 2 && (!rise || edits.some(({ kind }) => kind === "ellipsis"))) return false;
  const left = before(text, start);
  const right = behind(text, end);
  const endsLine = /^[ \t.;)}\]]*(?:$|[\n`<])/.test(right);
  if (endsLine && /(?:^|[\n`>])[ \t]*$/.test(left)) return false;
  // `let none = {};`
  if (isEmpty(value) && /^[ \t]*;/.test(right)) return true;
  const introduced = /[:=(]\s*$/.test(left);
  return !introduced || (!endsLine && numbers.length < 2);
}

/** A colon or the like before the value, with what opens a quotation or code behind it. */
const INTRODUCED = /[:=→]\s*[`"'(*]*$/;

/** Whether the value stands within a sentence, and does not have its lines for itself. */
function isInWords({ start, end }: Candidate, text: string): boolean {
  const [left = "", right = ""] = [before(text, start).split("\n").at(-1), behind(text, end).split("\n", 1)[0]];
  const hasWords = (line: string) => /[\p{L}\p{N}]/u.test(line.replace(/[[{][^[\]{}]*[}\]]/g, ""));
  return hasWords(right) || (hasWords(left) && !INTRODUCED.test(left));
}

const PLACEHOLDER =
  /^(?:\.{3,}|…|string|text|boolean|number|integer|str|bool|(?:true|false)\s*\|\s*(?:true|false)|<[^<>]*>|\[[^\]]*\]|\{\{?[^{}]*\}?\}|(?:your|the|a|an|full|final|detailed|markdown)\b.{0,60}\b(?:here|goes here|text|report|answer)|(?:your|insert)\b.{0,80}|lorem ipsum.*|https?:\/\/\.\.\.|(?:url|source|query)[ _]?\d?|x{3,}|TODO)$/is;

/** An echoed example: its strings stand for what is to be filled in. */
export function isTemplate(value: unknown): boolean {
  const strings: string[] = [];
  const collect = (part: unknown, depth: number) => {
    if (typeof part === "string") strings.push(part.trim());
    else if (typeof part === "object" && part !== null && depth < 4 && strings.length < 20)
      for (const one of Object.values(part).slice(0, 20)) collect(one, depth + 1);
  };
  collect(value, 0);
  const placeholders = strings.filter((text) => PLACEHOLDER.test(text)).length;
  return strings.length > 0 && (placeholders * 2 >= strings.length || strings.every((text) => text === ""));
}

/** The one that was chosen, and whether others may have been meant; `answerIn`: the answer in a value beside it. */
export function besideRivals<T>(chosen: Answer<T>, { text, candidates, fitting }: Found<T>): Answer<T> {
  const { candidate } = chosen;
  const { start, end, value } = candidate;
  const others = fitting.filter((one) => one !== chosen && !one.candidate.thought);
  const meant = candidates.filter(
    (one) => (one.end <= start || one.start >= end) && !one.thought && !isTemplate(one.value),
  );
  const twin = hasTwin(meant, fitting, value);
  const rivalled =
    isSpokenAgainst(candidate, text) ||
    isProse(candidate, text) ||
    others.some((one) => sharesLine(one.candidate, candidate, text)) ||
    twin;
  // Each of several fits as a list of one: the others may have been meant as members.
  const lonely = chosen.lonely || (isListOfOne(chosen) && (twin || others.some(isListOfOne)));
  return { ...chosen, lonely, rivalled };
}

/** Whether two values, of which each could be the answer, stand in one line: `was {…}, is {…}`. */
function sharesLine(one: Candidate, other: Candidate, text: string): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  const between = text.slice(first.end, second.start);
  if (second.start < first.end || between.length > 300 || between.includes("\n")) return false;
  if (text.slice(one.start, one.end) === text.slice(other.start, other.end)) return false;
  return !isProse(one, text) && !isSpokenAgainst(one, text);
}

/** Rows of a list that are compared. */
const MAX_ROWS = 50;

/**
 * Whether another value has the keys of the one that was chosen and may correct it, or be one of its kind: an object that
 * does not fit, or beside a list one of its rows, or rows of which it has none.
 */
function hasTwin<T>(others: readonly Candidate[], fitting: readonly Answer<T>[], value: unknown): boolean {
  const rowsOf = (one: unknown) => (Array.isArray(one) ? one.slice(0, MAX_ROWS) : [one]);
  const shapeOfRow = (one: unknown) => {
    const [row] = rowsOf(one);
    return typeof row !== "object" || row === null || Array.isArray(row) || isEmpty(row) ? undefined : shapeOf(row);
  };
  const shape = shapeOfRow(value);
  if (shape === undefined) return false;
  const fits = new Set(fitting.map(({ candidate }) => candidate));
  const rows = new Set(rowsOf(value).map((row) => JSON.stringify(row)));
  return others.some((one) => {
    if (shapeOfRow(one.value) !== shape) return false;
    if (!fits.has(one)) return Array.isArray(value) || !Array.isArray(one.value);
    return Array.isArray(value) && !rowsOf(one.value).some((row) => rows.has(JSON.stringify(row)));
  });
}

export function shapeOf(value: unknown): string {
  return Array.isArray(value)
    ? "[]"
    : JSON.stringify(
        Object.keys(value as object)
          .slice(0, 50)
          .sort(),
      );
}

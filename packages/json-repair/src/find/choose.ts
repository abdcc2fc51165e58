import { isObject } from "../decode/strict.js";
import type { ExtractOptions } from "../result.js";
import { askedKeys } from "../schema/fit.js";
import type { StandardSchemaV1 } from "../schema/standard-schema.js";
import { type Answer, before, behind, type Candidate, isEmpty, isListOfOne } from "./answer.js";
import { hasParts, sharesKeys } from "./envelope.js";
import { isCall, isUsual, wordIn } from "./key-names.js";

/** Which of the values of a text is meant, and what in the text speaks against it. */

/** The values of a text, and which of them fit what is asked for. */
export interface Found<T> {
  text: string;
  candidates: readonly Candidate[];
  fitting: readonly Answer<T>[];
}

type Test<T> = (one: Answer<T>, found: Found<T>) => boolean;

/** Languages of fences that hold programs: a value in one is a part of the program. */
const CODE =
  /^(?:[jt]sx?|(?:java|type)script|py(?:thon)?|java|c|cpp|c(?:sharp|s)|go|rust|rb|ruby|php|kotlin|swift|(?:ba)?sh|sql|css|html)$/i;

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

/** What stands before a value that is none: it is commented out or struck out, an example, or what came of an error. */
const SPEAKS_AGAINST = new RegExp(
  "(?:(?:^|\\n)[ \\t]{0,40}\\/\\/[^\\n]*|<(?:del|s|strike)>\\s*|(?<!~)~~\\s*|<!--(?!.*-->).*|" +
    "(?:\\be\\.\\s?g\\.|\\bfor (?:example|instance)|(?<![.\\w-])example(?: \\w{1,20}){0,5}|" +
    "\\bformat would (?:be|have been)(?: \\w{1,20}){0,3})[,:]?\\s{0,8}[`\"'(*]{0,4}\\s{0,8}|" +
    "(?:^|\\n)\\s{0,8}(?:Traceback \\(most|[\\w.]{0,80}(?:error|exception)\\s?:)[^\\n]*\\s*)$",
  "is",
);
/** What a server answers that has failed. */
const NO_SUCCESS = /^\s{0,8}HTTP\/\d(?:\.\d)? (?!2)\d{3}\b/;

/** Whether a value is commented out, or the text says right around it that it is an example, or what failed. */
export function isSpokenAgainst({ start }: Candidate, text: string): boolean {
  return SPEAKS_AGAINST.test(wordsBefore(text, start).slice(0, 200)) || NO_SUCCESS.test(text.slice(0, 40));
}

/** What only a call has before it: steps of ReAct, and the marks with which models write calls. */
const CALLS =
  /(?:\baction[\s_-]?inputs?\b|\bto=functions\b|<[|｜]tool|<(?:function|invoke|parameter|tool_call)\b|\[(?:TOOL_CALLS|ARGS)\])[^\n]*\s*$/i;
/** What ends a call: brackets, quotes, marks of a fence, tags. */
const ENDS = /^(?:[\s)"'`~*;]|<\/[^<>]{0,60}>|<[|｜][^|｜<>]{0,40}[|｜]>)*/;
/** Words that tell what came of a call. */
const TELLS =
  /^[^\w<]{0,20}(?:<(?:tool|function)_(?:response|result|output)|(?:observation|error|exception|traceback|(?:tool |function |call )?(?:result|response|output|returned|returns|failed|status))\b[^\n:]{0,20}:|HTTP\/\d|(?:->|=>|→))/i;

/** Whether the text may tell what came of a value: it goes on behind what is given to a tool, or with such words. */
export function isAnswered(text: string, { start, end }: Candidate): boolean {
  const rest = text.slice(end, end + 200).replace(ENDS, "");
  return TELLS.test(rest) || (rest !== "" && CALLS.test(wordsBefore(text, start).slice(0, 200)));
}

/** The text before a value, without the mark of its fence. */
function wordsBefore(text: string, start: number): string {
  return text.slice(Math.max(0, start - 200), start).replace(/(?:`{3}|~{3})[\w-]{0,20}\s*$/, "");
}

/** `[1]`, `[ ]`, `{}` within a sentence: a citation, a box to tick, a pair of brackets; `[this](…)` is a link. */
function isProse(candidate: Candidate, text: string): boolean {
  const { start, end, value, edits } = candidate;
  if (isEmpty(value) && /^[ \t]*;/.test(behind(text, end))) return true;
  const list: unknown[] = Array.isArray(value) ? value : [];
  // Also `[[1]]`.
  const marks: unknown[] = list.length === 1 ? list.flat() : list;
  const areNumbers = marks.length > 0 && marks.every((one) => typeof one === "number");
  if (!areNumbers && !isEmpty(value)) return list.length === 1 && text[end] === "(";
  // Nobody cites `[3, 1, 4]`, `[0.5, 2, 7]` or `[1, 2, ...]`: citations are whole numbers that rise.
  const rise = marks.every((one, i) => Number.isInteger(one) && Number(one) > Number(marks[i - 1] ?? 0));
  if (marks.length > 2 && (!rise || edits.some(({ kind }) => kind === "ellipsis"))) return false;
  // Something else stands right before it.
  if (!/(?:^|[\n`>:=→]|\w\()\s*[`"'(*]*$/.test(text.slice(Math.max(0, start - 100), start))) return true;
  // Behind a piece of code the sentence goes on.
  const line = text[end] === "`" ? text.slice(0, end) : text;
  return isInWords(candidate, line) || (marks.length < 2 && text[end] === ",");
}

/** A colon or the like before the value, with what opens a quotation or code behind it. */
const INTRODUCED = /(?:[:=→]|\w\()\s*[`"'(*]*$/;

/** Whether the value stands within a sentence, and does not have its lines for itself. */
function isInWords({ start, end }: Candidate, text: string): boolean {
  const [left = "", right = ""] = [before(text, start).split("\n").at(-1), behind(text, end).split("\n", 1)[0]];
  const hasWords = (line: string) => /[\p{L}\p{N}]/u.test(line.replace(/[[{][^[\]{}]*[}\]]/g, ""));
  return hasWords(right) || (hasWords(left) && !INTRODUCED.test(left));
}

const PLACEHOLDER =
  /^(?:\.{3,}|…|string|text|boolean|number|integer|str|bool|(?:true|false)\s*\|\s*(?:true|false)|<[^<>]*>|\[[^\]]*\]|\{\{?[^{}]*\}?\}|(?:your|the|a|an|full|final|detailed|markdown)\b.{0,60}\b(?:here|goes here|text|report|answer)|(?:your|insert)\b[^.,;!?]{0,80}|lorem ipsum.*|https?:\/\/\.\.\.|(?:url|source|query)[ _]?\d?|x{3,}|TODO)$/is;

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

/** A question to which a value is the answer: behind another answer, a model may have made it up. */
const ASKS = /(?:^|\n)\s{0,8}(?:human|user)\s?:[^\n]*\n[^\n]{0,80}$/i;

/** The one that was chosen, and whether others may have been meant, or the text speaks against it. */
export function besideRivals<T>(chosen: Answer<T>, { text, candidates, fitting }: Found<T>): Answer<T> {
  const { candidate } = chosen;
  const { start, end, value } = candidate;
  const fits = new Map(fitting.map((one) => [one.candidate, one]));
  const rows = new Set(rowsOf(value).map((row) => JSON.stringify(row)));
  const isRival = (one: Candidate) => {
    if ((one.end > start && one.start < end) || one.thought || isTemplate(one.value)) return false;
    const answer = fits.get(one);
    if (answer && sharesLine(one, candidate, text)) return true;
    // Each of several fits as a list of one: the others may have been meant as members.
    if (answer && isListOfOne(chosen) && isListOfOne(answer)) return true;
    if (!looksLike(one.value, value)) return false;
    // It may correct the one that was chosen, or be one of its rows; a list with a row of it is the same list.
    if (!answer) return Array.isArray(value) || !Array.isArray(one.value);
    return Array.isArray(value) && !rowsOf(one.value).some((row) => rows.has(JSON.stringify(row)));
  };
  const isNextTurn = fitting.length > 1 && ASKS.test(wordsBefore(text, start));
  const doubted =
    isNextTurn || isSpokenAgainst(candidate, text) || isProse(candidate, text) || candidates.some(isRival);
  return { ...chosen, doubted: chosen.doubted || doubted };
}

/** Whether two values, of which each could be the answer, stand in one line: `was {…}, is {…}`. */
function sharesLine(one: Candidate, other: Candidate, text: string): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  const between = text.slice(first.end, second.start);
  if (between.length > 300 || between.includes("\n")) return false;
  if (text.slice(one.start, one.end) === text.slice(other.start, other.end)) return false;
  return !isProse(one, text) && !isSpokenAgainst(one, text);
}

/** Rows of a list that are compared. */
const MAX_ROWS = 50;
const rowsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ROWS) : [value]);

/** Whether two objects, or the first rows of two lists, have the same keys. */
function looksLike(one: unknown, other: unknown): boolean {
  const [[first], [second]] = [rowsOf(one), rowsOf(other)];
  return isObject(first) && isObject(second) && !isEmpty(first) && shapeOf(first) === shapeOf(second);
}

/** The keys of an object; all lists are alike. */
export function shapeOf(value: unknown): string {
  return Array.isArray(value)
    ? "[]"
    : JSON.stringify(
        Object.keys(value as object)
          .slice(0, 50)
          .sort(),
      );
}

/** JSON in a text, which is all of it. */
const JSON_TEXT = /^\s{0,20}[[{]/;

/**
 * A schema that asks for little fits what stands around an answer as well. Of what fits and what it wraps, the one with
 * more of the keys that the schema asks for is taken, and neither is sure.
 */
export function weighed<T>(
  answer: Answer<T>,
  schema: StandardSchemaV1<unknown, T>,
  open: () => Answer<T> | undefined,
): Answer<T> {
  const { value } = answer.candidate;
  if (!isObject(value) || isEmpty(value)) return answer;
  const kept = (key: string) => isObject(answer.value) && Object.hasOwn(answer.value, key);
  const isInvented = answer.coerced.length === 0 && isObject(answer.value) && !Object.keys(value).some(kept);
  const wrapping = Object.entries(value).filter(([key, part]) => isUsual(key) && hasParts(part));
  if (wrapping.length === 0 && !isInvented) return answer;
  const asked = askedKeys(schema, value, { isRow: isListOfOne(answer) });
  const isAsked = ([key, part]: [string, unknown]) => asked.has(key) && !JSON_TEXT.test(wordIn(part));
  const inner = wrapping.every(isAsked) ? undefined : open();
  const found = inner?.candidate.value;
  const [row] = [found].flat();
  const count = isObject(row) ? askedKeys(schema, row, { isRow: row !== found }).size : 0;
  const isDropped = wrapping.some(([key, part]) => typeof part === "string" || !kept(key));
  const isBetter = count > asked.size || (isDropped && asked.size === 0);
  if (inner && isBetter && (isCall(value) || !sharesKeys(found, [value])))
    return { ...inner, extra: [...answer.extra, ...inner.extra], doubted: true };
  return (isInvented && asked.size === 0) || (isDropped && count > 0) ? { ...answer, doubted: true } : answer;
}

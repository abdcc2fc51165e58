import { parseWhole, tooDeepFor } from "./decode/strict.js";
import { Source, sticky } from "./repair/ahead.js";
import { rewrite } from "./repair/machine.js";
import type { ExtractOptions, JsonExtractErrorCode, Repair } from "./result.js";
import { checkOptions, checkText, countLines, JsonExtractError, MAX_DEPTH, repairOf, toldOf } from "./result.js";

/** How a damaged text is repaired. */
export interface RepairOptions extends Pick<ExtractOptions<unknown>, "maxLength" | "maxDepth"> {
  /** Allow only sure repairs; a text that needs another one is an error. Default false. */
  strict?: boolean;
}

/** A damaged text, made JSON. */
export interface Repaired {
  /** Valid JSON, laid out as the text was. */
  text: string;
  /** The value of `text`. */
  value: unknown;
  /** What had to be changed, in the order of the text; empty when it was JSON. */
  repairs: Repair[];
  /** False when the text broke off. */
  complete: boolean;
}

/** Blanks, some of them unseen; and blanks, and what may be left over of something around the value. */
const [BLANKS, REST] = [/[\s\p{Cc}\p{Cf}]{1,999}/uy, /[\s\]},;]{1,999}/y];
const COMMENT = /(?:\/\/|#|\/(\*))/y;

/** Behind what the pattern has at `from`, and comments, and where the first one of these is. In steps: what a pattern has in one is kept on a stack. */
function behindAside(pattern: RegExp, text: string, from: number): { at: number; comment: number | undefined } {
  let [at, comment]: [number, number | undefined] = [from, undefined];
  for (;;) {
    const next = sticky(pattern, text, at);
    COMMENT.lastIndex = at;
    const [sign, isBlock] = (next < 0 && COMMENT.exec(text)) || [];
    const end = sign === undefined ? next : text.indexOf(isBlock ? "*/" : "\n", at);
    if (end < 0 && (sign === undefined || isBlock)) return { at, comment };
    if (sign !== undefined) comment ??= at;
    at = sign === undefined ? end : end < 0 ? text.length : end + (isBlock ? 2 : 1);
  }
}

/** Makes a text JSON that is one damaged object or list from end to end. Throws a `JsonExtractError`. */
export function repairJson(text: string, options: RepairOptions = {}): Repaired {
  checkOptions(options, "repair");
  const { strict = false, maxLength, maxDepth = MAX_DEPTH } = options;
  checkText(text, maxLength);
  const error = (code: JsonExtractErrorCode, message: string, at?: number) =>
    new JsonExtractError(code, message, { text, at });
  const tooDeep = () => error("too-deep", `the JSON is nested deeper than ${maxDepth} levels`);
  const whole = parseWhole(text);
  if (whole === null) throw error("empty", "the text is empty");
  if (whole && tooDeepFor(whole.value, maxDepth)) throw tooDeep();
  if (whole) return { text: text.slice(whole.start, whole.end), value: whole.value, repairs: [], complete: true };

  const { begin, before } = headOf(text);
  const read = rewrite(new Source(text), begin, { maxDepth, implied: text[begin] === '"' });
  if (read.failed === "too-deep") throw tooDeep();
  if (read.failed) throw unreadable(text, read.at);

  const repairs = toldOf(read.edits, [...before, ...behind(text, read.end)]);
  const doubtful = strict ? repairs.find(({ sure }) => !sure) : undefined;
  if (doubtful) throw error("syntax", `a repair is not sure (${doubtful.kind})`, doubtful.at);
  repairs.sort((a, b) => a.at - b.at);
  countLines(text, repairs);
  return { text: read.json, value: read.value, repairs, complete: read.complete };
}

/** `gone`: so many characters have stood before the text. */
export const unreadable = (text: string, at: number, gone = 0) =>
  new JsonExtractError("syntax", "the JSON cannot be read, even repaired", { text, at: gone + at });

/** Where the value begins, and what is told of the text before it. */
export function headOf(text: string): { begin: number; before: Repair[] } {
  const { at: begin, comment } = behindAside(BLANKS, text, 0);
  if (!/["{[]/.test(text.charAt(begin)))
    throw new JsonExtractError(
      "not-found",
      "the text does not start with a bracket; extractJson finds JSON among words",
      { text, at: begin },
    );
  return { begin, before: comment === undefined ? [] : [repairOf("comment", comment, true)] };
}

/** What is told of the text behind the value. */
export function behind(text: string, end: number, gone = 0): Repair[] {
  const { at } = behindAside(REST, text, end);
  if (at < text.length)
    throw new JsonExtractError("syntax", "something else follows the JSON", { text, at: gone + at });
  return text.slice(end).trim() === "" ? [] : [repairOf("surroundings", end)];
}

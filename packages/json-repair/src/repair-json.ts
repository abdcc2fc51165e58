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

/** Blanks, some of them unseen, and what begins a comment; before the value, and behind it with what may be left over there. */
const HEAD = [/[\s\p{Cc}\p{Cf}]{1,999}/uy, /\/\/|#|\/\*/y] as const;
const TAIL = [/[\s\]},;]{1,999}/y, /\/\/|\/\*/y] as const;

/** Behind blanks and comments at `from`, and where the first comment is. In steps: V8 may keep each sign of a run on a stack. */
function behindAside([blanks, comment]: typeof HEAD | typeof TAIL, text: string, from: number) {
  let [at, first]: [number, number | undefined] = [from, undefined];
  for (;;) {
    const begun = sticky(comment, text, at);
    const isBlock = text[begun - 1] === "*";
    const end = begun < 0 ? sticky(blanks, text, at) : text.indexOf(isBlock ? "*/" : "\n", begun);
    if (end < 0 && (begun < 0 || isBlock)) return { at, comment: first };
    if (begun >= 0) first ??= at;
    at = end < 0 ? text.length : end + (isBlock ? 2 : 0);
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
  const { at: begin, comment } = behindAside(HEAD, text, 0);
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
  const { at } = behindAside(TAIL, text, end);
  if (at < text.length)
    throw new JsonExtractError("syntax", "something else follows the JSON", { text, at: gone + at });
  return text.slice(end).trim() === "" ? [] : [repairOf("surroundings", end)];
}

import { parseContainer, parseWhole, tooDeepFor } from "./decode/strict.js";
import { JsonExtractError, type JsonExtractErrorCode } from "./errors.js";
import { toldOf } from "./repair/edits.js";
import { rewrite } from "./repair/machine.js";
import { Source } from "./repair/source.js";
import { checkOptions, checkText, countLines, MAX_DEPTH, type Repair, repairOf } from "./result.js";

/** How a damaged text is repaired. */
export interface RepairOptions {
  /** Allow only sure repairs; a text that needs another one is an error. Default false. */
  strict?: boolean;
  /** Characters. Default 16,000,000. */
  maxLength?: number;
  /** Levels of brackets. Default 3,000. */
  maxDepth?: number;
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

/** Blanks, some of them unseen, and comments on lines of their own. */
const HEAD = /^(?:[\s\p{Cc}\p{Cf}]+|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|#[^\n]*\n)*/u;
/** Blanks, comments, and what may be left over of something around the value. */
const TAIL = /^(?:\s|[\]},;]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/;

/**
 * Makes a text JSON that is one damaged object or list from its first to its last character: a configuration file, a
 * log line. Nothing is searched for; use `extractJson` where other words may stand around it.
 *
 * Throws a `JsonExtractError`.
 */
export function repairJson(text: string, options: RepairOptions = {}): Repaired {
  checkOptions(options);
  const { strict = false, maxLength, maxDepth = MAX_DEPTH } = options;
  checkText(text, maxLength);
  const error = (code: JsonExtractErrorCode, message: string, at?: number) =>
    new JsonExtractError(code, message, { text, at });
  const tooDeep = () => error("too-deep", `the JSON is nested deeper than ${maxDepth} levels`);
  const whole = parseWhole(text);
  if (whole === null) throw error("empty", "the text is empty");
  if (whole && tooDeepFor(whole.value, maxDepth)) throw tooDeep();
  if (whole) return { text: text.slice(whole.start, whole.end), value: whole.value, repairs: [], complete: true };

  const head = HEAD.exec(text)?.[0] ?? "";
  const begin = head.length;
  const implied = text[begin] === '"';
  if (!implied && text[begin] !== "{" && text[begin] !== "[")
    throw error("not-found", "the text does not start with a bracket", begin);
  const read = rewrite(new Source(text), begin, { maxDepth, implied });
  if (read.failed === "too-deep") throw tooDeep();
  const value = read.failed ? undefined : parseContainer(read.json);
  if (read.failed || value === undefined)
    throw error("syntax", "the JSON cannot be read, even repaired", read.failed ? read.at : begin);

  const comment = head.search(/[/#]/);
  const repairs: Repair[] = toldOf(read.edits, comment < 0 ? [] : [repairOf("comment", comment, true)]);
  const end = read.end + (TAIL.exec(text.slice(read.end))?.[0].length ?? 0);
  if (end < text.length) throw error("syntax", "something else follows the JSON", end);
  if (text.slice(read.end).trim() !== "") repairs.push(repairOf("surroundings", read.end));
  const doubtful = strict ? repairs.find(({ sure }) => !sure) : undefined;
  const why = `a repair is not sure (${doubtful?.kind}): the text can be read in more than one way`;
  if (doubtful) throw error("syntax", why, doubtful.at);
  repairs.sort((a, b) => a.at - b.at);
  countLines(text, repairs);
  return { text: read.json, value, repairs, complete: read.complete };
}

import { tooDeepFor } from "./decode/brackets.js";
import { isBlank } from "./decode/signs.js";
import { JsonExtractError } from "./errors.js";
import { checkLimits, checkText, MAX_DEPTH } from "./options.js";
import { toldOf } from "./repair/edits.js";
import { rewrite } from "./repair/machine.js";
import { Source } from "./repair/source.js";
import { inOrder, type Repair } from "./repairs.js";

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

/**
 * Makes a text JSON that is one damaged object or list from its first to its last character: a configuration file, a
 * log line. Nothing is searched for; use `extractJson` where other words may stand around it.
 *
 * Throws a `JsonExtractError`.
 */
export function repairJson(text: string, options: RepairOptions = {}): Repaired {
  checkLimits(options);
  const { strict = false, maxLength, maxDepth = MAX_DEPTH } = options;
  checkText(text, maxLength);
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start++;
  if (start === text.length) throw new JsonExtractError("empty", "the text is empty", { text });
  const tooDeep = () => new JsonExtractError("too-deep", `the JSON is nested deeper than ${maxDepth} levels`, { text });
  try {
    const value: unknown = JSON.parse(text.slice(start));
    if (tooDeepFor(text, start, text.length, maxDepth)) throw tooDeep();
    return { text: text.slice(start), value, repairs: [], complete: true };
  } catch (error) {
    if (error instanceof JsonExtractError) throw error;
  }
  const head = /^(?:\s*(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|#[^\n]*\n))+\s*/.exec(text.slice(start))?.[0] ?? "";
  const begin = start + head.length;
  const implied = text[begin] === '"';
  if (!implied && text[begin] !== "{" && text[begin] !== "[") {
    throw new JsonExtractError("not-found", "the text does not start with a bracket", { text, at: begin });
  }
  const read = rewrite(new Source(text), begin, { maxDepth, implied });
  if (read.failed === "too-deep") throw tooDeep();
  if (read.failed)
    throw new JsonExtractError("syntax", "the JSON cannot be read, even repaired", { text, at: read.at });

  const first: Repair[] = head === "" ? [] : [{ kind: "comment", at: start, line: 0, sure: true }];
  const repairs = toldOf(read.edits, first);
  const rest = /^(?:\s|[\]},;]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(read.end))?.[0].length ?? 0;
  if (read.end + rest < text.length) {
    throw new JsonExtractError("syntax", "something else follows the JSON", { text, at: read.end + rest });
  }
  const tail = text.slice(read.end).trim();
  if (tail !== "") repairs.push({ kind: "surroundings", at: read.end, line: 0, sure: false });

  let value: unknown;
  try {
    value = JSON.parse(read.json);
  } catch (cause) {
    throw new JsonExtractError("syntax", "the JSON cannot be read, even repaired", { text, at: begin, cause });
  }
  const doubtful = strict ? repairs.find((repair) => !repair.sure) : undefined;
  if (doubtful) {
    const message = `a repair is not sure (${doubtful.kind}): the text can be read in more than one way`;
    throw new JsonExtractError("syntax", message, { text, at: doubtful.at });
  }
  return { text: read.json, value, repairs: inOrder(text, repairs), complete: read.complete };
}

import { JsonExtractError, type JsonExtractErrorCode, type JsonExtractErrorOptions, pathOf } from "../errors.js";
import type { SchemaIssue } from "../schema/standard-schema.js";

/** What a search that found no answer has met. */
interface Met {
  text: string;
  /** A value that does not fit the schema, and what is wrong with it. */
  closest: unknown;
  issues: readonly SchemaIssue[];
  /** How many levels are allowed, if something had more. */
  maxDepth: number | undefined;
  /** Where a value breaks off. */
  incomplete: number | undefined;
  /** Where a value cannot be read. */
  fault: number | undefined;
  /** Where the text was given up, since too much of it had been read more than once. */
  stopped: number | undefined;
}

/** What is wrong with a text: the nearest miss is told, and from where on the text was not read. */
export function failure({ text, closest, issues, maxDepth, incomplete, fault, stopped }: Met): JsonExtractError {
  const unread =
    stopped === undefined ? "" : `; from character ${stopped} on the text was not read: too much looks like JSON`;
  const error = (code: JsonExtractErrorCode, message: string, details: JsonExtractErrorOptions = {}) =>
    new JsonExtractError(code, `${message}${unread}`, { text, ...details });
  if (text.trim() === "") return error("empty", "the text is empty");
  if (closest !== undefined) {
    const [first] = issues;
    const path = first && pathOf(first);
    const message = `the JSON has another shape${first ? `: ${path ? `${path}: ` : ""}${first.message}` : ""}`;
    return error("schema", message, { issues, closest });
  }
  if (maxDepth !== undefined) return error("too-deep", `the JSON is nested deeper than ${maxDepth} levels`);
  if (incomplete !== undefined) return error("syntax", "the JSON breaks off before its end", { at: incomplete });
  if (fault !== undefined) return error("syntax", "the JSON cannot be read, even repaired", { at: fault });
  return error("not-found", "there is no JSON object or list in the text");
}

import { JsonExtractError, pathOf } from "../errors.js";
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
}

/** What is wrong with a text: the nearest miss is told. */
export function failure({ text, closest, issues, maxDepth, incomplete, fault }: Met): JsonExtractError {
  if (text.trim() === "") return new JsonExtractError("empty", "the text is empty", { text });
  if (closest !== undefined) {
    const [first] = issues;
    const path = first && pathOf(first);
    const message = `the JSON has another shape${first ? `: ${path ? `${path}: ` : ""}${first.message}` : ""}`;
    return new JsonExtractError("schema", message, { text, issues, closest });
  }
  if (maxDepth !== undefined)
    return new JsonExtractError("too-deep", `the JSON is nested deeper than ${maxDepth} levels`, { text });
  if (incomplete !== undefined)
    return new JsonExtractError("syntax", "the JSON breaks off before its end", { text, at: incomplete });
  if (fault !== undefined)
    return new JsonExtractError("syntax", "the JSON cannot be read, even repaired", { text, at: fault });
  return new JsonExtractError("not-found", "there is no JSON object or list in the text", { text });
}

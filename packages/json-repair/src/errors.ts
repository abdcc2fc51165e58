import type { SchemaIssue } from "./schema/standard-schema.js";

/** What kind of error it is. */
export type JsonExtractErrorCode =
  /** Nothing but blanks. */
  | "empty"
  /** No object or list in the text. */
  | "not-found"
  /** Something that starts as JSON and cannot be read, even repaired. */
  | "syntax"
  /** A JSON value of another shape: see `issues` and `closest`. */
  | "schema"
  /** Longer than `maxLength`. */
  | "too-large"
  /** Nested deeper than `maxDepth`. */
  | "too-deep"
  /** The schema validates asynchronously, which cannot serve here. */
  | "async-schema"
  /** An option is not what it must be: the message says which, and what was expected. */
  | "invalid-options"
  /** The signal was aborted, or the deadline passed. */
  | "aborted"
  /** No attempt gave a fitting value: see `attempts`. */
  | "exhausted";

/** One turn of {@link jsonAttempts}: what was generated, and what was wrong with it. */
export interface Attempt {
  /** From 1. */
  attempt: number;
  /** What was generated; missing when `generate` threw. */
  text?: string;
  /** What was thrown, or the `JsonExtractError` of the text. */
  error: unknown;
  /** The correction that was tried: its text, unless it threw, and what was wrong with it. */
  correction?: { text?: string; error: unknown };
  /** From the start of `generate` to the end of the correction. */
  durationMs: number;
}

/** What a `JsonExtractError` knows besides its message: see its members. */
export interface JsonExtractErrorOptions {
  /** See {@link JsonExtractError.text}. */
  text?: string;
  /** See {@link JsonExtractError.at}. */
  at?: number | undefined;
  /** See {@link JsonExtractError.issues}. */
  issues?: readonly SchemaIssue[];
  /** See {@link JsonExtractError.closest}. */
  closest?: unknown;
  /** See {@link JsonExtractError.attempts}. */
  attempts?: readonly Attempt[];
  /** What was thrown underneath. */
  cause?: unknown;
}

/** The one error of this package. */
export class JsonExtractError extends Error {
  /** Always `"JsonExtractError"`. */
  override readonly name = "JsonExtractError";
  /** What kind of error it is. */
  readonly code: JsonExtractErrorCode;
  /** The text that was searched. */
  readonly text: string;
  /** Where in `text` the fault is (an index), when it has one place. */
  readonly at: number | undefined;
  /** What the schema has against `closest`; empty for every code but `schema`. */
  readonly issues: readonly SchemaIssue[];
  /** The value that came nearest to the schema, as it was read. */
  readonly closest: unknown;
  /** What was tried, in order; empty outside of the retry loop. */
  readonly attempts: readonly Attempt[];

  constructor(code: JsonExtractErrorCode, message: string, options: JsonExtractErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.at = options.at;
    this.text = options.text ?? "";
    this.issues = options.issues ?? [];
    this.closest = options.closest;
    this.attempts = options.attempts ?? [];
    // Whole texts and lists of attempts: an error that is printed stays short without them.
    for (const name of ["text", "issues", "closest", "attempts"] as const)
      Object.defineProperty(this, name, { enumerable: false });
  }
}

/** `metadata.sources[0]`; the empty string for the value itself. */
export function pathOf(issue: SchemaIssue): string {
  let path = "";
  for (const segment of issue.path ?? []) {
    const key = typeof segment === "object" ? segment.key : segment;
    if (typeof key === "number") path += `[${key}]`;
    else path += path === "" ? String(key) : `.${String(key)}`;
  }
  return path;
}

const EXCERPT = 80;
const MAX_ISSUES = 6;
const MAX_MESSAGE = 200;

/**
 * What is wrong, for the prompt of a correction: each issue with its path, or the place of the fault with the 80
 * characters around it. Stays under 2,000 characters however long the text is. The excerpt is quoted as a JSON
 * string, but it is still the model's text: data, never an instruction.
 */
export function describeIssues(error: JsonExtractError): string {
  const lines = [short(error.message, MAX_MESSAGE)];
  for (const issue of error.issues.slice(0, MAX_ISSUES)) {
    const path = pathOf(issue) || "the value itself";
    lines.push(`- ${short(path, EXCERPT)}: ${short(issue.message, MAX_MESSAGE)}${found(error.closest, issue)}`);
  }
  const more = error.issues.length - MAX_ISSUES;
  if (more > 0) lines.push(`- and ${more} more`);
  if (error.at !== undefined) {
    const before = error.text.slice(0, error.at).split("\n");
    const from = Math.max(0, Math.min(error.at - EXCERPT / 2, error.text.length - EXCERPT));
    const around = error.text.slice(from, from + EXCERPT);
    lines.push(`At line ${before.length}, column ${(before.at(-1) ?? "").length + 1}, near ${JSON.stringify(around)}`);
  }
  return lines.join("\n");
}

/** What stands at the path of the issue, in a few characters. */
function found(closest: unknown, issue: SchemaIssue): string {
  let value = closest;
  for (const segment of issue.path ?? []) {
    const key = typeof segment === "object" ? segment.key : segment;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "";
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  if (value === undefined || (issue.path?.length ?? 0) === 0) return "";
  const shown = typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : value;
  return ` (found ${shown === value ? short(JSON.stringify(value) ?? "", EXCERPT) : shown})`;
}

function short(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

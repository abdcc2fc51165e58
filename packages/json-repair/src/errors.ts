import type { SchemaIssue } from "./schema/standard-schema.js";
import { ABSENT, keysOf, valueAt } from "./schema/standard-schema.js";

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
  const keys = keysOf(issue).map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return keys.join("").replace(/^\./, "");
}

/** A value in an error's message: itself, if it is short, else its kind. */
export function named(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
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
  const { message, issues, closest, text, at } = error;
  const lines = [short(message, MAX_MESSAGE)];
  for (const issue of issues.slice(0, MAX_ISSUES)) {
    const path = pathOf(issue);
    const found = valueAt(closest, keysOf(issue));
    const shown = path === "" || found === ABSENT ? "" : ` (found ${named(found)})`;
    lines.push(`- ${short(path || "the value itself", EXCERPT)}: ${short(issue.message, MAX_MESSAGE)}${shown}`);
  }
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more`);
  if (at !== undefined) {
    const before = text.slice(0, at).split("\n");
    const from = Math.max(0, Math.min(at - EXCERPT / 2, text.length - EXCERPT));
    const around = JSON.stringify(text.slice(from, from + EXCERPT));
    lines.push(`At line ${before.length}, column ${(before.at(-1) ?? "").length + 1}, near ${around}`);
  }
  return lines.join("\n");
}

function short(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

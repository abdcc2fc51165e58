import { ABSENT, valueAt } from "./decode/strict.js";
import type { Edit, RepairKind as RewriteKind } from "./repair/edits.js";
import { keysOf, type SchemaIssue, type StandardSchemaV1 } from "./schema/fit.js";

/** How a text is searched for a value. */
export interface ExtractOptions<T> {
  /** Any Standard Schema (zod, valibot, arktype …) that validates synchronously. Default: any object or list. */
  schema?: StandardSchemaV1<unknown, T>;
  /** Which value to take if several fit. Default: with a schema the last, else the largest and last of those like it. */
  prefer?: "last" | "first" | "largest";
  /** Whether a value may be taken from a text that breaks off (`complete: false`). Default true. */
  partial?: boolean;
  /** Characters; a longer text is an error. Default 16,000,000. */
  maxLength?: number;
  /** Levels of brackets; a deeper value is an error. Default 3,000, which `JSON.stringify` can still write. */
  maxDepth?: number;
}

/** A value that was found. */
export interface ExtractSuccess<T> {
  /** Tells it from an error. */
  ok: true;
  /** The value. With a schema: what the schema made of it. */
  value: T;
  /** The whole text, a Markdown fence, somewhere in the text, a JSON string, or the field of an envelope. */
  source: "whole" | "fence" | "text" | "string" | "envelope";
  /** Where in the text the value stands: start and end index. */
  range: [number, number];
  /** What had to be changed, in the order of the text; empty when it was JSON. */
  repairs: Repair[];
  /**
   * False when the text breaks off inside the value or inside one behind it, or so much had to be repaired that its rest was not
   * read. A value that fits may still lack its end.
   */
  complete: boolean;
  /** How many values the text holds. */
  candidates: number;
}

/** A value, or what is wrong with the text. */
export type ExtractResult<T> =
  | ExtractSuccess<T>
  /** Nothing was found that can be read and fits. */
  | { ok: false; error: JsonExtractError };

/** What was wrong. The README says what becomes of each. */
export type RepairKind = RewriteKind | "list" | "encoding" | "envelope" | "coercion";

/** One thing that had to be changed. */
export interface Repair {
  /** What was wrong. */
  kind: RepairKind;
  /** Index in the text. Inside of a string or an envelope: where that begins. */
  at: number;
  /** From 1. */
  line: number;
  /** False when the text allows another reading. */
  sure: boolean;
  /** Of a coercion: which value. Of an envelope: where in it the value stood. */
  path?: string;
}

/** A repair whose line is still to be counted. */
export function repairOf(kind: RepairKind, at: number, sure = false, path?: readonly PropertyKey[]): Repair {
  return { kind, at, line: 0, sure, ...(path && { path: pathOf({ path }) }) };
}

/** What is told of the edits, behind other repairs; their lines are found out for all at once. */
export function toldOf(edits: readonly Edit[], first: readonly Repair[]): Repair[] {
  const told = [...first];
  for (const { kind, at, sure } of edits) if (kind) told.push({ kind, at, line: 0, sure });
  return told;
}

/** Numbers the lines of repairs that stand in the order of the text. */
export function countLines(text: string, repairs: readonly Repair[]): void {
  let [line, end] = [1, text.indexOf("\n")];
  for (const repair of repairs) {
    for (; end >= 0 && end < repair.at; line++) end = text.indexOf("\n", end + 1);
    repair.line = line;
  }
}

/**
 * What kind of error it is: only blanks, no object or list, JSON that cannot be read even repaired, JSON of another shape (see
 * `issues`), beyond a limit; an asynchronous schema, a wrong option; of the attempts, that they were ended, or that none fits.
 */
export type JsonExtractErrorCode = TextFault | "async-schema" | "invalid-options" | "aborted" | "exhausted";
/** What may be wrong with the text. */
type TextFault = "empty" | "not-found" | "syntax" | "schema" | "too-large" | "too-deep";

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

/** What a `JsonExtractError` knows besides its message; `cause`: what was thrown underneath. */
export type JsonExtractErrorOptions = Partial<
  Pick<JsonExtractError, "text" | "at" | "issues" | "closest" | "attempts" | "cause">
>;

/** The one error of this package. */
export class JsonExtractError extends Error {
  /** Always `"JsonExtractError"`. */
  override readonly name = "JsonExtractError";
  /** What kind of error it is. */
  readonly code: JsonExtractErrorCode;
  /** The text that was searched. */
  declare readonly text: string;
  /** Where in `text` the fault is (an index), when it has one place. */
  readonly at: number | undefined;
  /** What the schema has against `closest`; empty for every code but `schema`. */
  declare readonly issues: readonly SchemaIssue[];
  /** The value that came nearest to the schema, as it was read. */
  declare readonly closest: unknown;
  /** What was tried, in order; empty outside of the retry loop. */
  declare readonly attempts: readonly Attempt[];

  constructor(code: JsonExtractErrorCode, message: string, options: JsonExtractErrorOptions = {}) {
    const { text = "", at, issues = [], closest, attempts = [], cause } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.at = at;
    // Whole texts and lists of attempts: an error that is printed stays short without them.
    const hidden = { text, issues, closest, attempts };
    for (const [name, value] of Object.entries(hidden)) Object.defineProperty(this, name, { value });
  }
}

/** `metadata.sources[0]`; the empty string for the value itself. */
export function pathOf(issue: Pick<SchemaIssue, "path">): string {
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

const MAX = { excerpt: 80, issues: 6, message: 200, all: 2_000 };
const short = (text: string, limit: number) => (text.length <= limit ? text : `${text.slice(0, limit - 1)}…`);

/**
 * What is wrong, for the prompt of a correction, in 2,000 characters at most: each issue with its path, or the place of the
 * fault with the 80 characters around it. These are quoted as JSON, but still the model's text: data, never an instruction.
 */
export function describeIssues(error: JsonExtractError): string {
  const { message, issues, closest, text, at } = error;
  // The message tells the first issue as well.
  const lines = [short(issues.length > 0 ? (message.split(": ", 1)[0] as string) : message, MAX.message)];
  for (const issue of issues.slice(0, MAX.issues)) {
    const path = pathOf(issue);
    const found = valueAt(closest, keysOf(issue));
    const shown = path === "" || found === ABSENT ? "" : ` (found ${named(found)})`;
    lines.push(`- ${short(path || "the value itself", MAX.excerpt)}: ${short(issue.message, MAX.message)}${shown}`);
  }
  if (issues.length > MAX.issues) lines.push(`- and ${issues.length - MAX.issues} more`);
  if (at !== undefined) {
    const before = text.slice(0, at).split("\n");
    const from = Math.max(0, Math.min(at - MAX.excerpt / 2, text.length - MAX.excerpt));
    const around = JSON.stringify(text.slice(from, from + MAX.excerpt));
    lines.push(`At line ${before.length}, column ${(before.at(-1) ?? "").length + 1}, near ${around}`);
  }
  return short(lines.join("\n"), MAX.all);
}

/** Levels of brackets; `JSON.stringify` can still write so many. */
export const MAX_DEPTH = 3_000;

type Kind = readonly [what: string, is: (value: unknown) => boolean];
const isSize = (value: unknown) => typeof value === "number" && value >= 0;
const SIZE: Kind = ["a number from 0", isSize];
const FLAG: Kind = ["true or false", (value) => typeof value === "boolean"];
const FUNCTION: Kind = ["a function", (value) => typeof value === "function"];
const isSchema = (value: unknown) => FUNCTION[1](Object(value)["~standard"]?.validate);

/** What each option must be, if it is there. */
const KINDS: Readonly<Record<string, Kind>> = {
  schema: ["a Standard Schema (zod 3.24 or later, valibot, arktype …)", isSchema],
  prefer: ['"last", "first" or "largest"', (value) => ["last", "first", "largest"].includes(value as string)],
  attempts: ["a whole number from 1", (value) => Number.isInteger(value) && Number(value) >= 1],
  delaysMs: ["a list of numbers from 0", (value) => Array.isArray(value) && value.every(isSize)],
  extract: ["an object", (value) => typeof value === "object" && value !== null],
  signal: ["an AbortSignal", (value) => typeof Object(value).addEventListener === "function"],
  ...{ partial: FLAG, strict: FLAG, stopOnRepeat: FLAG, maxLength: SIZE, maxDepth: SIZE, deadlineMs: SIZE },
  ...{
    generate: FUNCTION,
    correct: FUNCTION,
    shouldRetry: FUNCTION,
    onAccepted: FUNCTION,
    sleep: FUNCTION,
    now: FUNCTION,
  },
};

/** The options of each function. */
const NAMES = {
  extract: "schema prefer partial maxLength maxDepth",
  repair: "strict maxLength maxDepth",
  stream: "schema",
  retry:
    "schema extract generate correct attempts delaysMs shouldRetry stopOnRepeat signal deadlineMs onAccepted sleep now",
};

/** Throws for an option that is wrong: no other answer would help. */
export function checkOptions(options: object, of: keyof typeof NAMES): void {
  const wrong = (what: string, must: string, found: unknown) =>
    new JsonExtractError("invalid-options", `${what} must be ${must}, got ${named(found)}`);
  if (typeof options !== "object" || options === null) throw wrong("options", "an object", options);
  const names = NAMES[of].split(" ");
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name];
    const [what, is] = KINDS[name] as Kind;
    if (value !== undefined && !is(value)) throw wrong(`options.${name}`, what, value);
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const message = `options.${unknown} is unknown; there ${names.length > 1 ? "are" : "is"} ${names.join(", ")}`;
  throw new JsonExtractError("invalid-options", message);
}

/** A longer text is an error, if nothing else is said. */
export const MAX_LENGTH = 16_000_000;

export function checkText(text: unknown, maxLength = MAX_LENGTH): void {
  if (typeof text !== "string") throw new JsonExtractError("not-found", `expected a string, got ${named(text)}`);
  if (text.length <= maxLength) return;
  const message = `the text has more than ${maxLength.toLocaleString("en")} characters`;
  throw new JsonExtractError("too-large", message, { text });
}

import { JsonExtractError, named, pathOf } from "./errors.js";
import type { RepairKind as RewriteKind } from "./repair/edits.js";
import type { StandardSchemaV1 } from "./schema/standard-schema.js";

/** Which value to take if several fit. */
type Preference = "last" | "first" | "largest";

/** How a text is searched for a value. */
export interface ExtractOptions<T> {
  /** Any Standard Schema (zod, valibot, arktype …) that validates synchronously. Default: any object or list. */
  schema?: StandardSchemaV1<unknown, T>;
  /**
   * Which value to take if several fit. Default with a schema: the last. Default without one: the largest; if several
   * have the same keys as that one, the last of those.
   */
  prefer?: Preference;
  /** Whether a value may be taken from a text that breaks off (`complete: false`). Default true. */
  partial?: boolean;
  /** Characters; a longer text is an error. Default 16,000,000. */
  maxLength?: number;
  /** Levels of brackets; a deeper value is an error. Default 3,000, which `JSON.stringify` can still write. */
  maxDepth?: number;
}

/** Characters of a text. */
export const MAX_LENGTH = 16_000_000;
/** Levels of brackets; `JSON.stringify` can still write so many. */
export const MAX_DEPTH = 3_000;

const PREFERENCES: readonly unknown[] = ["last", "first", "largest"];
const isSize = (value: unknown) => typeof value === "number" && value >= 0;
const isFunction = (value: unknown) => typeof value === "function";

/** What each option must be, if it is there. */
const KINDS: Readonly<Record<string, readonly [what: string, is: (value: unknown) => boolean]>> = {
  schema: ["a Standard Schema (zod 3.24 or later, valibot, arktype …)", isStandardSchema],
  prefer: ['"last", "first" or "largest"', (value) => PREFERENCES.includes(value)],
  partial: ["true or false", (value) => typeof value === "boolean"],
  maxLength: ["a number from 0", isSize],
  maxDepth: ["a number from 0", isSize],
  generate: ["a function", isFunction],
  correct: ["a function", isFunction],
};

function isStandardSchema(schema: unknown): boolean {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const { "~standard": standard } = schema as { "~standard"?: { validate?: unknown } | null };
  return isFunction(standard?.validate);
}

/** Throws for an option that is wrong, before anything is read. Another answer would not help, so none is asked for. */
export function checkOptions(options: object): void {
  const wrong = (what: string, must: string, found: unknown) =>
    new JsonExtractError("invalid-options", `${what} must be ${must}, got ${named(found)}`);
  if (typeof options !== "object" || options === null) throw wrong("options", "an object", options);
  for (const [name, [what, is]] of Object.entries(KINDS)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && !is(value)) throw wrong(`options.${name}`, what, value);
  }
}

export function checkText(text: unknown, maxLength = MAX_LENGTH): void {
  if (typeof text !== "string") throw new JsonExtractError("not-found", `expected a string, got ${named(text)}`);
  if (text.length <= maxLength) return;
  const message = `the text has ${text.length} characters, more than the ${maxLength} allowed`;
  throw new JsonExtractError("too-large", message, { text });
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
  /** False when the text breaks off inside the value, or inside one behind it. A value that fits may still lack its end. */
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
export type RepairKind =
  | RewriteKind
  /** Several values became one list. */
  | "list"
  /** The text was written as a string, as HTML, as a quotation or for a terminal. */
  | "encoding"
  /** The value was taken out of what stands around it: a field of it, or the pieces of a stream. */
  | "envelope"
  /** The schema asked for another type, and the value can be written as one without loss. */
  | "coercion";

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
  return { kind, at, line: 0, sure, ...(path && { path: pathOf({ message: "", path }) }) };
}

/** Numbers the lines of repairs that stand in the order of the text. */
export function countLines(text: string, repairs: readonly Repair[]): void {
  let line = 1;
  let lineEnd = repairs.length > 0 ? text.indexOf("\n") : -1;
  for (const repair of repairs) {
    for (; lineEnd >= 0 && lineEnd < repair.at; lineEnd = text.indexOf("\n", lineEnd + 1)) line++;
    repair.line = line;
  }
}

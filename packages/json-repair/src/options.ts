import { JsonExtractError } from "./errors.js";
import type { ExtractOptions } from "./result.js";

/** Characters of a text. */
export const MAX_LENGTH = 16_000_000;
/** Levels of brackets; `JSON.stringify` can still write so many. */
export const MAX_DEPTH = 3_000;

const PREFERENCES: readonly unknown[] = ["last", "first", "largest"];

/** Throws for an option that is wrong, before anything is read. Another answer would not help, so none is asked for. */
export function checkOptions(options: ExtractOptions<unknown>): void {
  checkLimits(options);
  const { schema, prefer, partial } = options;
  if (schema !== undefined && !isStandardSchema(schema)) {
    throw wrong("options.schema is not a Standard Schema (zod 3.24 or later, valibot, arktype …)", schema);
  }
  if (prefer !== undefined && !PREFERENCES.includes(prefer)) {
    throw wrong('options.prefer must be "last", "first" or "largest"', prefer);
  }
  if (partial !== undefined && typeof partial !== "boolean") {
    throw wrong("options.partial must be true or false", partial);
  }
}

export function checkText(text: unknown, maxLength = MAX_LENGTH): void {
  if (typeof text !== "string") {
    throw new JsonExtractError("not-found", `expected a string, got ${named(text)}`);
  }
  if (text.length <= maxLength) return;
  const message = `the text has ${text.length} characters, more than the ${maxLength} allowed`;
  throw new JsonExtractError("too-large", message, { text });
}

export function checkLimits(limits: Pick<ExtractOptions<unknown>, "maxLength" | "maxDepth">): void {
  if (typeof limits !== "object" || limits === null) throw wrong("options must be an object", limits);
  for (const name of ["maxLength", "maxDepth"] as const) {
    const limit: unknown = limits[name];
    if (limit !== undefined && !(typeof limit === "number" && limit >= 0)) {
      throw wrong(`options.${name} must be a number from 0`, limit);
    }
  }
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function") throw wrong(`options.${name} must be a function`, value);
}

function isStandardSchema(schema: unknown): boolean {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const { "~standard": standard } = schema as { "~standard"?: { validate?: unknown } | null };
  return typeof standard?.validate === "function";
}

function wrong(expected: string, found: unknown): JsonExtractError {
  return new JsonExtractError("invalid-options", `${expected}, got ${named(found)}`);
}

/** A value in an error's message: itself, if it is short, else its kind. */
export function named(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" || typeof value === "symbol" ? `a ${typeof value}` : String(value);
}

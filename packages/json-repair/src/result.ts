import type { JsonExtractError } from "./errors.js";
import type { Repair } from "./repairs.js";
import type { StandardSchemaV1 } from "./schema/standard-schema.js";

/** Which value to take if several fit. */
export type Preference = "last" | "first" | "largest";

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

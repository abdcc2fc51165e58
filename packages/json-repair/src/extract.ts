import { jsonrepair } from "jsonrepair";
import { JsonExtractError } from "./errors.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

export interface ExtractOptions<T> {
  /** Any Standard Schema (zod, valibot, arktype …) that validates synchronously. */
  schema?: StandardSchemaV1<unknown, T>;
}

export interface ExtractSuccess<T> {
  ok: true;
  value: T;
  source: "whole" | "fence" | "text" | "string" | "envelope";
  /** Where in the text the value stands: start and end index. */
  range: [number, number];
  repairs: Repair[];
  /** False when the text broke off inside the value: what is there is there, and more is missing. */
  complete: boolean;
  /** How many values were looked at. */
  candidates: number;
}

export type ExtractResult<T> = ExtractSuccess<T> | { ok: false; error: JsonExtractError };

export interface Repair {
  kind: string;
  at: number;
  line: number;
  sure: boolean;
}

export function extractJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractResult<T> {
  const { schema } = options;
  const trimmed = text.trim();
  const tries: [number, string, boolean][] = [[0, trimmed, true]];
  for (let at = trimmed.indexOf("{"); at >= 0 && tries.length < 8; at = trimmed.indexOf("{", at + 1)) {
    const end = trimmed.lastIndexOf("}") + 1;
    tries.push([at, trimmed.slice(at, end), true], [at, trimmed.slice(at, end), false]);
  }
  let error = new JsonExtractError(trimmed === "" ? "empty" : "not-found", "no JSON object or list in the text", {
    text,
  });
  for (const [at, part, strict] of tries) {
    let value: unknown;
    try {
      value = JSON.parse(strict ? part : jsonrepair(part));
    } catch {
      continue;
    }
    if (typeof value !== "object" || value === null) continue;
    const checked = schema?.["~standard"].validate(value);
    if (checked instanceof Promise) {
      return {
        ok: false,
        error: new JsonExtractError("async-schema", "the schema validates asynchronously", { text }),
      };
    }
    if (checked?.issues) {
      const message = "the JSON value has another shape";
      error = new JsonExtractError("schema", message, { text, issues: checked.issues, closest: value });
      continue;
    }
    return {
      ok: true,
      value: (checked ? checked.value : value) as T,
      source: part.length === trimmed.length ? "whole" : "text",
      range: [at, at + part.length],
      repairs: strict ? [] : [{ kind: "syntax", at, line: 1, sure: false }],
      complete: true,
      candidates: tries.length,
    };
  }
  return { ok: false, error };
}

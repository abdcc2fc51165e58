import { JsonExtractError } from "./errors.js";
import type { ExtractOptions, ExtractResult, ExtractSuccess } from "./result.js";
import { AsyncSchemaError } from "./schema.js";
import { Search } from "./search.js";

/**
 * The JSON value that a text means: strictly read if it is JSON, else found in it, repaired and checked.
 *
 * Never throws. Prose is never turned into a value: only what starts with a bracket counts, or a whole text that is
 * a JSON string, number, boolean or null and that the schema asks for.
 */
export function extractJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractResult<T> {
  try {
    const found = new Search(text, options);
    const answer = found.best();
    if (answer) return { ok: true, ...found.report(answer) };
    return { ok: false, error: found.error() };
  } catch (error) {
    if (error instanceof JsonExtractError) return { ok: false, error };
    const code = error instanceof AsyncSchemaError ? "async-schema" : "syntax";
    const message =
      error instanceof AsyncSchemaError ? "the schema validates asynchronously; give one that does not" : String(error);
    return { ok: false, error: new JsonExtractError(code, message, { text, cause: error }) };
  }
}

/** As {@link extractJson}, but gives the value, or throws the `JsonExtractError`. */
export function parseJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): T {
  const result = extractJson(text, options);
  if (result.ok) return result.value;
  throw result.error;
}

/**
 * Every value of the text that fits, in the order of the text. Empty when there is none; throws a `JsonExtractError`
 * for wrong options, and for nothing else.
 */
export function extractAll<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractSuccess<T>[] {
  try {
    const found = new Search(text, options);
    return found.all().map((answer) => ({ ok: true, ...found.report(answer) }));
  } catch (error) {
    if (error instanceof JsonExtractError && error.code === "invalid-options") throw error;
    return [];
  }
}

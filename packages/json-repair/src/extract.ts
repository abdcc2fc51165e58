import { report } from "./find/answer.js";
import { Search } from "./find/search.js";
import type { ExtractOptions, ExtractResult, ExtractSuccess } from "./result.js";
import { countLines, JsonExtractError } from "./result.js";
import { AsyncSchemaError, type StandardSchemaV1, validate } from "./schema/fit.js";

/**
 * Gives the JSON value that a text means: found, repaired and checked. Never throws. Only what starts with a bracket counts;
 * a string, a number or a literal (also Python's) does if it is the whole text or its fence, and the schema asks for it.
 */
export function extractJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractResult<T> {
  try {
    const result = report(new Search(text, options).best());
    countLines(text, result.repairs);
    return result;
  } catch (error) {
    return { ok: false, error: asExtractError(error, text) };
  }
}

export function asExtractError(error: unknown, text: string): JsonExtractError {
  if (error instanceof JsonExtractError) return error;
  const isAsync = error instanceof AsyncSchemaError;
  const message = isAsync ? "the schema validates asynchronously; give one that does not" : String(error);
  return new JsonExtractError(isAsync ? "async-schema" : "syntax", message, { text, cause: error });
}

/** Gives the value alone, as {@link extractJson} finds it, without its repairs. Throws the `JsonExtractError`. */
export function parseJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): T {
  try {
    return new Search(text, options).best().value;
  } catch (error) {
    throw asExtractError(error, text);
  }
}

/** Every value of the text that fits, in the order of the text. Throws a `JsonExtractError` for wrong options alone. */
export function extractAll<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractSuccess<T>[] {
  try {
    const results = new Search(text, options).search(true).map(report);
    const repairs = results.flatMap((one) => one.repairs);
    countLines(text, repairs);
    return results;
  } catch (error) {
    if (error instanceof JsonExtractError && error.code === "invalid-options") throw error;
    return [];
  }
}

/** As `extractJson`, of a text that has not ended: no draft in thoughts, not what the schema makes of the value. `work`: characters read. */
export function extractSoFar(text: string, schema: StandardSchemaV1<unknown, unknown> | undefined) {
  // `issues` is not always a property of its own.
  const asItIs = (value: unknown) => ({ issues: schema && validate(schema, value).issues, value });
  const options = schema ? { schema: { "~standard": { ...schema["~standard"], validate: asItIs } } } : {};
  const search = new Search(text, options);
  const { left } = search.budget;
  let found: ExtractSuccess<unknown> | undefined;
  try {
    const answer = search.best();
    if (!answer.candidate.thought) found = report(answer);
    countLines(text, found?.repairs ?? []);
  } catch {}
  return { found, work: left - search.budget.left };
}

import { JsonExtractError } from "./errors.js";
import { type Answer, report } from "./find/answer.js";
import { Search } from "./find/search.js";
import { countLines, type ExtractOptions, type ExtractResult, type ExtractSuccess } from "./result.js";
import { AsyncSchemaError } from "./schema/standard-schema.js";

/**
 * Gives the JSON value that a text means. A text that is JSON is read as it is. In any other, the value is found, repaired
 * and checked.
 *
 * Never throws. Prose is never turned into a value: only what starts with a bracket counts. A JSON string, number, boolean
 * or null counts only if it is the whole text and the schema asks for it.
 */
export function extractJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractResult<T> {
  try {
    const result = report(find(text, options));
    countLines(text, result.repairs);
    return result;
  } catch (error) {
    return { ok: false, error: asExtractError(error, text) };
  }
}

/** As {@link extractJson}, of a text that has not ended, without lines: a draft in the model's thoughts is no answer yet. */
export function extractSoFar(text: string, options: ExtractOptions<unknown>): ExtractSuccess<unknown> | undefined {
  try {
    const answer = find(text, options);
    return answer.candidate.thought || answer.isThought ? undefined : report(answer);
  } catch {
    return undefined;
  }
}

/** Gives the value alone, as {@link extractJson} finds it, without its repairs. Throws the `JsonExtractError`. */
export function parseJson<T = unknown>(text: string, options: ExtractOptions<T> = {}): T {
  try {
    return find(text, options).value;
  } catch (error) {
    throw asExtractError(error, text);
  }
}

/**
 * Every value of the text that fits, in the order of the text. Empty when there is none; throws a `JsonExtractError`
 * for wrong options, and for nothing else.
 */
export function extractAll<T = unknown>(text: string, options: ExtractOptions<T> = {}): ExtractSuccess<T>[] {
  try {
    const results = new Search(text, options).all().map(report);
    const repairs = results.flatMap((result) => result.repairs);
    countLines(text, repairs);
    return results;
  } catch (error) {
    if (error instanceof JsonExtractError && error.code === "invalid-options") throw error;
    return [];
  }
}

/** Throws what the search found to be wrong if there is no answer. */
function find<T>(text: string, options: ExtractOptions<T>): Answer<T> {
  const search = new Search(text, options);
  const answer = search.best();
  if (!answer) throw search.error();
  return answer;
}

function asExtractError(error: unknown, text: string): JsonExtractError {
  if (error instanceof JsonExtractError) return error;
  const async = error instanceof AsyncSchemaError;
  const message = async ? "the schema validates asynchronously; give one that does not" : String(error);
  return new JsonExtractError(async ? "async-schema" : "syntax", message, { text, cause: error });
}

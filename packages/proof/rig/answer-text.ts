import { isDeepStrictEqual } from "node:util";

/**
 * Whether the text of a tool's result says what its structure says: as one JSON object, or as the report in Markdown and
 * the rest of the object as one line of JSON, above it or below.
 */
export function saysTheSame(text: string, answer: object): boolean {
  const { result, ...rest } = answer as { result?: unknown };
  const line = JSON.stringify(rest);
  if (text === `${String(result)}\n\n${line}` || text === `${line}\n\n${String(result)}`) return true;
  try {
    return isDeepStrictEqual(JSON.parse(text), answer);
  } catch {
    return false;
  }
}

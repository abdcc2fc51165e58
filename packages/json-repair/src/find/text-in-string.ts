import { rewrite } from "../repair/machine.js";
import { Source } from "../repair/source.js";
import { MAX_DEPTH } from "../result.js";
import { parseContainer } from "./native.js";

/** A longer text in a string is read as it is, or not at all. */
const MAX_INNER = 200_000;

/** JSON in a string, repaired if need be. */
export function readText(text: string): { value: unknown; sure: boolean } | undefined {
  const value = parseContainer(text);
  if (value !== undefined) return { value, sure: true };
  if (text.length > MAX_INNER) return undefined;
  const read = rewrite(new Source(text), 0, { maxDepth: MAX_DEPTH });
  const repaired = read.failed || text.slice(read.end).trim() !== "" ? undefined : parseContainer(read.json);
  if (read.failed || repaired === undefined || !read.complete) return undefined;
  return { value: repaired, sure: read.edits.every((edit) => edit.sure) };
}

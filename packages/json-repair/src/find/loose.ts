import { askedKeys } from "../schema/fit.js";
import type { StandardSchemaV1 } from "../schema/standard-schema.js";
import { type Answer, isListOfOne, parsedOf } from "./answer.js";
import { hasParts, isKnownToWrap } from "./envelope.js";

/** A schema that asks for little fits what stands around an answer as well as the answer. */

interface Inside<T> {
  schema: StandardSchemaV1<unknown, T>;
  /** The answer in what fits, if that is opened like an envelope; `alike`: also one that has a key of what is around it. */
  open(alike?: boolean): Answer<T> | undefined;
}

/** JSON in a text, which is all of it. */
const JSON_TEXT = /^\s{0,20}[[{]/;

/**
 * What fits, or what it wraps where that has more of the keys that the schema asks for: of the two, neither is sure. A list
 * of one that is made of an envelope gives way to a list inside of it.
 */
export function weighed<T>(answer: Answer<T>, { schema, open }: Inside<T>): Answer<T> {
  const { value } = answer.candidate;
  if (answer.inner || !isObject(value)) return answer;
  const isRow = isListOfOne(answer);
  const wrapping = Object.entries(value).filter(([key, part]) => isKnownToWrap(key) && hasParts(part));
  const isInvented = answer.coerced.length === 0 && takesNothing(answer.value, value);
  if (wrapping.length === 0 && !isInvented) return answer;
  const asked = askedKeys(schema, value, { isRow });
  const doubted = { ...answer, rivalled: true };
  const unused = wrapping.some(([key, part]) => !asked.has(key) || (typeof part === "string" && JSON_TEXT.test(part)));
  if (!unused) return isInvented && asked.size === 0 ? doubted : answer;
  const askedIn = (one: Answer<T>) => {
    const found = parsedOf(one);
    const row: unknown = Array.isArray(found) ? found[0] : found;
    return isObject(row) ? askedKeys(schema, row, { isRow: Array.isArray(found) }).size : 0;
  };
  const inner = open();
  const count = inner ? askedIn(inner) : 0;
  const isBetter = isRow ? Array.isArray(inner && parsedOf(inner)) : isInvented;
  if (inner && (count > asked.size || (isBetter && asked.size === 0)))
    return { ...inner, extra: [...answer.extra, ...inner.extra], rivalled: true };
  const dropped = wrapping.some(
    ([key, part]) => typeof part === "string" || !isObject(answer.value) || !Object.hasOwn(answer.value, key),
  );
  if (!dropped && !isInvented) return answer;
  if (count > 0 || (isInvented && asked.size === 0)) return doubted;
  const alike = open(true);
  return alike && askedIn(alike) > 0 ? doubted : answer;
}

/** Whether all that a schema makes of an object is its own. */
function takesNothing(made: unknown, from: Record<string, unknown>): boolean {
  return isObject(made) && Object.keys(from).length > 0 && !Object.keys(from).some((key) => Object.hasOwn(made, key));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

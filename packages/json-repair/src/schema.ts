import type { SchemaIssue, SchemaResult, StandardSchemaV1 } from "./standard-schema.js";

/** A schema that answers with a promise cannot choose between candidates. */
export class AsyncSchemaError extends Error {}

export type Fit<T> =
  | { fits: true; value: T; coerced: PropertyKey[][] }
  | { fits: false; issues: readonly SchemaIssue[] };

/** Values that are tried in place of one that does not fit; more would be guessing. */
const MAX_TRIALS = 64;

/**
 * Whether the value fits, if need be after lossless changes where the schema complains: a string that is a number, a
 * boolean or JSON becomes that, one becomes a list of one, and a null becomes a missing key.
 */
export function fit<T>(schema: StandardSchemaV1<unknown, T> | undefined, value: unknown): Fit<T> {
  if (!schema) return { fits: true, value: value as T, coerced: [] };
  const first = validate(schema, value);
  if (!first.issues) return { fits: true, value: first.value, coerced: [] };

  let current = value;
  let issues = first.issues;
  const coerced: PropertyKey[][] = [];
  for (let trials = 0; trials < MAX_TRIALS; ) {
    let progress = false;
    search: for (const issue of issues) {
      const path = keysOf(issue);
      for (const other of alternatives(valueAt(current, path))) {
        if (++trials > MAX_TRIALS) break search;
        const trial = withValueAt(current, path, 0, other);
        const result = validate(schema, trial);
        if (!result.issues) return { fits: true, value: result.value, coerced: [...coerced, path] };
        if (result.issues.length >= issues.length || result.issues.some((next) => startsWith(keysOf(next), path)))
          continue;
        current = trial;
        issues = result.issues;
        coerced.push(path);
        progress = true;
        break search;
      }
    }
    if (!progress) break;
  }
  return { fits: false, issues: first.issues };
}

function validate<T>(schema: StandardSchemaV1<unknown, T>, value: unknown): SchemaResult<T> {
  let result: SchemaResult<T> | Promise<SchemaResult<T>>;
  try {
    result = schema["~standard"].validate(value);
  } catch (error) {
    // A check of the caller's that throws on an odd value, or a recursive schema on a deep one.
    return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
  }
  if (result instanceof Promise) {
    result.catch(() => {});
    throw new AsyncSchemaError();
  }
  return result;
}

const ABSENT = Symbol("absent");

function* alternatives(value: unknown): Generator<unknown> {
  if (value === ABSENT || value === undefined) return;
  if (value === null) {
    yield ABSENT;
    return;
  }
  if (typeof value === "string") {
    const text = value.trim();
    if (/^true$/i.test(text)) yield true;
    else if (/^false$/i.test(text)) yield false;
    else if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?(?:[eE][+-]?\d{1,2})?$/.test(text)) yield Number(text);
    else if (/^[[{]/.test(text)) {
      try {
        yield JSON.parse(text);
      } catch {
        // Not JSON: a text that starts with a bracket.
      }
    }
  }
  if (!Array.isArray(value)) yield [value];
}

function keysOf(issue: SchemaIssue): PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return ABSENT;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** A copy along the path; an own `__proto__` stays an own key. */
function withValueAt(value: unknown, path: readonly PropertyKey[], depth: number, by: unknown): unknown {
  if (depth === path.length) return by;
  const key = path[depth] as PropertyKey;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const next = withValueAt((value as Record<PropertyKey, unknown>)[key], path, depth + 1, by);
  if (next === ABSENT && !Array.isArray(copy)) Reflect.deleteProperty(copy, key);
  else Object.defineProperty(copy, key, { value: next, enumerable: true, configurable: true, writable: true });
  return copy;
}

function startsWith(path: readonly PropertyKey[], prefix: readonly PropertyKey[]): boolean {
  return prefix.every((key, at) => path[at] === key);
}

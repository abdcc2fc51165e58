/**
 * The part of Standard Schema v1 that validation needs (https://standardschema.dev), so that any schema of zod,
 * valibot, arktype and others is accepted without an adapter and without a dependency.
 */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The properties that the standard asks for. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a schema says of a value. */
export type SchemaResult<Output> =
  /** It fits; `value` is what the schema made of it. */
  | { readonly value: Output; readonly issues?: undefined }
  /** It does not fit. */
  | { readonly issues: readonly SchemaIssue[] };

/** What a schema has against a value. */
export interface SchemaIssue {
  /** What is wrong, in words. */
  readonly message: string;
  /** The path from the value to what is wrong; missing for the value itself. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A schema that answers with a promise cannot choose between candidates. */
export class AsyncSchemaError extends Error {}

export function validate<T>(schema: StandardSchemaV1<unknown, T>, value: unknown): SchemaResult<T> {
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

/** What zod, valibot and arktype say beyond the standard. */
interface KnownIssue extends SchemaIssue {
  /** Of a union, zod: the issues of each member, with paths from the union on; arktype: of all, with paths from the whole on. */
  readonly errors?: unknown;
  /** Of a union, valibot: the issues of all members, with paths from the union on. */
  readonly issues?: unknown;
  /** What would be right: zod; the others in words, with values in quotes. */
  readonly values?: unknown;
  readonly expected?: unknown;
}

/** So many issues are looked at inside of unions, so deep. */
const MAX_INNER = 200;
const MAX_NESTING = 4;

/** A place where something is wrong, and the values that are named for it as right. */
export interface Wrong {
  path: KeyPath;
  named: unknown[];
}

/** What is wrong, by the names of the places. */
export function wrongOf(issues: readonly SchemaIssue[]): Map<string, Wrong> {
  const found = new Map<string, Wrong>();
  let left = issues.length + MAX_INNER;
  const add = (issue: KnownIssue, before: KeyPath, depth: number) => {
    if (left-- <= 0) return;
    const path = [...before, ...keysOf(issue)];
    const name = nameOf(path);
    const place = found.get(name) ?? { path, named: [] };
    found.set(name, place);
    place.named.push(...namedBy(issue));
    const inner = [issue.issues, issue.errors].find(Array.isArray) ?? [];
    const isFromWhole = inner === issue.errors && !inner.every(Array.isArray);
    if (depth < MAX_NESTING) for (const one of inner.flat()) add(one, isFromWhole ? [] : path, depth + 1);
  };
  for (const issue of issues) add(issue, [], 0);
  return found;
}

function namedBy({ values, expected }: KnownIssue): readonly unknown[] {
  if (Array.isArray(values)) return values;
  if (typeof expected !== "string" || !expected.includes('"')) return [];
  const [words = ""] = expected.slice(0, 4_000).split(" (was ");
  return Array.from(words.matchAll(/"([^"\\]{1,200})"/g), ([, word]) => word);
}

export type KeyPath = readonly PropertyKey[];

export function keysOf(issue: SchemaIssue): PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}

/** A path as the key of a map. */
export const nameOf = (path: KeyPath): string => (path.length === 0 ? "[]" : JSON.stringify(path));

/** No such key: of an object, that it is not there. */
export const ABSENT = Symbol("absent");

export function valueAt(value: unknown, path: KeyPath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return ABSENT;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** Defined, not assigned: `__proto__` is a key like any other. */
export function define(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

export interface Change {
  path: KeyPath;
  by: unknown;
  /** The key of the same object that goes for it. */
  from?: string;
}

/** A copy of what the changes touch. */
export function copyWith(value: unknown, changes: readonly Change[]): unknown {
  const copies = new Set<unknown>();
  const changed = (part: unknown, change: Change, depth: number): unknown => {
    const key = change.path[depth];
    if (key === undefined) return change.by;
    const copy = copies.has(part) ? part : Array.isArray(part) ? [...part] : { ...(part as object) };
    copies.add(copy);
    const members = copy as Record<PropertyKey, unknown>;
    const by = changed(members[key], change, depth + 1);
    if (change.from !== undefined && depth === change.path.length - 1) Reflect.deleteProperty(members, change.from);
    if (by === ABSENT && !Array.isArray(copy)) Reflect.deleteProperty(members, key);
    else define(members, key, by);
    return copy;
  };
  return changes.reduce((root, change) => changed(root, change, 0), value);
}

/** A copy without the last member of a list, or the member of an object, that the path leads to. */
export function without(value: unknown, path: KeyPath): unknown {
  const container = valueAt(value, path.slice(0, -1));
  if (!Array.isArray(container)) return copyWith(value, [{ path, by: ABSENT }]);
  return copyWith(value, [{ path: path.slice(0, -1), by: container.slice(0, -1) }]);
}

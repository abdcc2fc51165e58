/** Parts of a value, by their paths: what stands there, and what is wrong there. */
import type { SchemaIssue } from "./standard-schema.js";

/** No such key: of an object, that it is not there. */
export const ABSENT = Symbol("absent");

export type KeyPath = readonly PropertyKey[];

/** A path as the key of a map. */
export const nameOf = (path: KeyPath): string => (path.length === 0 ? "[]" : JSON.stringify(path));

export function keysOf(issue: SchemaIssue): PropertyKey[] {
  return (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
}

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
  const copyOf = (part: unknown) => {
    if (copies.has(part)) return part as Record<PropertyKey, unknown>;
    const copy = Array.isArray(part) ? [...(part as unknown[])] : { ...(part as object) };
    copies.add(copy);
    return copy as Record<PropertyKey, unknown>;
  };
  let root = value;
  for (const { path, by, from } of changes) {
    const last = path.at(-1);
    root = last === undefined ? by : copyOf(root);
    if (last === undefined) continue;
    let at = root as Record<PropertyKey, unknown>;
    for (const key of path.slice(0, -1)) {
      const part = copyOf(at[key]);
      define(at, key, part);
      at = part;
    }
    if (from !== undefined) Reflect.deleteProperty(at, from);
    if (by === ABSENT && !Array.isArray(at)) Reflect.deleteProperty(at, last);
    else define(at, last, by);
  }
  return root;
}

/** A copy without the last member of a list, or the member of an object, that the path leads to. */
export function without(value: unknown, path: KeyPath): unknown {
  const container = valueAt(value, path.slice(0, -1));
  if (!Array.isArray(container)) return copyWith(value, [{ path, by: ABSENT }]);
  return copyWith(value, [{ path: path.slice(0, -1), by: container.slice(0, -1) }]);
}

/** What zod, valibot and arktype say of a union: the issues of its members. */
interface UnionIssue extends SchemaIssue {
  /** zod: a list for each member, with paths from the union on; arktype: with paths from the whole on. */
  readonly errors?: unknown;
  /** valibot: of all members, with paths from the union on. */
  readonly issues?: unknown;
}

/** So many issues are looked at inside of unions, so deep. */
const MAX_INNER = 200;
const MAX_NESTING = 4;

/** The places where something is wrong, by their names, each with the values that are named for it as right. */
export function wrongOf(issues: readonly SchemaIssue[]): Map<string, { path: KeyPath; named: unknown[] }> {
  const found = new Map<string, { path: KeyPath; named: unknown[] }>();
  let left = issues.length + MAX_INNER;
  const add = (issue: UnionIssue, before: KeyPath, depth: number) => {
    if (left-- <= 0) return;
    const path = [...before, ...keysOf(issue)];
    const name = nameOf(path);
    const known = found.get(name);
    if (known) known.named.push(...namedBy(issue));
    else found.set(name, { path, named: [...namedBy(issue)] });
    const inner = [issue.issues, issue.errors].find(Array.isArray) ?? [];
    const isWhole = inner === issue.errors && !inner.every(Array.isArray);
    if (depth < MAX_NESTING) for (const one of inner.flat()) add(one, isWhole ? [] : path, depth + 1);
  };
  for (const issue of issues) add(issue, [], 0);
  return found;
}

/** The values that one issue names as right: by zod as `values`, by others in quotes. */
export function namedBy(issue: SchemaIssue): readonly unknown[] {
  const { values, expected } = issue as SchemaIssue & { values?: unknown; expected?: unknown };
  if (Array.isArray(values)) return values;
  if (typeof expected !== "string" || !expected.includes('"')) return [];
  const [words = ""] = expected.slice(0, 4_000).split(" (was ");
  return Array.from(words.matchAll(/"([^"\\]{1,200})"/g), ([, word]) => word);
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[^\s,\]}]*/g;

/** The value of a JSON text with its numbers as they are written: parsed, `1.10` and a long id lose digits. */
export function withDigits(json: string): unknown {
  return JSON.parse(json.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? token : `"${token}"`)));
}

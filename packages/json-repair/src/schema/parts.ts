/** Parts of a value, by their paths; an own `__proto__` stays an own key. */
import { ABSENT } from "./coercions.js";

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return ABSENT;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

export function putAt(value: unknown, path: readonly PropertyKey[], by: unknown): void {
  const container = valueAt(value, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof container === "object" && container !== null && key !== undefined) define(container, key, by);
}

function define(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

export interface Change {
  path: readonly PropertyKey[];
  by: unknown;
  /** The key of the same object that goes for it. */
  from?: string;
}

/** A copy of what the changes touch. */
export function copyWith(value: unknown, changes: readonly Change[]): unknown {
  let copies: Set<unknown> | undefined;
  const copyOf = (part: unknown): object => {
    if (copies?.has(part)) return part as object;
    const copy = Array.isArray(part) ? [...(part as unknown[])] : { ...(part as object) };
    copies ??= new Set();
    copies.add(copy);
    return copy;
  };
  let root = value;
  for (const { path, by, from } of changes) {
    const last = path.at(-1);
    if (last === undefined) {
      root = by;
      continue;
    }
    root = copyOf(root);
    let at = root as Record<PropertyKey, unknown>;
    for (const key of path.slice(0, -1)) {
      const part = copyOf(at[key]);
      define(at, key, part);
      at = part as Record<PropertyKey, unknown>;
    }
    if (from !== undefined) Reflect.deleteProperty(at, from);
    if (by === ABSENT && !Array.isArray(at)) Reflect.deleteProperty(at, last);
    else define(at, last, by);
  }
  return root;
}

/** A copy without the last member of a list, or the member of an object, that the path leads to. */
export function without(value: unknown, path: readonly PropertyKey[]): unknown {
  const container = valueAt(value, path.slice(0, -1));
  if (!Array.isArray(container)) return copyWith(value, [{ path, by: ABSENT }]);
  return copyWith(value, [{ path: path.slice(0, -1), by: container.slice(0, -1) }]);
}

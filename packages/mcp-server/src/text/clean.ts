import { plainText } from "./plain-text.js";

/**
 * A value of JSON in which every text, the names of members included, is free of what could steer a terminal or hide
 * from a reader: see {@link plainText}. What needs no change is the same value.
 */
export function cleaned<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return asItWas(value, value.map(clean));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([name, member]) => [plainText(name), clean(member)] as const);
  const same = changed.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1]);
  // `__proto__` stays a name like any other.
  return same ? value : Object.fromEntries(changed);
}

function asItWas(before: readonly unknown[], after: unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

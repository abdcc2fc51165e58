/**
 * A value of JSON with every text, the names of members included, as `change` gives it. What needs no change is the same
 * value.
 */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  return changed(value, change) as T;
}

function changed(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) {
    return asItWas(
      value,
      value.map((item) => changed(item, change)),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const after = entries.map(([name, member]) => [change(name), changed(member, change)] as const);
  const same = after.every(([name, member], index) => name === entries[index]?.[0] && member === entries[index]?.[1]);
  // `__proto__` stays a name like any other.
  return same ? value : Object.fromEntries(after);
}

function asItWas(before: readonly unknown[], after: unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}

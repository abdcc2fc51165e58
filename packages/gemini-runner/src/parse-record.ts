/** Reading values that someone else wrote: what is not of the asked kind is as good as not there. */

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

import type { StandardSchemaV1 } from "../../src/index.js";

export const HINTS: Record<"search" | "deep_search" | "rows", StandardSchemaV1<unknown, unknown>>;
export function judge(expected: unknown, result: { ok: boolean; value?: unknown }): "right" | "refused" | "wrong";
export function matches(expected: unknown, value: unknown): boolean;

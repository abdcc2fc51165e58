import type { StandardSchemaV1 } from "@standard-schema/spec";

export interface ExtractOptions<T> {
  schema?: StandardSchemaV1<unknown, T>;
}

export type ExtractResult<T> = { ok: true; value: T } | { ok: false; error: Error };

/** The JSON value of the whole text. */
export function extractJson<T>(text: string, options: ExtractOptions<T> = {}): ExtractResult<T> {
  try {
    const value: unknown = JSON.parse(text);
    const checked = options.schema?.["~standard"].validate(value);
    if (checked instanceof Promise) return { ok: false, error: new Error("the schema must be synchronous") };
    if (checked?.issues)
      return { ok: false, error: new Error(checked.issues.map((issue) => issue.message).join("; ")) };
    return { ok: true, value: (checked ? checked.value : value) as T };
  } catch (cause) {
    return { ok: false, error: new Error("no JSON value", { cause }) };
  }
}

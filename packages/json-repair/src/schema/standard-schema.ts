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

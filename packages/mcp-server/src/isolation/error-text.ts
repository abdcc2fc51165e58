/** An error as it goes between threads: its class is lost, what it says is not. */
export interface PlainError {
  name: string;
  message: string;
  /** Its own fields that are plain, such as `code` and `reason`. */
  fields: Record<string, string | number | boolean>;
  cause?: PlainError;
}

/** A longer chain of causes is cut. */
const DEEPEST = 5;
/** Of one field, such as what the CLI wrote to stderr. */
const LONGEST = 100_000;
const OWN = new Set(["name", "message", "stack", "cause"]);

export function toPlainError(thrown: unknown, depth = 0): PlainError {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown), fields: {} };
  const fields: PlainError["fields"] = {};
  for (const name of Object.getOwnPropertyNames(thrown).filter((key) => !OWN.has(key))) {
    const value = (thrown as unknown as Record<string, unknown>)[name];
    if (typeof value === "string") fields[name] = value.slice(0, LONGEST);
    else if (typeof value === "number" || typeof value === "boolean") fields[name] = value;
  }
  const cause = thrown.cause === undefined || depth === DEEPEST ? undefined : toPlainError(thrown.cause, depth + 1);
  return { name: thrown.name, message: thrown.message, fields, ...(cause && { cause }) };
}

export function fromPlainError({ name, message, fields, cause }: PlainError): Error {
  const error = new Error(message, cause && { cause: fromPlainError(cause) });
  // A stack of another thread helps nobody.
  delete error.stack;
  return Object.assign(error, fields, { name });
}

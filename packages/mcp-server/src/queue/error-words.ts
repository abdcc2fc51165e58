/** An error of a connection has its reason in its parts, or in its code. */
export function inWords(error: Error): string {
  const { errors, code, cause } = error as Error & { errors?: Error[]; code?: string };
  if (/Reached the max retries|Connection is closed|Stream isn't writeable/.test(error.message)) {
    return cause instanceof Error ? inWords(cause) : "no connection";
  }
  return errors?.[0]?.message || error.message || code || error.name;
}

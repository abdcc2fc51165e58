import { validate } from "./fit.js";
import { wrongOf } from "./issues.js";
import type { StandardSchemaV1 } from "./standard-schema.js";

/** So many keys are asked about. */
const MAX_KEYS = 200;
/** A value that no JSON has. */
const PROBE = () => undefined;

/** The keys of an object, or of a row of a list, for which a schema asks for something: it refuses what is no JSON there. */
export function askedKeys(
  schema: StandardSchemaV1<unknown, unknown>,
  row: object,
  { isRow }: { isRow: boolean },
): ReadonlySet<PropertyKey> {
  const probe = Object.fromEntries(
    Object.keys(row)
      .slice(0, MAX_KEYS)
      .map((key) => [key, PROBE]),
  );
  const { issues = [] } = validate(schema, isRow ? [probe] : probe);
  const at = isRow ? 1 : 0;
  return new Set(
    wrongOf(issues).flatMap(({ path: { [at]: key } }) => (key !== undefined && Object.hasOwn(probe, key) ? [key] : [])),
  );
}

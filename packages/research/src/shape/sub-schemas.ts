/** A JSON Schema, as plain data. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalItems", "additionalProperties", "propertyNames", "contains", "not"];
const LISTS = ["prefixItems", "items", "anyOf", "oneOf", "allOf"];
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];

/** A schema inside of another one, and the keys that lead to it. */
export interface SubSchema {
  path: readonly (string | number)[];
  schema: unknown;
}

/** The schemas directly inside of a schema: what stands under its keywords, not what a property is called. */
export function subSchemas(schema: unknown): SubSchema[] {
  if (!isObject(schema)) return [];
  const found: SubSchema[] = [];
  for (const name of ONE) {
    if (schema[name] !== undefined && !Array.isArray(schema[name])) found.push({ path: [name], schema: schema[name] });
  }
  for (const name of LISTS) {
    const list = schema[name];
    if (Array.isArray(list)) found.push(...list.map((inner, at) => ({ path: [name, at], schema: inner })));
  }
  for (const name of NAMED) {
    const named = schema[name];
    if (!isObject(named)) continue;
    found.push(...Object.entries(named).map(([key, inner]) => ({ path: [name, key], schema: inner })));
  }
  return found;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a reference such as `#/$defs/name` leads to; `undefined`: nothing. */
export function referred(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The keys as a JSON Pointer; empty for the whole. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

import * as z from "zod";
import { isCheapPattern } from "./cheap-pattern.js";
import { isObject, type JsonSchema, pointer, referred, subSchemas } from "./sub-schemas.js";

/** A schema of more characters is no shape of an answer. */
const MAX_CHARACTERS = 50_000;
const MAX_DEPTH = 50;

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
const type = z.enum(TYPES);
const count = z.number().int().nonnegative();
const any = z.unknown();
const named = z.record(z.string(), any);

/** What may stand under the keywords, as the vocabulary of JSON Schema says it; schemas inside are looked at by themselves. */
const Keywords = z.looseObject({
  type: z.union([type, z.array(type).min(1)], `expected one of ${TYPES.join(", ")}, or a list of them`).optional(),
  enum: z.array(any).min(1).optional(),
  properties: named.optional(),
  patternProperties: named.optional(),
  $defs: named.optional(),
  definitions: named.optional(),
  required: z.array(z.string()).optional(),
  anyOf: z.array(any).min(1).optional(),
  oneOf: z.array(any).min(1).optional(),
  allOf: z.array(any).min(1).optional(),
  prefixItems: z.array(any).optional(),
  $ref: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.union([z.number(), z.boolean()], "expected a number").optional(),
  exclusiveMaximum: z.union([z.number(), z.boolean()], "expected a number").optional(),
  multipleOf: z.number().positive().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  minProperties: count.optional(),
  maxProperties: count.optional(),
  uniqueItems: z.boolean().optional(),
});

/** Why a schema cannot be the shape of an answer, with the place in it; `undefined`: it can. */
export function faultOf(root: unknown): string | undefined {
  if (root === true || !(isObject(root) || root === false)) return "it must be an object";
  const size = sizeOf(root);
  if (size === undefined) return "it must be plain data, as JSON is";
  if (size > MAX_CHARACTERS) return `it has ${size} characters, at most ${MAX_CHARACTERS} are taken`;
  const all: { schema: JsonSchema; path: readonly PropertyKey[] }[] = [];
  const open: { schema: unknown; path: readonly PropertyKey[] }[] = [{ schema: root, path: [] }];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const { schema, path } = at;
    const fault = faultAt(schema, root);
    if (fault !== undefined) return `${pointer([...path, ...fault.path]) || "the whole"}: ${fault.message}`;
    if (path.length > 2 * MAX_DEPTH) return `${pointer(path).slice(0, 200)}: it is nested too deeply`;
    all.push({ schema: schema as JsonSchema, path });
    open.push(...subSchemas(schema).map((inner) => ({ ...inner, path: [...path, ...inner.path] })));
  }
  return canEnd(
    root as JsonSchema,
    all.map(({ schema }) => schema),
  )
    ? undefined
    : "nothing fits it: it is false, or asks for itself without end";
}

function sizeOf(value: unknown): number | undefined {
  try {
    return JSON.stringify(value).length;
  } catch {
    return undefined;
  }
}

interface Fault {
  path: readonly PropertyKey[];
  message: string;
}

function faultAt(schema: unknown, root: unknown): Fault | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return { path: [], message: "expected a schema: an object, true or false" };
  const read = Keywords.safeParse(schema);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { path: issue?.path ?? [], message: (issue?.message ?? "").replace(/^Invalid input: /, "") };
  }
  const { $ref, pattern, patternProperties } = read.data;
  if ($ref !== undefined && referred(root, $ref) === undefined)
    return { path: ["$ref"], message: `${JSON.stringify($ref.slice(0, 200))} leads nowhere in this schema` };
  for (const text of [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties ?? {})]) {
    if (!isCheapPattern(text))
      return {
        path: [pattern === text ? "pattern" : "patternProperties"],
        message: `${JSON.stringify(text.slice(0, 200))} is not accepted as a regular expression: it must not repeat a group that itself repeats or has alternatives, refer back to a group, or have more than one part without an upper limit (two after ^)`,
      };
  }
  return emptyRange(read.data);
}

function emptyRange(schema: z.infer<typeof Keywords>): Fault | undefined {
  for (const [low, high] of [
    ["minimum", "maximum"],
    ["minLength", "maxLength"],
    ["minItems", "maxItems"],
    ["minProperties", "maxProperties"],
  ] as const) {
    const [from, to] = [schema[low], schema[high]];
    if (from !== undefined && to !== undefined && from > to)
      return { path: [low], message: `nothing fits: ${low} ${from} is above ${high} ${to}` };
  }
  const types = [schema.type ?? []].flat();
  if (schema.enum !== undefined && types.length > 0 && !schema.enum.some((value) => isOneOf(value, types)))
    return { path: ["enum"], message: `nothing fits: no value of it is of type ${types.join(" or ")}` };
  return undefined;
}

function isOneOf(value: unknown, types: readonly string[]): boolean {
  const own = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.some((type) => type === own || (type === "integer" && own === "number"));
}

/** Whether a value can fit that has an end: found by adding, until nothing is added, those whose parts can. */
function canEnd(root: JsonSchema, all: readonly JsonSchema[]): boolean {
  const ending = new Set<unknown>([true]);
  const ends = (schema: unknown) => schema === undefined || ending.has(schema);
  for (let added = true; added; ) {
    added = false;
    for (const schema of all) {
      if (ending.has(schema) || !isObject(schema) || !endsWith(schema, root, ends)) continue;
      ending.add(schema);
      added = true;
    }
  }
  return ending.has(root);
}

function endsWith(schema: Record<string, unknown>, root: unknown, ends: (schema: unknown) => boolean): boolean {
  const list = (name: string) => (Array.isArray(schema[name]) ? (schema[name] as unknown[]) : undefined);
  if (typeof schema["$ref"] === "string" && !ends(referred(root, schema["$ref"]))) return false;
  if (!(list("allOf") ?? []).every(ends)) return false;
  for (const name of ["anyOf", "oneOf"]) if (!(list(name) ?? [true]).some(ends)) return false;
  if (schema["not"] === true || (isObject(schema["not"]) && Object.keys(schema["not"]).length === 0)) return false;
  const types = [schema["type"] ?? []].flat();
  const mayBe = (type: string) => types.length === 0 || types.includes(type);
  // What may be something else than an object or a list ends there.
  if (types.length > 0 && types.some((type) => type !== "object" && type !== "array")) return true;
  if (types.length === 0 && (schema["const"] !== undefined || schema["enum"] !== undefined)) return true;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = (list("required") ?? []).filter((name) => Object.hasOwn(properties, String(name)));
  const endsAsObject = mayBe("object") && required.every((name) => ends(properties[String(name)]));
  const isFilled = Number(schema["minItems"] ?? 0) > 0;
  const endsAsArray = mayBe("array") && (!isFilled || Array.isArray(schema["items"]) || ends(schema["items"]));
  return endsAsObject || endsAsArray;
}

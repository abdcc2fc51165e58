import * as z from "zod";
import { faultOf } from "./schema-faults.js";
import { isObject, subSchemas } from "./sub-schemas.js";

/** The shape that a caller wants data in. */
export interface Shape {
  /** Reads a value of it. */
  schema: z.ZodType;
  /** As the model is told it. */
  json: string;
}

/** Strings that a pattern is looked for in. */
const MAX_PATTERN_TEXT = 2_000;

/** Makes a shape of a JSON Schema, or says in words why it is none. */
export function shapeOf(outputSchema: unknown): Shape | { fault: string } {
  const fault = faultOf(outputSchema);
  if (fault !== undefined) return { fault };
  const json = JSON.stringify(outputSchema);
  try {
    return { schema: z.fromJSONSchema(prepared(JSON.parse(json)) as z.core.JSONSchema.JSONSchema), json };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Keywords that tell of which type a value is meant to be where nothing says it. */
const TYPED: readonly (readonly [string, readonly string[]])[] = [
  ["object", ["properties", "patternProperties", "required", "additionalProperties", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** With the type that is meant, and a property for each name that is required; without defaults, which nobody has found; with a limit where a pattern is looked for. */
function prepared(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  delete schema["default"];
  schema["type"] ??= TYPED.find(([, keywords]) => keywords.some((name) => schema[name] !== undefined))?.[0];
  if (schema["type"] === undefined) delete schema["type"];
  if (schema["pattern"] !== undefined) schema["maxLength"] ??= MAX_PATTERN_TEXT;
  if (Array.isArray(schema["required"])) {
    // What is required and not described is looked for all the same.
    const described = isObject(schema["properties"]) ? schema["properties"] : {};
    const names = schema["required"].filter((name) => typeof name === "string" && !Object.hasOwn(described, name));
    schema["properties"] = { ...described, ...Object.fromEntries(names.map((name) => [name, true])) };
  }
  for (const { schema: inner } of subSchemas(schema)) prepared(inner);
  return schema;
}

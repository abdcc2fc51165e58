import type { InputSchema, Property } from "./definitions/index.js";

export type Input = Record<string, Value>;
type Value = string | number | boolean | string[] | Record<string, unknown>;
export type ReadInput = { ok: true; input: Input; ignored: string[] } | { ok: false; message: string };

/** Where the schema says nothing; no call needs more. */
const LONGEST_TEXT = 1_000;
const LONGEST_ITEM = 253;
const MOST_ITEMS = 100;
/** Of a name that is told back. */
const LONGEST_NAME = 100;
const MOST_NAMES = 20;

/**
 * Reads the arguments of a call by the schema that the client was given. Every problem is named with what was expected.
 * Models write numbers as strings, so `"5"` is 5. Some fill in every argument: what need not be there and is empty was left
 * out. Unknown keys are ignored: hosts add some of their own, as Gemini CLI does with `wait_for_previous`.
 */
export function readInput(schema: InputSchema, args: unknown): ReadInput {
  if (args !== undefined && (typeof args !== "object" || args === null || Array.isArray(args))) {
    return { ok: false, message: "The arguments must be an object." };
  }
  const input: Input = {};
  const problems: string[] = [];
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(args ?? {})) {
    if (value === null || value === undefined) continue;
    if (!Object.hasOwn(schema.properties, name)) {
      if (ignored.length < MOST_NAMES) ignored.push(name.slice(0, LONGEST_NAME));
      continue;
    }
    const property = schema.properties[name] as Property;
    if (isEmpty(value, property) && !schema.required?.includes(name)) continue;
    const read = readProperty(property, value);
    if (read === undefined) problems.push(`${name} must be ${inWords(property)}`);
    else input[name] = read;
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(input, name) && !problems.some((problem) => problem.startsWith(`${name} must`))) {
      problems.push(`${name} is missing; it must be ${inWords(schema.properties[name] as Property)}`);
    }
  }
  return problems.length === 0 ? { ok: true, input, ignored } : { ok: false, message: `${problems.join(". ")}.` };
}

function readProperty(property: Property, value: unknown): Value | undefined {
  switch (property.type) {
    case "string": {
      if (typeof value !== "string") return undefined;
      if (property.enum !== undefined && !property.enum.includes(value)) return undefined;
      const length = value.trim().length;
      return length > 0 && length <= (property.maxLength ?? LONGEST_TEXT) ? value : undefined;
    }
    case "integer":
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
      if (property.type === "integer" && !Number.isInteger(number)) return undefined;
      return number >= (property.minimum ?? -Infinity) && number <= (property.maximum ?? Infinity) ? number : undefined;
    }
    case "boolean":
      return typeof value === "boolean" ? value : { true: true, false: false }[String(value).toLowerCase()];
    case "object": {
      const object = typeof value === "string" ? parsed(value) : value;
      return isObject(object) ? object : undefined;
    }
    case "array": {
      const items = typeof value === "string" ? [value] : value;
      if (!Array.isArray(items) || items.length > (property.maxItems ?? MOST_ITEMS)) return undefined;
      return items.every(isItem) ? items : undefined;
    }
  }
}

function isEmpty(value: unknown, { type }: Property): boolean {
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return type === "array" && value.length === 0;
  return type === "object" && isObject(value) && Object.keys(value).length === 0;
}

function isItem(item: unknown): item is string {
  return typeof item === "string" && item.trim() !== "" && item.length <= LONGEST_ITEM;
}

/** Models write objects as strings, too. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inWords(property: Property): string {
  switch (property.type) {
    case "boolean":
      return "true or false";
    case "object":
      return "an object";
    case "string":
      if (property.enum !== undefined) return `one of ${property.enum.join(", ")}`;
      return `a text of 1 to ${property.maxLength ?? LONGEST_TEXT} characters`;
    case "array":
      return `a list of at most ${property.maxItems ?? MOST_ITEMS} texts, each of at most ${LONGEST_ITEM} characters`;
    default: {
      const range = [
        property.minimum === undefined ? [] : `at least ${property.minimum}`,
        property.maximum === undefined ? [] : `at most ${property.maximum}`,
      ].flat();
      return `a ${property.type === "integer" ? "whole " : ""}number${range.length > 0 ? `, ${range.join(" and ")}` : ""}`;
    }
  }
}

import path from "node:path";
import { invalidInput } from "../errors/runner-error.js";

/** What a number may be. `Infinity` is no limit, where there is no most. */
export interface NumberRule {
  least: number;
  most?: number;
  /** Of things that are counted. */
  whole?: true;
}

/** Each throws `EXECUTION_ERROR` (`input`) for a value that cannot be used, with its name, what is expected and what it is. */
export function checkObject(name: string, value: unknown): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw invalidInput(`${name} is expected to be an object, not ${shown(value)}`);
}

/** The names that it has, but for those whose value is `undefined`. `all` says whose names they are. */
export function checkNames(
  value: object,
  known: readonly string[],
  { of = "", all }: { of?: string; all: string },
): void {
  const unknown = Object.entries(value).find(([name, each]) => each !== undefined && !known.includes(name))?.[0];
  if (unknown === undefined) return;
  throw invalidInput(`There is no option ${of}${shorten(unknown)}`, `The options of ${all} are ${known.join(", ")}.`);
}

export function checkNumbers(value: object, rules: Readonly<Record<string, NumberRule>>, of = ""): void {
  const given = value as Record<string, unknown>;
  for (const [name, { least, most = Number.POSITIVE_INFINITY, whole }] of Object.entries(rules)) {
    const each = given[name];
    if (each === undefined) continue;
    const fits = typeof each === "number" && each >= least && each <= most;
    if (fits && (whole === undefined || Number.isInteger(each) || each === Number.POSITIVE_INFINITY)) continue;
    const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
    throw invalidInput(`${of}${name} is expected to be a ${whole ? "whole " : ""}number ${range}, not ${shown(each)}`);
  }
}

/** No name, path or argument is empty or holds a NUL. */
export function checkText(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value !== "" && !value.includes("\0"))) return;
  throw invalidInput(`${name} is expected to be text that is not empty and holds no NUL, not ${shown(value)}`);
}

export function checkTexts(name: string, list: unknown, check = checkText): void {
  if (list === undefined) return;
  if (!Array.isArray(list)) throw invalidInput(`${name} is expected to be a list, not ${shown(list)}`);
  for (const [i, each] of list.entries()) check(`${name}[${i}]`, each ?? null);
}

/** What a program is given may be empty. */
export function checkArgument(name: string, value: unknown): void {
  if (value !== "") checkText(name, value);
}

export function checkArguments(name: string, value: unknown): void {
  if (value === undefined) return;
  checkObject(name, value);
  for (const [each, text] of Object.entries(value as object)) checkArgument(`${name}.${each}`, text ?? null);
}

export function checkAbsolute(name: string, value: unknown): void {
  checkText(name, value);
  if (path.isAbsolute(value as string)) return;
  const message = `${name} is expected to be an absolute path, not ${shown(value)}`;
  throw invalidInput(message, `From the present directory it is ${shown(path.resolve(value as string))}.`);
}

export function checkTools(name: string, list: unknown): void {
  checkTexts(name, list);
  // The CLI would take it for many: what is granted is named.
  const wild = ((list ?? []) as string[]).find((each) => each.includes("*"));
  if (wild !== undefined) throw invalidInput(`${name} is expected to name each tool, without "*", not ${shown(wild)}`);
}

export function checkUrl(name: string, value: unknown): void {
  if (typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return;
  throw invalidInput(`${name} is expected to be the address of an MCP server, http: or https:, not ${shown(value)}`);
}

export function checkFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw invalidInput(`${name} is expected to be a function, not ${shown(value)}`);
}

export function checkSignal(value: unknown): void {
  if (value === undefined) return;
  const { aborted, addEventListener } = Object(value) as { aborted?: unknown; addEventListener?: unknown };
  if (typeof aborted === "boolean" && typeof addEventListener === "function") return;
  const nextStep = "Give the `signal` of an AbortController, not the controller.";
  throw invalidInput(`signal is expected to be an AbortSignal, not ${shown(value)}`, nextStep);
}

const LONGEST_SHOWN = 200;

/** A value as it stands in a message: of what is no plain value, what kind it is. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "string":
      return JSON.stringify(shorten(value));
    case "object":
      return value === null ? "null" : "an object";
    case "function":
      return "a function";
    default:
      return String(value);
  }
}

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

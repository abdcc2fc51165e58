import { isDeepStrictEqual } from "node:util";
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import type { Entry } from "./clients.js";
import { merged, SetupError } from "./merged.js";

/** `text` with the entry in it. Comments and order of everything else stay. */
export function mergeJson(text: string, path: readonly [string, string], entry: Entry): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const before = readObject(source);
  const [group, name] = path;
  const servers = before[group];
  if (servers !== undefined && !isObject(servers)) throw new SetupError(`"${group}" is not an object`);
  const old = isObject(servers) ? servers[name] : undefined;
  const next = merged(isObject(old) ? old : {}, entry);
  if (isDeepStrictEqual(old, next)) return text;
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const indent = /\n([ \t]+)\S/.exec(source)?.[1] ?? "  ";
  const insertSpaces = !indent.includes("\t");
  const formattingOptions = { eol, insertSpaces, tabSize: insertSpaces ? Math.min(indent.length, 8) : 1 };
  // Key by key, so that comments inside an entry that is there already stay.
  const changes: [string[], unknown][] = isObject(old)
    ? Object.entries(next)
        .filter(([key, value]) => !isDeepStrictEqual(old[key], value))
        .map(([key, value]) => [[group, name, key], value])
    : [[[group, name], next]];
  let after = source;
  for (const [keys, value] of changes) after = applyEdits(after, modify(after, keys, value, { formattingOptions }));
  const expected = { ...before, [group]: { ...(servers ?? {}), [name]: next } };
  if (!isDeepStrictEqual(readObject(after), expected))
    throw new SetupError("it cannot be changed without losing something");
  return after;
}

function readObject(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new SetupError(`line ${line} is not JSON (${printParseErrorCode(error.error)})`);
  }
  if (!isObject(value)) throw new SetupError("it does not hold an object");
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

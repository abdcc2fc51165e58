import { isDeepStrictEqual } from "node:util";
import {
  applyEdits,
  findNodeAtLocation,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { Entry } from "./client.js";
import { merged, SetupError } from "./merged.js";

const EMPTY = "{}\n";

/** `text` with the entry in it. Everything else stays as it is, to the last blank. */
export function mergeJson(
  text: string,
  path: readonly [string, string],
  entry: Entry,
  given: Readonly<Record<string, string>> = {},
): string {
  const source = text.trim() === "" ? EMPTY : text;
  const before = readJson(source);
  const [group, name] = path;
  const servers = before[group];
  if (servers !== undefined && !isObject(servers)) throw new SetupError(`"${group}" is not an object`);
  const old = isObject(servers) ? servers[name] : undefined;
  const next = merged(isObject(old) ? old : {}, entry, given);
  if (isDeepStrictEqual(old, next)) return text;
  let after = source;
  for (const [keys, value] of changesTo(old, next, { group, name, isNew: servers === undefined })) {
    after = withValue(after, keys, value);
  }
  const expected = { ...before, [group]: { ...(servers ?? {}), [name]: next } };
  if (!isDeepStrictEqual(readJson(after), expected))
    throw new SetupError("it cannot be changed without losing something");
  return after;
}

/** Key by key, so that comments inside an entry that is there already stay. */
function changesTo(
  old: unknown,
  next: Record<string, unknown>,
  { group, name, isNew }: { group: string; name: string; isNew: boolean },
): [string[], unknown][] {
  if (isNew) return [[[group], { [name]: next }]];
  if (!isObject(old)) return [[[group, name], next]];
  return Object.entries(next)
    .filter(([key, value]) => !isDeepStrictEqual(old[key], value))
    .map(([key, value]) => [[group, name, key], value]);
}

/** Changes one value, or adds it behind its neighbours, in the way that they are written. */
function withValue(text: string, keys: string[], value: unknown): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const written = (indent: string) => printed(value, indent, unit).replaceAll("\n", eol);
  // Without a way to format, it says where to write and formats nothing.
  const [edit] = modify(text, keys, value, {});
  if (edit === undefined) return text;
  const root = parseTree(text, [], { allowTrailingComma: true });
  const there = root && findNodeAtLocation(root, keys);
  if (there !== undefined) {
    const indent = indentOf(text, there.parent?.offset ?? there.offset);
    const isOneLine = !text.slice(there.offset, there.offset + there.length).includes("\n");
    const content = isOneLine && (indent === undefined || !isObject(value)) ? inOneLine(value) : written(indent ?? "");
    return applyEdits(text, [{ ...edit, content }]);
  }
  const parent = root && findNodeAtLocation(root, keys.slice(0, -1));
  if (parent === undefined) throw new SetupError("it cannot be changed without losing something");
  const key = JSON.stringify(keys.at(-1));
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const outer = lineIndent(text, parent.offset);
    const inside = text.slice(parent.offset + 1, parent.offset + parent.length - 1);
    const closing = inside.includes("\n") ? "" : `${eol}${outer}`;
    return applyEdits(text, [{ ...edit, content: `${eol}${outer}${unit}${key}: ${written(outer + unit)}${closing}` }]);
  }
  const indent = indentOf(text, last.offset);
  if (indent === undefined) return applyEdits(text, [{ ...edit, content: `, ${key}: ${inOneLine(value)}` }]);
  return behind(text, last.offset + last.length, `${eol}${indent}${key}: ${written(indent)}`);
}

/** Puts a member behind the one that ends at `end`, and behind the remark that stands beside that one. */
function behind(text: string, end: number, member: string): string {
  const rest = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? "";
  const comma = rest.trimStart().startsWith(",") ? "," : "";
  const remark = rest.trim().slice(comma.length).trim();
  if (remark !== "" && !remark.startsWith("//")) return `${text.slice(0, end)},${member}${text.slice(end)}`;
  const separated = `${text.slice(0, end)}${comma === "" ? "," : ""}${rest}`;
  return `${separated}${member}${comma}${text.slice(end + rest.length)}`;
}

/** The blanks before what begins its line there; `undefined` when something else begins the line. */
function indentOf(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return before.trim() === "" ? before : undefined;
}

/** The blanks at the start of the line of this place. */
function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";
}

/** As people write it: a line for each member, and lists in one. */
function printed(value: unknown, indent: string, unit: string): string {
  if (!isObject(value) || Object.keys(value).length === 0) return inOneLine(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${indent}${unit}${JSON.stringify(key)}: ${printed(member, indent + unit, unit)}`,
  );
  return `{\n${members.join(",\n")}\n${indent}}`;
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inOneLine(member)}`);
  return members.length > 0 ? `{ ${members.join(", ")} }` : "{}";
}

/** The object that a configuration holds; one without text holds an empty one. */
export function readJson(text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const source = text.trim() === "" ? EMPTY : text;
  const value: unknown = parse(source.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
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

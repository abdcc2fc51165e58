import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import type { Entry } from "./client.js";
import { merged, SetupError } from "./merged.js";

/**
 * `text` with the entry as a table of its own. Only the lines of keys that change are written; the result is read again
 * and refused when anything else came out different.
 */
export function mergeToml(
  text: string,
  path: readonly [string, string],
  entry: Entry,
  given: Readonly<Record<string, string>> = {},
): string {
  const before = readToml(text);
  const [group, name] = path;
  const servers = before[group];
  if (servers !== undefined && !isTable(servers)) throw new SetupError(`"${group}" is not a table`);
  const old = isTable(servers) ? servers[name] : undefined;
  const next = merged(isTable(old) ? old : {}, entry, given);
  if (isDeepStrictEqual(plain(old), next)) return text;
  const expected = { ...before, [group]: { ...(isTable(servers) ? servers : {}), [name]: next } };
  const lines = text.split(/(?<=\n)/);
  const candidates = old === undefined ? [] : [() => withKeys(lines, path, next)];
  candidates.push(() => withTable(old === undefined ? lines : withoutTables(lines, path), path, next));
  for (const candidate of candidates) {
    const after = candidate();
    if (reads(after, expected)) return after;
  }
  throw new SetupError(`[${path.join(".")}] is written in a way that cannot be changed without losing something`);
}

/** A new table at the end. */
function withTable(lines: readonly string[], [group, name]: readonly [string, string], next: object): string {
  const rest = lines.join("");
  const eol = rest.includes("\r\n") ? "\r\n" : "\n";
  const table = stringify({ [group]: { [name]: next } })
    .trimEnd()
    .split("\n");
  const gap = rest === "" || rest.endsWith(`${eol}${eol}`) ? "" : rest.endsWith(eol) ? eol : eol + eol;
  return `${rest}${gap}${table.filter((line) => line !== `[${group}]`).join(eol)}${eol}`;
}

/** The table that is there, with the keys that differ in it and in the tables below it. */
function withKeys(lines: readonly string[], path: readonly string[], values: Record<string, unknown>): string {
  const eol = lines.some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  let whole = [...lines];
  for (const [header, table] of tablesOf(path, values)) {
    const from = whole.findIndex((line) => isDeepStrictEqual(keysOfHeader(line), header));
    const found = from === -1 ? 0 : whole.slice(from + 1).findIndex((line) => keysOfHeader(line) !== undefined);
    const to = found === -1 ? whole.length : from + 1 + found;
    if (from !== -1) {
      const body = whole.slice(from + 1, to);
      setKeys(body, table, eol);
      whole = [...whole.slice(0, from + 1), ...body, ...whole.slice(to)];
    } else if (Object.keys(table).length > 0) {
      const end = endOfTable(whole, path);
      const added = [eol, `[${header.join(".")}]${eol}`];
      setKeys(added, table, eol);
      whole = [...whole.slice(0, end), ...added, ...whole.slice(end)];
    }
  }
  return whole.join("");
}

/** The table's own keys, and those of each table in it. */
function tablesOf(path: readonly string[], values: Record<string, unknown>): [string[], Record<string, unknown>][] {
  const own = Object.entries(values).filter(([, value]) => !isTable(value));
  const inner = Object.entries(values).flatMap(([key, value]): [string[], Record<string, unknown>][] =>
    isTable(value) ? [[[...path, key], value]] : [],
  );
  return [[[...path], Object.fromEntries(own)], ...inner];
}

/** Writes the lines of those keys whose values differ; new ones behind the last. */
function setKeys(body: string[], values: Record<string, unknown>, eol: string): void {
  for (const [key, value] of Object.entries(values)) {
    const at = body.findIndex((line) => keyOfLine(line) === key);
    const written = `${stringify({ [key]: value }).trimEnd()}${eol}`;
    if (at === -1) body.splice(lastKey(body) + 1, 0, written);
    else if (!isDeepStrictEqual(valueOfLine(body[at] ?? "", key), value)) body[at] = written;
  }
}

function lastKey(body: readonly string[]): number {
  return body.findLastIndex((line) => line.trim() !== "" && !line.trim().startsWith("#"));
}

/** Behind the last line of this table and of those below it. */
function endOfTable(lines: readonly string[], path: readonly string[]): number {
  let end = lines.length;
  let inside = false;
  for (const [at, line] of lines.entries()) {
    const keys = keysOfHeader(line);
    if (keys !== undefined) inside = isBelow(keys, path);
    if (inside && line.trim() !== "" && !line.trim().startsWith("#")) end = at + 1;
  }
  return end;
}

function keyOfLine(line: string): string | undefined {
  const [, bare, quoted] = /^\s*(?:([\w-]+)|"([^"]+)")\s*=/.exec(line) ?? [];
  return bare ?? quoted;
}

/** Gives `undefined` also when the value goes on in the next line. */
function valueOfLine(line: string, key: string): unknown {
  try {
    return plain(parse(line)[key]);
  } catch {
    return undefined;
  }
}

/** The keys of `[a.b]` or `[[a.b]]`. */
function keysOfHeader(line: string): string[] | undefined {
  const header = /^\s*\[\[?([^[\]]+)\]\]?/.exec(line)?.[1];
  return header?.split(".").map((key) => key.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

function isBelow(keys: readonly string[], path: readonly string[]): boolean {
  return path.every((key, index) => keys[index] === key);
}

/** Leaves out the lines of the table and of the tables below it; comments above the next table stay. */
function withoutTables(lines: readonly string[], path: readonly string[]): string[] {
  let inside = false;
  let above: string[] = [];
  const kept: string[] = [];
  for (const line of lines) {
    const keys = keysOfHeader(line);
    if (keys !== undefined) {
      const ours = isBelow(keys, path);
      if (inside && !ours) kept.push(...above);
      inside = ours;
    }
    if (!inside) kept.push(line);
    above = /^\s*(#|$)/.test(line) ? [...above, line] : [];
  }
  return kept;
}

export function readToml(text: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (error instanceof TomlError) throw new SetupError(`line ${error.line} is not TOML`);
    throw error;
  }
}

function reads(text: string, expected: Record<string, unknown>): boolean {
  try {
    return isDeepStrictEqual(plain(readToml(text)), plain(expected));
  } catch {
    return false;
  }
}

/** The same values without the reader's own classes and prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

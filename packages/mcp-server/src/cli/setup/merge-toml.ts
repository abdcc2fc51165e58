import { isDeepStrictEqual } from "node:util";
import { parse, stringify, TomlError } from "smol-toml";
import type { Entry } from "./clients.js";
import { merged, SetupError } from "./merged.js";

/**
 * `text` with the entry as a table of its own. Only the lines of that table change, so comments and order of
 * everything else stay; the result is read again and refused when anything else came out different.
 */
export function mergeToml(text: string, path: readonly [string, string], entry: Entry): string {
  const before = readTable(text);
  const [group, name] = path;
  const servers = before[group];
  if (servers !== undefined && !isTable(servers)) throw new SetupError(`"${group}" is not a table`);
  const old = isTable(servers) ? servers[name] : undefined;
  const next = merged(isTable(old) ? old : {}, entry);
  if (isDeepStrictEqual(plain(old), next)) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const rest = old === undefined ? text : withoutTables(text, path);
  const table = stringify({ [group]: { [name]: next } })
    .trimEnd()
    .split("\n");
  const gap = rest === "" || rest.endsWith(`${eol}${eol}`) ? "" : rest.endsWith(eol) ? eol : eol + eol;
  const after = `${rest}${gap}${table.filter((line) => line !== `[${group}]`).join(eol)}${eol}`;
  const expected = { ...before, [group]: { ...(isTable(servers) ? servers : {}), [name]: next } };
  if (!reads(after, expected))
    throw new SetupError(`[${path.join(".")}] is written in a way that cannot be changed without losing something`);
  return after;
}

/** Leaves out the lines of the table and of the tables below it; comments above the next table stay. */
function withoutTables(text: string, path: readonly string[]): string {
  let inside = false;
  let above: string[] = [];
  const kept: string[] = [];
  for (const line of text.split(/(?<=\n)/)) {
    const header = /^\s*\[\[?([^\]]+)\]\]?/.exec(line)?.[1];
    if (header !== undefined) {
      const keys = header.split(".").map((key) => key.trim().replace(/^(["'])(.*)\1$/, "$2"));
      const ours = path.every((key, index) => keys[index] === key);
      if (inside && !ours) kept.push(...above);
      inside = ours;
    }
    if (!inside) kept.push(line);
    above = /^\s*(#|$)/.test(line) ? [...above, line] : [];
  }
  return kept.join("");
}

function readTable(text: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    if (error instanceof TomlError) throw new SetupError(`line ${error.line} is not TOML`);
    throw error;
  }
}

function reads(text: string, expected: Record<string, unknown>): boolean {
  try {
    return isDeepStrictEqual(plain(readTable(text)), plain(expected));
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

import { behindBlanks, skipBlanks } from "./signs.js";

/** JSON as it stands: its brackets tell where it may end, and the native parser whether it is any. */

/** Undefined for what is no object or list. */
export function parseContainer(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isContainer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A text that is JSON but for the blanks around it; null when it is nothing but blanks. */
export function parseWhole(text: string): { value: unknown; start: number; end: number } | null | undefined {
  const start = skipBlanks(text, 0, text.length);
  const end = behindBlanks(text, start, text.length);
  if (start === end) return null;
  // An error takes longer.
  if (!/[{["\dtfn-]/.test(text[start] ?? "")) return undefined;
  try {
    return { value: JSON.parse(text.slice(start, end)) as unknown, start, end };
  } catch {
    return undefined;
  }
}

/** A string, a number or a literal, also one of Python; longer ones are none. */
const SCALAR = /^(?:"[^"\n]{0,2000}"|true|false|null|-?\d[\d.eE+-]{0,30}|True|False|None)$/;
const MAX_SCALAR = 4_000;

/** What a text is, or its only fence, which has its own lines, if that is a scalar; and where it stands. */
export function scalarIn(text: string): { scalar: string; at: number; isFence: boolean } | undefined {
  const parts = text.length < MAX_SCALAR ? text.split(/`{3}|~{3}/) : [];
  const [words = "", inside = "", rest = ""] = parts;
  const hasOwnLines = /(?:^|\n)[ \t]{0,40}$/.test(words.slice(-80)) && /^[ \t]{0,40}(?:\n|$)/.test(rest.slice(0, 80));
  const isFence = parts.length === 3 && hasOwnLines && !/[{}[\]<]/.test(words + rest);
  const part = isFence ? inside.replace(/^(?:json\w{0,4}|te?xt|output|python)?[ \t]{0,40}\n/, "") : words;
  const scalar = (isFence || parts.length === 1) && SCALAR.exec(part.trim().slice(0, MAX_SCALAR))?.[0];
  return scalar ? { scalar, at: text.indexOf(scalar, isFence ? words.length : 0), isFence } : undefined;
}

/** Behind the last bracket that ends a line: there a long value ends in most texts. */
export function likelyEnd(text: string): number {
  const end = behindBlanks(text, 0, text.length);
  if (/[}\]]/.test(text[end - 1] ?? "")) return end;
  const object = text.lastIndexOf("}\n") + 1;
  return object + text.slice(object).lastIndexOf("]\n") + 1;
}

/** Whether a key follows on the value from `start` to `end`, other than the first one of another object that lacks its brace. */
export function keyBehind(text: string, start: number, end: number): boolean {
  const [, key] = /^[\s,]{0,40}("[^"\n]{1,60}"\s{0,8}:)/.exec(text.slice(end, end + 110)) ?? [];
  return key !== undefined && !text.slice(start, Math.min(end, start + 110)).includes(key);
}

/** The object or list from `start` to `end`; before a comma or a closing bracket it may have closed too early. Errors take time. */
export function parseBetween(text: string, start: number, end: number, maxDepth: number): unknown {
  const isNone = end <= start || /^\{\s*[^"}\s]/.test(text.slice(start, start + 40));
  if (isNone || keyBehind(text, start, end) || /^(?:\s*[,}\]]|"[^"\n]{1,80}")/.test(text.slice(end, end + 90)))
    return undefined;
  const value = parseContainer(text.slice(start, end));
  return end - start > 2 * maxDepth && tooDeepFor(value, maxDepth) ? undefined : value;
}

/** What JSON has outside of strings and brackets. */
const BETWEEN = /[\s,:\w.+-]+/y;

/** Where the bracket at `start` is closed; the complement of where it is known that it is not, or that this is no JSON. */
export function strictEnd(text: string, start: number, limit: number): number {
  let depth = 0;
  for (let at = start; at < limit; at++) {
    const c = text.charCodeAt(at);
    const isCloser = c === 125 || c === 93;
    if (isCloser || c === 34 || c === 123 || c === 91) {
      // The native parser takes longer to say so.
      const before = at > start ? text.charCodeAt(behindBlanks(text, start, at) - 1) : 44;
      const isSeparated = before === 44 || before === 58;
      if (isCloser ? isSeparated : !isSeparated && before !== 123 && before !== 91) return ~at;
      if (isCloser && --depth === 0) return at + 1;
      if (c === 34) at = quoteAfter(text, at + 1);
      else if (!isCloser) depth++;
      if (at < 0) break;
    } else {
      BETWEEN.lastIndex = at;
      if (!BETWEEN.test(text)) return ~at;
      at = BETWEEN.lastIndex - 1;
    }
  }
  return ~limit;
}

/** The quote that ends a string whose content begins at `from`; -1 if there is none. */
export function quoteAfter(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

/** Whether a backslash before the sign belongs to it. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 92) backslashes++;
  return backslashes % 2 === 1;
}

export function tooDeepFor(value: unknown, maxDepth: number): boolean {
  let level = [value].filter(isContainer) as (unknown[] | JsonObject)[];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return true;
    const inner: typeof level = [];
    const add = (member: unknown) => isContainer(member) && inner.push(member as JsonObject);
    for (const container of level) {
      // The keys of a list would be texts.
      if (Array.isArray(container)) for (const member of container) add(member);
      else for (const key in container) add(container[key]);
    }
    level = inner;
  }
  return false;
}

export type JsonObject = Record<string, unknown>;

export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isObject(value: unknown): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

/** Where a value stands in another one. */
export type KeyPath = readonly PropertyKey[];

/** No such key; as a change: the key goes. */
export const ABSENT = Symbol("absent");

export function valueAt(value: unknown, path: KeyPath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return ABSENT;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** Defined, not assigned: `__proto__` is a key like any other. */
export function define(object: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** What is put in the place of a value. */
export interface Change {
  path: KeyPath;
  by: unknown;
  /** The key of the same object that goes for it. */
  from?: string;
}

/** A copy of what the changes touch. */
export function copyWith(value: unknown, changes: readonly Change[]): unknown {
  const root = { value };
  const copies = new Set<unknown>();
  for (const { path, by, from } of changes) {
    let at: object = root;
    let key: PropertyKey = "value";
    for (const next of path) {
      const part = (at as Record<PropertyKey, unknown>)[key] as object;
      const copy = copies.has(part) ? part : Array.isArray(part) ? [...part] : { ...part };
      copies.add(copy);
      define(at, key, copy);
      [at, key] = [copy, next];
    }
    if (from !== undefined) Reflect.deleteProperty(at, from);
    if (by !== ABSENT) define(at, key, by);
    else if (Array.isArray(at)) at.splice(Number(key), 1);
    else Reflect.deleteProperty(at, key);
  }
  return root.value;
}

/** Whether an object or list has nothing in it, or nothing stands there. */
export function isEmpty(value: unknown): boolean {
  if (!isContainer(value)) return value === null || value === undefined || value === "";
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** What bytes of UTF-8, written as in an address, stand for. */
export function utf8Of(bytes: string): string | undefined {
  try {
    return bytes.startsWith("%") ? decodeURIComponent(bytes) : undefined;
  } catch {
    return undefined;
  }
}

/** The characters as JSON writes them in a string. */
export function written(characters: string): string {
  return JSON.stringify(characters).slice(1, -1);
}

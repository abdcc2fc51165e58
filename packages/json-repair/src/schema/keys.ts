import { ABSENT, copyWith, isContainer, isObject, type JsonObject, type KeyPath, valueAt } from "../decode/strict.js";
import type { Coercion } from "./fit.js";

/** Which names are spelled alike, and which keys a schema has left out. */

/** Blanks and strokes; but one before a number, between two, or at the end is a sign. Nor does a colon at the end of a key count. */
const STROKES = /(?!^-|(?<=(?:^|\d)\s{0,9})[_-](?=\s{0,9}\d)|-\s{0,9}$)[\s_-]|(?<=[^\s:]):\s{0,4}$/g;
const plain = (text: string) => text.toLowerCase().replace(STROKES, "");

/** The words of a list, or the keys of an object, by how they are written plainly: a schema names one list at all places. */
export type Alike = WeakMap<object, Map<string, Set<string>>>;

/** The one word of a list, or of an object's keys, like a text: `In progress` is like `in_progress`; `A` and `A-`, `1` and `-1`, `12` and `1-2` are not alike. */
export function like(text: string, known: Alike, of: object, words: () => readonly unknown[]): string[] {
  const alike = known.get(of) ?? new Map<string, Set<string>>();
  if (!known.has(of))
    for (const word of words())
      if (typeof word === "string") alike.set(plain(word), (alike.get(plain(word)) ?? new Set()).add(word));
  known.set(of, alike);
  const same = [...(alike.get(plain(text)) ?? [])];
  return same.length === 1 ? same : [];
}

/** In the ways that keys are written: `firstName`, `FirstName`, `first_name`, `first-name`, `first name`, `FIRST_NAME`, `firstname`. */
function stylesOf(key: string): string[] {
  const words = (key.replace(/([a-z\d])([A-Z])/g, "$1 $2").match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const camel = [...words.slice(0, 1), ...capital.slice(1)].join("");
  const [snake, plainly] = [words.join("_"), words.join("")];
  const styles = [camel, capital.join(""), snake, words.join("-"), words.join(" "), snake.toUpperCase(), plainly];
  return [...new Set(styles)].filter((style) => style !== "" && style !== key && style !== "__proto__");
}

/** If a schema leaves out more keys, they are not looked at; nor, of those that it keeps, more; nor what is nested deeper. */
const [MAX_LOST, MAX_KEPT, MAX_DEPTH] = [20_000, 1_000, 32];

interface Key {
  path: KeyPath;
  key: string;
  /** The object that has it. */
  of: JsonObject;
}

/** A part of a value, and what was made of it; to copy the path of each would take the square of the depth. */
interface Place {
  up: Place | undefined;
  depth: number;
  key: PropertyKey;
  one: unknown;
  made: unknown;
}

function pathTo(place: Place): KeyPath {
  const path: PropertyKey[] = [];
  for (let at: Place | undefined = place; at?.up; at = at.up) path.push(at.key);
  return path.reverse();
}

/** So many members of different names that were left out are tried for that. */
const MAX_ABSENT = 3;

/** A null that was left out may have been an entry of a record, which asks the same of any key. `wrongIn`: as of `inItsStyle`. */
export function lessSure(
  coerced: Coercion[],
  value: unknown,
  wrongIn: (value: unknown) => ReadonlyMap<string, unknown>,
): Coercion[] {
  const absent = new Map(coerced.flatMap(({ path, by }) => (by === ABSENT ? [[path.at(-1), path] as const] : [])));
  const paths = [...absent.values()].slice(0, MAX_ABSENT).map((path): KeyPath => [...path.slice(0, -1), "\0"]);
  const refused = (some: readonly KeyPath[], by: unknown) => {
    const changes = some.map((path) => ({ path, by }));
    const wrong = some.length > 0 ? wrongIn(copyWith(value, changes)) : new Map();
    return some.filter((path) => wrong.has(JSON.stringify(path)));
  };
  // Where nothing at all can stand, it is no entry, either.
  const othersAt = (path: KeyPath): unknown[] => Object.values(Object(valueAt(value, path.slice(0, -1)))).slice(0, 2);
  const takes = (path: KeyPath) => ["", ...othersAt(path)].some((by) => refused([path], by).length === 0);
  if (!refused(paths, null).some(takes)) return coerced;
  return coerced.map((one) => (one.by === ABSENT ? { ...one, sure: false } : one));
}

/** The keys of objects that are not in what a schema has made of these; and those of several words or with capitals that are, if they are few. */
function keysIn(before: unknown, after: unknown): { lost: Key[]; kept: Key[] } {
  const [lost, kept]: [Key[], Key[]] = [[], []];
  const open: Place[] = [{ up: undefined, depth: 0, key: "", one: before, made: after }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { depth, one, made } = next;
    if (!isContainer(one) || !isContainer(made) || Array.isArray(one) !== Array.isArray(made)) continue;
    for (const [key, value] of Object.entries(one)) {
      const isKept = Object.hasOwn(made, key);
      if (isKept && isContainer(value) && depth < MAX_DEPTH) {
        const inner = { one: value, made: (made as JsonObject)[key] };
        open.push({ up: next, depth: depth + 1, key: isObject(one) ? key : Number(key), ...inner });
      }
      if (isObject(one) && (!isKept || (kept.length <= MAX_KEPT && /[A-Z_\s-]/.test(key))))
        (isKept ? kept : lost).push({ path: pathTo(next), key, of: one });
      if (lost.length > MAX_LOST) return { lost: [], kept: [] };
    }
  }
  return { lost, kept: kept.length > MAX_KEPT ? [] : kept };
}

/**
 * Changes of keys in another style, of members that may be missing: a schema leaves them out, or lets them stand, without a word.
 * `made`: what it has made of the value; `wrongIn`: the places, as JSON of their paths, where it has something against a value.
 */
export function inItsStyle(
  value: unknown,
  made: unknown,
  wrongIn: (value: unknown) => ReadonlyMap<string, unknown>,
): Coercion[] {
  const { lost, kept } = keysIn(value, made);
  // It refuses a function where it asks for something.
  const refused = (paths: readonly KeyPath[]): ReadonlyMap<string, unknown> => {
    const asking = paths.map((path) => ({ path, by: stylesOf }));
    return asking.length > 0 ? wrongIn(copyWith(value, asking)) : new Map();
  };
  // What it asks for as it is has its own meaning.
  const asked = refused(kept.map(({ path, key }) => [...path, key]));
  const others = kept.filter(({ path, key }) => !asked.has(JSON.stringify([...path, key])));
  const keys = [...lost, ...others].map(({ path, key, of }) => {
    const styles = stylesOf(key).filter((style) => !Object.hasOwn(of, style));
    return { key, by: of[key], paths: styles.map((style) => [...path, style]) };
  });
  const wrong = refused(keys.flatMap(({ paths }) => paths));
  const found = new Map<string, Coercion | undefined>();
  for (const { key, by, paths } of keys) {
    const [path, ...more] = paths.filter((one) => wrong.has(JSON.stringify(one)));
    const name = JSON.stringify(path);
    // Of two keys that are like the same one, or one that is like two, nobody knows which is meant.
    if (path) found.set(name, more.length > 0 || found.has(name) ? undefined : { path, by, sure: true, from: key });
  }
  return [...found.values()].flatMap((one) => one ?? []);
}
